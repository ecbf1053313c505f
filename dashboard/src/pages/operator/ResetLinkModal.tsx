import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { AccountView } from '../../../../src/shared/contract/operated-accounts.ts'
import { call } from '../../api/client.ts'
import { FormError } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { OneTimeSecretBody } from '../keys/OneTimeSecret.tsx'

interface ResetLink {
  readonly link: string
  readonly expiresAtMs: number
}

/** Creates a password reset link for an account, and shows it once. */
export function ResetLinkModal({ account, onClose }: { account: AccountView | undefined; onClose: () => void }) {
  const { created, ...form } = useResetLink(account?.userId)
  const isFree = created === undefined && !form.busy
  return (
    <Modal
      opened={account !== undefined}
      onClose={onClose}
      title="Create a password reset link"
      closeOnClickOutside={isFree}
      closeOnEscape={isFree}
      withCloseButton={isFree}
      attributes={{ header: { role: 'none' } }}
    >
      {account && (
        <Stack gap="md">
          <Text size="sm">
            Anyone with the link can set a new password for <strong>{account.email}</strong> and sign in. Send it only
            to that person, through a channel that you trust. It works once.
          </Text>
          {created === undefined ? (
            <ResetLinkForm {...form} onClose={onClose} />
          ) : (
            <OneTimeSecretBody
              onClose={onClose}
              label="Reset link"
              secret={created.link}
              warning={
                <>
                  Expires <Timestamp at={created.expiresAtMs} />.
                </>
              }
            />
          )}
        </Stack>
      )}
    </Modal>
  )
}

type Form = Omit<ReturnType<typeof useResetLink>, 'created'>

function ResetLinkForm({ busy, error, create, onClose }: Form & { onClose: () => void }) {
  return (
    <>
      <FormError error={error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} disabled={busy}>
          Cancel
        </Button>
        <Button onClick={create} loading={busy} data-autofocus>
          Create link
        </Button>
      </Group>
    </>
  )
}

function useResetLink(userId: string | undefined) {
  const [created, setCreated] = useState<ResetLink>()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link belongs to one account
  useEffect(() => {
    setCreated(undefined)
    setError(undefined)
  }, [userId])
  const create = async () => {
    if (userId === undefined) return
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
