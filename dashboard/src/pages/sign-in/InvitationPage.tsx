import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { InvitationPreview } from '../../../../src/shared/contract/invitations.ts'
import type { Me } from '../../../../src/shared/contract/me.ts'
import { ApiError, call } from '../../api/client.ts'
import { clearPendingLink, takePendingLink } from '../../api/pending-link.ts'
import { invitationPreviewQuery, meQuery } from '../../api/queries.ts'
import { useSignOut } from '../../api/sign-in.ts'
import { ButtonLink } from '../../components/links.tsx'
import { isolated } from '../../components/names.ts'
import { ErrorState, FormError } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { TurnOnDialog } from '../account/TwoFactorDialogs.tsx'
import { AuthCard } from './AuthCard.tsx'

/** The page of an invitation link: `#<token>`. Signed-in visitors join; others sign in or sign up first and return here. */
export function InvitationPage() {
  const hash = useLocation({ select: (location) => location.hash })
  const token = takePendingLink('/app/invitation', hash) ?? ''
  const preview = useQuery({ ...invitationPreviewQuery(token), enabled: token !== '' })
  const me = useQuery({ ...meQuery, retry: false })
  if (!token) return <NoInvitation />
  if (preview.error) return <Refused error={preview.error} onRetry={() => preview.refetch()} />
  if (!preview.data || me.isPending) return <Loading />
  if (preview.data.status !== 'open') return <ClosedInvitation preview={preview.data} />
  if (preview.data.isSuspended) return <Suspended organization={preview.data.organization} />
  return (
    <AuthCard title={`Join ${isolated(preview.data.organization)}`} lead={<Lead preview={preview.data} />}>
      {me.data ? <Join token={token} me={me.data} preview={preview.data} /> : <SignInFirst />}
    </AuthCard>
  )
}

function Lead({ preview }: { preview: InvitationPreview }) {
  return (
    <>
      <b>{preview.invitedBy}</b> invited you as {preview.role === 'admin' ? 'an admin' : 'a member'}. The invitation
      expires <Timestamp at={preview.expiresAtMs} as="ago" />.
    </>
  )
}

function Join({ token, me, preview }: { token: string; me: Me; preview: InvitationPreview }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const [isSettingUp, setSettingUp] = useState(false)
  const join = useMutation({
    mutationFn: () => call('POST /api/invitations/accept', { body: { token } }),
    onSuccess: async ({ id }) => {
      clearPendingLink()
      await queryClient.invalidateQueries({ queryKey: ['me'] })
      await navigate({ to: '/app/o/$org/keys', params: { org: id } })
    },
  })
  const lacksSecondFactor = preview.requiresSecondFactor && me.hasPassword && !me.twoFactor
  const isForAnother = preview.email !== undefined && preview.email.toLowerCase() !== me.email.toLowerCase()
  return (
    <>
      <Text size="sm">
        You're signed in as <b>{me.email}</b>.
        {isForAnother && (
          <>
            {' '}
            The invitation is for <b>{preview.email}</b>. Sign in with that email to accept it.
          </>
        )}
      </Text>
      <FormError error={join.error} />
      <Stack gap="xs">
        {!isForAnother && lacksSecondFactor && (
          <SetUpFirst organization={preview.organization} onSetUp={() => setSettingUp(true)} />
        )}
        {!isForAnother && !lacksSecondFactor && (
          <Button loading={join.isPending} onClick={() => join.mutate()}>
            Join {isolated(preview.organization)}
          </Button>
        )}
        <Button variant="default" onClick={() => signOut({ keepLink: true })}>
          Use another account
        </Button>
      </Stack>
      {/* Not in SetUpFirst: the factor is on before its backup codes are saved. */}
      {isSettingUp && <TurnOnDialog onClose={() => setSettingUp(false)} />}
    </>
  )
}

function SetUpFirst({ organization, onSetUp }: { organization: string; onSetUp: () => void }) {
  return (
    <>
      <Text size="sm">
        <bdi>{organization}</bdi> requires two-factor authentication. Set it up, then join.
      </Text>
      <Button onClick={onSetUp}>Set up two-factor authentication</Button>
    </>
  )
}

function SignInFirst() {
  return (
    <Stack gap="xs">
      <ButtonLink to="/app/sign-up" search={{ next: '/app/invitation' }}>
        Create an account
      </ButtonLink>
      <ButtonLink to="/app/sign-in" search={{ next: '/app/invitation' }} variant="default">
        Sign in
      </ButtonLink>
    </Stack>
  )
}

function Loading() {
  return (
    <AuthCard title="Invitation">
      <Skeleton height={18} width="70%" />
      <Skeleton height={36} />
      <Skeleton height={36} />
    </AuthCard>
  )
}

const STATUS_NOTES = {
  accepted: 'It was already used; each invitation works once. If that was you, sign in.',
  revoked: 'It was revoked. Ask for a new one.',
  expired: 'It has expired. Ask for a new one.',
} as const

function ClosedInvitation({ preview }: { preview: InvitationPreview }) {
  clearPendingLink()
  return (
    <AuthCard
      title="This invitation no longer works"
      lead={`${preview.organization}: ${STATUS_NOTES[preview.status as keyof typeof STATUS_NOTES]}`}
    >
      <ButtonLink to="/app" variant="default">
        Go to the dashboard
      </ButtonLink>
    </AuthCard>
  )
}

/** The link is kept: it works once the organization is resumed. */
function Suspended({ organization }: { organization: string }) {
  return (
    <AuthCard
      title={`${organization} is suspended`}
      lead="It accepts no new members until it is resumed. The invitation works again then, unless it has expired."
    >
      <ButtonLink to="/app" variant="default">
        Go to the dashboard
      </ButtonLink>
    </AuthCard>
  )
}

function Refused({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error instanceof ApiError && error.status === 404) {
    clearPendingLink()
    return <NoInvitation />
  }
  return (
    <AuthCard title="Invitation">
      <ErrorState error={error} onRetry={onRetry} />
    </AuthCard>
  )
}

function NoInvitation() {
  return (
    <AuthCard
      title="Invitation not found"
      lead="Copy the whole link, or ask for a new invitation. Invitations work once and expire after a few days."
    >
      <ButtonLink to="/app" variant="default">
        Go to the dashboard
      </ButtonLink>
    </AuthCard>
  )
}
