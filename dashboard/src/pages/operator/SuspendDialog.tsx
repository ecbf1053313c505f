import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { useDialogText } from '../../components/use-dialog-text.ts'

/** Asks for the reason of a suspension. The children say what it does. */
export function SuspendDialog(props: {
  name: string
  opened: boolean
  onClose: () => void
  onSuspend: (reason: string) => Promise<void>
  children: ReactNode
}) {
  const [reason, setReason] = useDialogText(props.opened)
  return (
    <ConfirmDialog
      opened={props.opened}
      onClose={props.onClose}
      title={
        <>
          Suspend <bdi>{props.name}</bdi>?
        </>
      }
      confirmLabel="Suspend"
      danger
      disabled={reason.trim() === ''}
      onConfirm={() => props.onSuspend(reason)}
    >
      {props.children}
      <TextInput
        mt="md"
        label="Reason"
        description="Shown to the people concerned."
        maxLength={200}
        required
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        data-autofocus
      />
    </ConfirmDialog>
  )
}
