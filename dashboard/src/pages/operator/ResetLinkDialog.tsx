import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { AccountView } from '../../../../src/shared/shapes.ts'
import { api, path } from '../../api/client.ts'
import { CopyField } from '../../components/CopyButton.tsx'
import { FormError } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'

interface ResetLink {
  readonly link: string
  readonly expiresAtMs: number
}

/** Makes a link by which one person sets a new password, once the operator has read what that means. */
export function ResetLinkDialog({
  account,
  onClose,
}: {
  account: AccountView | undefined
  onClose: () => void
}) {
  return (
    <Modal
      opened={account !== undefined}
      onClose={onClose}
      title="A link to set a new password"
      attributes={{ header: { role: 'none' } }}
    >
      {account && <ResetLinkForm account={account} onClose={onClose} />}
    </Modal>
  )
}

function ResetLinkForm({ account, onClose }: { account: AccountView; onClose: () => void }) {
  const { made, busy, error, make } = useResetLink(account)
  return (
    <Stack gap="md">
      <Text size="sm">
        Whoever opens the link can set a new password for <strong>{account.email}</strong> and sign in. Give
        it to that person only, by a way that you trust. It works once.
      </Text>
      {made && (
        <div role="status">
          <CopyField value={made.link} label="Reset link" />
          <Text size="xs" c="dimmed" mt={6}>
            Good until <Timestamp at={made.expiresAtMs} />. It is not shown again.
          </Text>
        </div>
      )}
      <FormError error={error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {made ? 'Done' : 'Cancel'}
        </Button>
        {!made && (
          <Button onClick={make} loading={busy} data-autofocus>
            Make the link
          </Button>
        )}
      </Group>
    </Stack>
  )
}

function useResetLink({ userId }: AccountView) {
  const [made, setMade] = useState<ResetLink>()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link belongs to one account
  useEffect(() => setMade(undefined), [userId])
  const make = async () => {
    setBusy(true)
    setError(undefined)
    try {
      setMade(await api.post<ResetLink>(path`/operator/accounts/${userId}/reset-link`))
    } catch (caught) {
      setError(caught)
    } finally {
      setBusy(false)
    }
  }
  return { made, busy, error, make }
}
