import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
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
import { SingleSignOnError } from './SingleSignOnError.tsx'

/** Sign-in with a password, a passkey or the identity provider. Continues to `?next=`. */
export function SignInPage() {
  const { next, error_description, error } = useSearch({ strict: false })
  const { password, oidc, signUp } = useOptions()
  const [unverified, setUnverified] = useState<string>()
  if (unverified) return <CheckEmail email={unverified} />
  const hasAlternatives = oidc !== undefined || canUsePasskeys
  return (
    <AuthCard
      title="Sign in"
      lead="Manage your API keys, usage and organization."
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
      {error && <SingleSignOnError error={error} description={error_description} />}
      {password && <PasswordForm next={next} onUnverified={setUnverified} />}
      {password && hasAlternatives && <OrDivider />}
      <AlternativeSignIn next={next} withPasskey />
    </AuthCard>
  )
}

function PasswordForm(props: { next: string | undefined; onUnverified: (email: string) => void }) {
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
    } catch (error) {
      if (!isUnverified(error)) throw withPlainMessage(error)
      props.onUnverified(email.trim())
    }
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <TextInput
          label="Email"
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

function isUnverified(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'EMAIL_NOT_VERIFIED'
}

/** Replaces the message of better-auth. */
function withPlainMessage(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 401) return error
  return new ApiError({
    status: 401,
    code: error.code,
    message: 'Incorrect email or password.',
  })
}
