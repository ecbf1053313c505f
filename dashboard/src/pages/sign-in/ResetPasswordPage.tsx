import { Button, PasswordInput, Stack, ThemeIcon } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { callAuth } from '../../api/better-auth.ts'
import { IconCheck } from '../../components/icons.tsx'
import { ButtonLink, PageLink } from '../../components/links.tsx'
import { FormError } from '../../components/states.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { rules } from '../../components/validation.ts'
import { AuthCard } from './AuthCard.tsx'

/** The page of a reset link: `#<token>`. Asks for a new password. */
export function ResetPasswordPage() {
  const token = useLocation({ select: ({ hash }) => hash })
  const [done, setDone] = useState(false)
  if (done) {
    return (
      <AuthCard
        title="Password changed"
        lead="You've been signed out on all devices."
        icon={
          <ThemeIcon size={44} radius="xl" variant="light" aria-hidden>
            <IconCheck size={22} />
          </ThemeIcon>
        }
      >
        <ButtonLink to="/app/sign-in">Sign in</ButtonLink>
      </AuthCard>
    )
  }
  if (!token) {
    return (
      <AuthCard title="This link is incomplete" lead="Copy the whole link from the email, or request a new one.">
        <ButtonLink to="/app/forgot-password">Request a new link</ButtonLink>
      </AuthCard>
    )
  }
  return (
    <AuthCard title="Choose a new password" lead="You'll sign in with it next.">
      <NewPasswordForm token={token} onDone={() => setDone(true)} />
    </AuthCard>
  )
}

function NewPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const form = useForm({ initialValues: { newPassword: '' }, validate: { newPassword: rules.newPassword } })
  const { formProps, busy, error } = useSubmit(form, async ({ newPassword }) => {
    await callAuth('POST /reset-password', { body: { token, newPassword } })
    onDone()
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <PasswordInput
          label="New password"
          description="At least 10 characters."
          autoComplete="new-password"
          required
          {...form.getInputProps('newPassword')}
        />
        <FormError error={error} />
        {Boolean(error) && (
          <PageLink to="/app/forgot-password" size="sm">
            Request a new link
          </PageLink>
        )}
        <Button type="submit" loading={busy}>
          Change password
        </Button>
      </Stack>
    </form>
  )
}
