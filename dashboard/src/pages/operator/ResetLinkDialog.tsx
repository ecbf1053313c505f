import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { AccountView } from '../../../../src/shared/contract/operated-accounts.ts'
import { call } from '../../api/client.ts'
import { CopyField } from '../../components/CopyButton.tsx'
import { FormError } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'

interface ResetLink {
  readonly link: string
  readonly expiresAtMs: number
}

/** Creates a password reset link for an account. */
export function ResetLinkDialog({ account, onClose }: { account: AccountView | undefined; onClose: () => void }) {
  return (
    <Modal
      opened={account !== undefined}
      onClose={onClose}
      title="Create a password reset link"
      attributes={{ header: { role: 'none' } }}
    >
      {account && <ResetLinkForm account={account} onClose={onClose} />}
    </Modal>
  )
}

function ResetLinkForm({ account, onClose }: { account: AccountView; onClose: () => void }) {
  const { created, busy, error, create } = useResetLink(account)
  return (
    <Stack gap="md">
      <Text size="sm">
        Anyone with the link can set a new password for <strong>{account.email}</strong> and sign in. Send it only to
        that person, through a channel that you trust. It works once.
      </Text>
      {created && (
        <div role="status">
          <CopyField value={created.link} label="Reset link" />
          <Text size="xs" c="dimmed" mt={6}>
            Expires <Timestamp at={created.expiresAtMs} />. It won't be shown again.
          </Text>
        </div>
      )}
      <FormError error={error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {created ? 'Done' : 'Cancel'}
        </Button>
        {!created && (
          <Button onClick={create} loading={busy} data-autofocus>
            Create link
          </Button>
        )}
      </Group>
    </Stack>
  )
}

function useResetLink({ userId }: AccountView) {
  const [created, setCreated] = useState<ResetLink>()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link belongs to one account
  useEffect(() => setCreated(undefined), [userId])
  const create = async () => {
    setBusy(true)
    setError(undefined)
    try {
      setCreated(await call('POST /api/operator/accounts/:user/reset-link', { params: { user: userId } }))
    } catch (error) {
      setError(error)
    } finally {
      setBusy(false)
    }
  }
  return { created, busy, error, create }
}
