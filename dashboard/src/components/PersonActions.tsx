import { ActionIcon, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { IconDots, IconUserMinus } from './icons.tsx'
import { useDialog } from './use-restore-focus.ts'

/** The menu of a person in a list: gives them the other role, or removes them after a question, whose text is the children. */
export function PersonActions(props: {
  name: string
  otherRole: { label: string; icon: ReactNode }
  isChanging: boolean
  onChangeRole: () => void
  onRemove: () => Promise<void>
  children: ReactNode
}) {
  const { name, otherRole } = props
  const removal = useDialog()
  return (
    <>
      <Menu position="bottom-end" width={190}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" loading={props.isChanging} aria-label={`Actions for ${name}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={otherRole.icon} onClick={props.onChangeRole}>
            {otherRole.label}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconUserMinus size={16} aria-hidden />} onClick={removal.open}>
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={removal.isOpen}
        onClose={removal.close}
        title={
          <>
            Remove <bdi>{name}</bdi>?
          </>
        }
        confirmLabel="Remove"
        danger
        onConfirm={props.onRemove}
      >
        {props.children}
      </ConfirmDialog>
    </>
  )
}
