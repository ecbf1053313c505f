import { Loader, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ApiError, api } from '../../api/client.ts'
import { useFinishSignIn } from '../../api/sign-in.ts'
import { ButtonLink } from '../../components/links.tsx'
import { FormError } from '../../components/states.tsx'
import { AuthCard } from './AuthCard.tsx'

/** Where the link of a confirmation mail leads: `#<token>`. Confirms the address, signs in, and goes on. */
export function ConfirmEmailPage() {
  const token = useLocation({ select: ({ hash }) => hash })
  const { isSuccess, error } = useQuery(confirmation(token))
  const enter = useFinishSignIn()
  const entered = useRef(false)
  useEffect(() => {
    if (!isSuccess || entered.current) return
    entered.current = true
    enter()
  })
  if (!token) {
    return (
      <AuthCard
        title="This link is not whole"
        lead="Copy all of it from the mail. Or sign in: if your address still has to be confirmed, you are sent a new link."
      >
        <ButtonLink to="/app/sign-in">Sign in</ButtonLink>
      </AuthCard>
    )
  }
  if (error) return <NotConfirmed error={error} />
  return (
    <AuthCard title="Confirming your address">
      <Stack align="center" py="md" role="status">
        <Loader size="sm" aria-hidden />
        <Text size="sm" c="dimmed">
          One moment…
        </Text>
      </Stack>
    </AuthCard>
  )
}

/** A query, not a mutation, so that the token is spent once however often the page is drawn. */
const confirmation = (token: string) =>
  queryOptions({
    queryKey: ['confirm-email', token],
    queryFn: async () => {
      await api.post('/auth/verify-email', { token })
      return true
    },
    enabled: token !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })

function NotConfirmed({ error }: { error: unknown }) {
  if (error instanceof ApiError && error.code === 'session-required') {
    return (
      <AuthCard
        title="Sign in first"
        lead="This link changes the address of an account. Sign in to it in this browser, then open the link again."
      >
        <ButtonLink to="/app/sign-in">Sign in</ButtonLink>
      </AuthCard>
    )
  }
  return (
    <AuthCard
      title="Your address is not confirmed"
      lead="The link may have been used already, or is too old. Sign in: if your address still has to be confirmed, you are sent a new one."
    >
      <FormError error={error} />
      <ButtonLink to="/app/sign-in">Sign in</ButtonLink>
    </AuthCard>
  )
}
