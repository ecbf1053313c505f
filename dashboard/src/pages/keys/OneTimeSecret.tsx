import { Button, Checkbox, Group, Modal, Stack } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { CopyField } from '../../components/CopyButton.tsx'
import { downloadText } from '../../components/download-text.ts'
import { IconDownload, IconEyeOff } from '../../components/icons.tsx'
import { useHoldPage } from '../../components/use-hold-page.ts'
import classes from './keys.module.css'

interface Secret {
  readonly onClose: () => void
  /** "API key". */
  readonly label: string
  /** Of the environment, in the file to download. Undefined for a link. */
  readonly variable?: string
  readonly secret: string
  readonly warning: ReactNode
  readonly children?: ReactNode
}

/**
 * Shows a secret once. Neither a click outside nor Escape or Back closes the dialog, only the button after the visitor has confirmed that
 * the secret is saved.
 */
export function OneTimeSecret({ opened, title, ...secret }: { opened: boolean; title: string } & Secret) {
  return (
    <Modal
      opened={opened}
      onClose={secret.onClose}
      title={title}
      size={640}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <OneTimeSecretBody {...secret} />
    </Modal>
  )
}

/** The same in another dialog. */
export function OneTimeSecretBody({ onClose, label, variable, secret, warning, children }: Secret) {
  const [saved, setSaved] = useState(false)
  const [reminded, setReminded] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  const remind = () => {
    setReminded(true)
    box.current?.focus()
  }
  useHoldPage(!saved, remind)
  return (
    <Stack gap="md">
      <div className={classes.notice} role="note">
        <IconEyeOff size={18} aria-hidden />
        <div>
          <b>Copy it now. You won't see it again.</b> {warning}
        </div>
      </div>
      <CopyField value={secret} label={label} />
      {variable && (
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => downloadText('slots.env', `${variable}=${secret}\n`)}
          style={{ alignSelf: 'flex-start' }}
        >
          Download .env
        </Button>
      )}
      {children}
      <Group justify="space-between" align="flex-start" gap="md">
        <Checkbox
          ref={box}
          label={variable ? "I've saved it in a safe place" : "I've copied it"}
          checked={saved}
          onChange={(event) => setSaved(event.currentTarget.checked)}
          error={
            reminded && !saved && `Confirm that you've ${variable ? 'saved' : 'copied'} it. It can't be shown again.`
          }
        />
        <Button onClick={saved ? onClose : remind} ml="auto">
          Done
        </Button>
      </Group>
    </Stack>
  )
}
