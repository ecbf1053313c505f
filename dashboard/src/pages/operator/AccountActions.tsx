import { Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AccountDetailsView } from '../../../../src/shared/contract/operated-accounts.ts'
import { call } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { notifySuccess } from '../../components/notify.ts'
import { EndSessionsDialog } from './EndSessionsDialog.tsx'
import { ResetLinkDialog } from './ResetLinkDialog.tsx'
import { SuspendDialog } from './SuspendDialog.tsx'

type AccountAct =
  | 'reset-link'
  | 'end-sessions'
  | 'reset-second-factor'
  | 'verify-email'
  | 'suspend'
  | 'resume'
  | 'delete'

/** The actions of an operator on an account. */
export function AccountActions({ details }: { details: AccountDetailsView }) {
  const { account } = details
  const { name, email, suspension } = account
  const [opened, setOpened] = useState<AccountAct>()
  const acts = useActs(details)
  const close = () => setOpened(undefined)
  const question = QUESTIONS.find((each) => each.act === opened)
  return (
    <Group gap="xs" role="group" aria-label="Actions">
      {actsOf(details).map(([act, label]) => (
        <Button key={act} variant="default" c={act === 'delete' ? 'red' : undefined} onClick={() => setOpened(act)}>
          {label}
        </Button>
      ))}
      <ResetLinkDialog account={opened === 'reset-link' ? account : undefined} onClose={close} />
      <EndSessionsDialog account={opened === 'end-sessions' ? account : undefined} onClose={close} />
      <SuspendDialog name={name} opened={opened === 'suspend'} onClose={close} onSuspend={acts.suspend}>
        {email} is signed out everywhere and cannot sign in until you resume the account. The API keys of its
        organizations keep working.
      </SuspendDialog>
      <ConfirmDialog
        opened={question !== undefined}
        onClose={close}
        title={question?.title ?? ''}
        confirmLabel={question?.label ?? ''}
        danger={suspension === undefined}
        onConfirm={async () => question && acts.run(question.act, question.done)}
      >
        {question && `${email} ${question.effect}`}
      </ConfirmDialog>
      <ConfirmDialog
        opened={opened === 'delete'}
        onClose={close}
        title={
          <>
            Delete <bdi>{name}</bdi>?
          </>
        }
        confirmLabel="Delete account"
        danger
        typedName={email}
        onConfirm={acts.remove}
      >
        The account, its sessions and memberships are deleted. Log entries about it stay. An owner's organizations must
        be transferred or deleted first. This can't be undone.
      </ConfirmDialog>
    </Group>
  )
}

const QUESTIONS = [
  {
    act: 'reset-second-factor',
    title: 'Reset two-factor authentication?',
    label: 'Reset second factor',
    effect: 'can then sign in with the password alone. First make sure that this person asked for it.',
    done: 'Two-factor authentication turned off.',
  },
  {
    act: 'verify-email',
    title: 'Verify this email address?',
    label: 'Verify email',
    effect:
      'is marked as verified on your authority. First make sure that the account belongs to the owner of the address.',
    done: 'Email address verified.',
  },
  {
    act: 'resume',
    title: 'Resume this account?',
    label: 'Resume',
    effect: 'can sign in again.',
    done: 'Account resumed.',
  },
] as const

/** The acts that make sense for the account. */
function actsOf({ account, signIn }: AccountDetailsView): readonly (readonly [AccountAct, string])[] {
  const { suspension, emailVerified, operatorRole } = account
  return [
    ...(suspension ? [] : [['reset-link', 'Reset link'] as const, ['end-sessions', 'End sessions'] as const]),
    ...(signIn.twoFactor ? [['reset-second-factor', 'Reset second factor'] as const] : []),
    ...(emailVerified ? [] : [['verify-email', 'Verify email'] as const]),
    ...(suspension ? [['resume', 'Resume'] as const] : []),
    ...(suspension || operatorRole ? [] : [['suspend', 'Suspend'] as const]),
    ['delete', 'Delete'],
  ]
}

function useActs({ account: { userId, name, email } }: AccountDetailsView) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const params = { user: userId }
  const refetch = async () => {
    await queryClient.invalidateQueries({ queryKey: ['operator', 'accounts'] })
    await queryClient.invalidateQueries({ queryKey: ['auth', 'security-log', userId] })
  }
  return {
    run: async (act: (typeof QUESTIONS)[number]['act'], done: string) => {
      if (act === 'verify-email') await call(`POST /api/operator/accounts/:user/${act}`, { params, body: { email } })
      else await call(`POST /api/operator/accounts/:user/${act}`, { params })
      await refetch()
      notifySuccess(done)
    },
    suspend: async (reason: string) => {
      await call('POST /api/operator/accounts/:user/suspend', { params, body: { reason } })
      await refetch()
      notifySuccess(`${name} suspended.`)
    },
    remove: async () => {
      await call('DELETE /api/operator/accounts/:user', { params, body: { confirm: email } })
      await navigate({ to: '/app/operator/accounts' })
      await refetch()
      notifySuccess(`${name} deleted.`)
    },
  }
}
