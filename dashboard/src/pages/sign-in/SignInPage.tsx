import { Alert, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { canUsePasskeys } from '../../api/passkeys.ts'
import { useOptions } from '../../api/session.ts'
import { signInWithPassword, useFinishSignIn } from '../../api/sign-in.ts'
import { PageLink } from '../../components/links.tsx'
import { FormError } from '../../components/states.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { rules } from '../../components/validation.ts'
import { AlternativeSignIn } from './AlternativeSignIn.tsx'
import { AuthCard, InvitationNote, OrDivider } from './AuthCard.tsx'
import { CheckEmail } from './CheckEmail.tsx'

/** Sign-in: with a password, a passkey, or the configured provider. Goes on to `?next=`. */
export function SignInPage() {
  const { next, error_description, error } = useSearch({ strict: false })
  const { password, oidc, signUp } = useOptions()
  const [unconfirmed, setUnconfirmed] = useState<string>()
  if (unconfirmed) return <CheckEmail email={unconfirmed} />
  const hasOtherWays = oidc !== undefined || canUsePasskeys
  return (
    <AuthCard
      title="Sign in"
      lead="To your keys, their usage and your organization."
      below={
        signUp !== 'closed' && (
          <>
            No account yet?
            <PageLink to="/app/sign-up" search={{ next }} underline="always">
              Create one
            </PageLink>
          </>
        )
      }
    >
      <InvitationNote />
      {error && (
        <Alert color="red" role="alert" title="Single sign-on did not work">
          {whyRefused(error, error_description)}
        </Alert>
      )}
      {password && <PasswordForm next={next} onUnconfirmed={setUnconfirmed} />}
      {password && hasOtherWays && <OrDivider />}
      <AlternativeSignIn next={next} withPasskey />
    </AuthCard>
  )
}

/** What stands in the address is quoted, because anybody can write a link. */
function whyRefused(error: string, description: string | undefined): string {
  if (error === 'access_denied') return 'You broke off at the provider. Try again, or sign in another way.'
  if (!description) return 'The provider did not let you in. Try again, or sign in another way.'
  return `The answer was: “${description}”`
}

function PasswordForm(props: { next: string | undefined; onUnconfirmed: (email: string) => void }) {
  const enter = useFinishSignIn()
  const navigate = useNavigate()
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: { email: rules.email, password: rules.present('your password') },
  })
  const { formProps, busy, error } = useSubmit(form, async ({ email, password }) => {
    try {
      const outcome = await signInWithPassword({ email: email.trim(), password })
      if (outcome === 'signed-in') return enter(props.next)
      await navigate({ to: '/app/two-factor', search: { next: props.next } })
    } catch (caught) {
      if (!isUnconfirmed(caught)) throw plain(caught)
      props.onUnconfirmed(email.trim())
    }
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <div>
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <Group justify="flex-end" mt={6}>
            <PageLink to="/app/forgot-password" size="sm">
              Forgot your password?
            </PageLink>
          </Group>
        </div>
        <FormError error={error} />
        <Button type="submit" loading={busy} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  )
}

function isUnconfirmed(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'EMAIL_NOT_VERIFIED'
}

/** The library's sentence does not say what to do next. */
function plain(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 401) return error
  return new ApiError({
    status: 401,
    code: error.code,
    message: 'This e-mail address and password do not go together. Check both, or reset your password.',
  })
}
