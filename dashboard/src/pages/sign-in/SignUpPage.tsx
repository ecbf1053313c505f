import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { SignInOptions } from '../../../../src/shared/contract/me.ts'
import { pendingLink } from '../../api/pending-link.ts'
import { invitationPreviewQuery } from '../../api/queries.ts'
import { useOptions } from '../../api/session.ts'
import { signUp, useFinishSignIn } from '../../api/sign-in.ts'
import { ButtonLink, PageLink } from '../../components/links.tsx'
import { OperatorContact, TermsNote } from '../../components/operator.tsx'
import { FormError } from '../../components/states.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { rules } from '../../components/validation.ts'
import { AlternativeSignIn } from './AlternativeSignIn.tsx'
import { AuthCard, InvitationNote, OrDivider } from './AuthCard.tsx'
import { CheckEmail } from './CheckEmail.tsx'

/** Creates an account if the configuration allows it. */
export function SignUpPage() {
  const options = useOptions()
  const { next } = useSearch({ strict: false })
  const [unverified, setUnverified] = useState<string>()
  if (unverified) return <CheckEmail email={unverified} />
  if (!canSignUp(options)) return <InvitationRequired />
  return (
    <AuthCard
      title="Create your account"
      lead="API keys are free. There's nothing to install."
      below={
        <>
          Already have an account?
          <PageLink to="/app/sign-in" search={{ next }} underline="always">
            Sign in
          </PageLink>
        </>
      }
    >
      <InvitationNote />
      {options.signUp === 'domains' && !pendingLink() && (
        <Alert py="xs">Accounts are limited to email addresses at {options.domains.join(', ')}.</Alert>
      )}
      {options.oidc && <AlternativeSignIn next={next} withPasskey={false} />}
      {options.oidc && options.password && <OrDivider />}
      {options.password && <SignUpForm next={next} onUnverified={setUnverified} />}
      {!options.oidc && !options.password && (
        <Alert color="orange">
          Sign-up is disabled. Ask <OperatorContact />.
        </Alert>
      )}
      <TermsNote />
    </AuthCard>
  )
}

function canSignUp({ signUp }: SignInOptions): boolean {
  return signUp === 'open' || signUp === 'domains' || (signUp === 'invited' && pendingLink() !== undefined)
}

function InvitationRequired() {
  return (
    <AuthCard
      title="Sign-up is by invitation"
      lead={
        <>
          Ask a member of your organization or <OperatorContact /> for an invitation link, then open it to sign up.
        </>
      }
    >
      <ButtonLink to="/app/sign-in" variant="default">
        Sign in
      </ButtonLink>
    </AuthCard>
  )
}

function SignUpForm(props: { next: string | undefined; onUnverified: (email: string) => void }) {
  const enter = useFinishSignIn()
  const form = useForm({
    initialValues: { name: '', email: '', password: '' },
    validate: { name: rules.name('your name'), email: rules.email, password: rules.newPassword },
  })
  const invitedEmail = useInvitedEmail()
  // biome-ignore lint/correctness/useExhaustiveDependencies: filled in once, when it is known
  useEffect(() => {
    if (invitedEmail && !form.values.email) form.setFieldValue('email', invitedEmail)
  }, [invitedEmail])
  const { formProps, busy, error } = useSubmit(form, async ({ name, email, password }) => {
    const outcome = await signUp({ name: name.trim(), email: email.trim(), password })
    if (outcome === 'signed-in') await enter(props.next)
    else props.onUnverified(email.trim())
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <TextInput label="Name" autoComplete="name" required {...form.getInputProps('name')} />
        <TextInput label="Email" type="email" autoComplete="email" required {...form.getInputProps('email')} />
        <PasswordInput
          label="Password"
          description="At least 10 characters."
          autoComplete="new-password"
          required
          {...form.getInputProps('password')}
        />
        <FormError error={error} />
        <Button type="submit" loading={busy} fullWidth>
          Create account
        </Button>
        {!pendingLink() && (
          <Text size="xs" c="dimmed">
            Next, name your organization and create an API key.
          </Text>
        )}
      </Stack>
    </form>
  )
}

/** The email address of the pending invitation, if it has one. */
function useInvitedEmail(): string | undefined {
  const link = pendingLink()
  const token = link?.page === '/app/invitation' ? link.token : ''
  return useQuery({ ...invitationPreviewQuery(token), enabled: token !== '' }).data?.email
}
