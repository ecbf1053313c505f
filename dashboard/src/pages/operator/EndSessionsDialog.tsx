import { useQueryClient } from '@tanstack/react-query'
import type { AccountView } from '../../../../src/shared/contract/operated-accounts.ts'
import { call } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { notifySuccess } from '../../components/notify.ts'

/** Ends all sessions of an account; open while there is one. */
export function EndSessionsDialog({ account, onClose }: { account: AccountView | undefined; onClose: () => void }) {
  const queryClient = useQueryClient()
  const endSessions = async () => {
    if (account === undefined) return
    const { userId, email } = account
    await call('POST /api/operator/accounts/:user/end-sessions', { params: { user: userId } })
    await queryClient.invalidateQueries({ queryKey: ['operator', 'accounts'] })
    await queryClient.invalidateQueries({ queryKey: ['auth', 'security-log', userId] })
    notifySuccess(`Ended all sessions of ${email}.`)
  }
  return (
    <ConfirmDialog
      opened={account !== undefined}
      onClose={onClose}
      title="End all sessions?"
      confirmLabel="End sessions"
      danger
      onConfirm={endSessions}
    >
      {account?.email} is signed out everywhere immediately and can sign in again. Create a reset link, too, if the
      password may be known to others.
    </ConfirmDialog>
  )
}
