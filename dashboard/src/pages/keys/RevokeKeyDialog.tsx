import { Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { KeyView } from '../../../../src/shared/shapes.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { useKeyChanges } from './key-changes.ts'
import { maskedKey } from './key-words.ts'

const REASON_CHARACTERS_MAX = 200

/** Asks why, and ends the key. */
export function RevokeKeyDialog(props: {
  opened: boolean
  org: string
  keyView: KeyView
  onClose: () => void
}) {
  const { keyView } = props
  const [reason, setReason] = useState('')
  const { revoke } = useKeyChanges(props.org)
  const confirm = async () => {
    await revoke(keyView.id, reason.trim())
    notifyDone(`“${keyView.name}” is revoked. Requests with it get 401 from now on.`)
  }
  return (
    <ConfirmDialog
      opened={props.opened}
      onClose={props.onClose}
      title={`Revoke “${keyView.name}”?`}
      confirmLabel="Revoke key"
      danger
      onConfirm={confirm}
    >
      <Stack gap="md">
        <Text size="sm">
          Every request with {maskedKey(keyView)} is answered 401 at once. This cannot be undone. To change
          over without a gap, rotate it instead.
        </Text>
        <TextInput
          label="Reason (optional)"
          description="Stands in the audit log, and beside the key in the list."
          placeholder="Was in a public repository"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={REASON_CHARACTERS_MAX}
          autoComplete="off"
          data-autofocus
        />
      </Stack>
    </ConfirmDialog>
  )
}
