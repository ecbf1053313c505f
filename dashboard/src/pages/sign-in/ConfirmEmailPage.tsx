import { Loader, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { callAuth } from '../../api/better-auth.ts'
import { ApiError } from '../../api/client.ts'
import { useFinishSignIn } from '../../api/sign-in.ts'
import { ButtonLink } from '../../components/links.tsx'
import { FormError } from '../../components/states.tsx'
import { AuthCard } from './AuthCard.tsx'

/** The page of the link in a verification email: `#<token>`. Verifies the address, signs in and continues. */
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
        title="This link is incomplete"
        lead="Copy the whole link from the email. Or sign in: if your email isn't verified yet, we'll send you a new link."
      >
        <ButtonLink to="/app/sign-in">Sign in</ButtonLink>
      </AuthCard>
    )
  }
  if (error) return <NotVerified error={error} />
  return (
    <AuthCard title="Verifying your email">
      <Stack align="center" py="md" role="status">
        <Loader size="sm" aria-hidden />
        <Text size="sm" c="dimmed">
          One moment…
        </Text>
      </Stack>
    </AuthCard>
  )
}

/** A query, not a mutation, so that the token is used once however often the page renders. */
const confirmation = (token: string) =>
  queryOptions({
    queryKey: ['confirm-email', token],
    queryFn: async () => {
      await callAuth('POST /verify-email', { body: { token } })
      return true
    },
    enabled: token !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })

function NotVerified({ error }: { error: unknown }) {
  if (error instanceof ApiError && error.code === 'session-required') {
    return (
      <AuthCard
        title="Sign in first"
        lead="This link changes the email of an account. Sign in to that account in this browser, then open the link again."
      >
        <ButtonLink to="/app/sign-in">Sign in</ButtonLink>
      </AuthCard>
    )
  }
  return (
    <AuthCard
      title="Your email isn't verified"
      lead="The link may have been used already or has expired. Sign in: if your email isn't verified yet, we'll send you a new one."
    >
      <FormError error={error} />
      <ButtonLink to="/app/sign-in">Sign in</ButtonLink>
    </AuthCard>
  )
}
