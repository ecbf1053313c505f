import { Button, ThemeIcon } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { callAuth } from '../../api/better-auth.ts'
import { IconMail } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { FormError } from '../../components/states.tsx'
import { AuthCard } from './AuthCard.tsx'

/** After sign-up with email verification: asks to open the link in the email. */
export function CheckEmail({ email }: { email: string }) {
  const again = useMutation({ mutationFn: () => callAuth('POST /send-verification-email', { body: { email } }) })
  return (
    <AuthCard
      title="Check your email"
      icon={
        <ThemeIcon size={44} radius="xl" variant="light" aria-hidden>
          <IconMail size={22} />
        </ThemeIcon>
      }
      lead={
        <>
          We sent a link to <b>{email}</b>. Open it to verify your email and sign in.
        </>
      }
      below={<PageLink to="/app/sign-in">Back to sign-in</PageLink>}
    >
      <FormError error={again.error} />
      <Button variant="default" loading={again.isPending} disabled={again.isSuccess} onClick={() => again.mutate()}>
        {again.isSuccess ? 'Email sent' : 'Resend email'}
      </Button>
    </AuthCard>
  )
}
