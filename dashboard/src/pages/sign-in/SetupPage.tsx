import { Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import type { Me } from '../../../../src/shared/contract/me.ts'
import { call } from '../../api/client.ts'
import { clearPendingLink, takePendingLink } from '../../api/pending-link.ts'
import { meQuery } from '../../api/queries.ts'
import { CodeBlock } from '../../components/CodeTabs.tsx'
import { ButtonLink } from '../../components/links.tsx'
import { FormError } from '../../components/states.tsx'
import { AuthCard } from './AuthCard.tsx'

/** The page of the one-time setup link: `#<token>`. Makes the visitor the operator. */
export function SetupPage() {
  const hash = useLocation({ select: (location) => location.hash })
  const token = takePendingLink('/app/setup', hash)
  const me = useQuery({ ...meQuery, retry: false })
  if (!token) return <NoToken />
  return (
    <AuthCard
      title="Set up this service"
      lead="This link makes you the operator. You can add sources, see every organization and monitor the service."
    >
      {me.data ? <Claim token={token} me={me.data} /> : <SignInFirst isKnown={!me.isPending} />}
    </AuthCard>
  )
}

function Claim({ token, me }: { token: string; me: Me }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const claim = useMutation({
    mutationFn: () => call('POST /api/setup', { body: { token } }),
    onSuccess: async () => {
      clearPendingLink()
      await queryClient.invalidateQueries({ queryKey: ['me'] })
      await navigate({ to: '/app/operator/sources' })
    },
  })
  return (
    <>
      <Text size="sm">
        You're signed in as <b>{me.email}</b>.
      </Text>
      <FormError error={claim.error} />
      <Button loading={claim.isPending} onClick={() => claim.mutate()}>
        Become the operator
      </Button>
    </>
  )
}

function SignInFirst({ isKnown }: { isKnown: boolean }) {
  return (
    <Stack gap="xs" style={{ visibility: isKnown ? 'visible' : 'hidden' }}>
      <ButtonLink to="/app/sign-up" search={{ next: '/app/setup' }}>
        Create your account
      </ButtonLink>
      <ButtonLink to="/app/sign-in" search={{ next: '/app/setup' }} variant="default">
        Sign in
      </ButtonLink>
    </Stack>
  )
}

function NoToken() {
  return (
    <AuthCard title="This link is incomplete" lead="Copy the whole setup link. It works once, within 24 hours.">
      <Text size="sm">Create a new one on the server:</Text>
      <CodeBlock code="bin/slots operator link" label="command" />
    </AuthCard>
  )
}
