import { Button, PasswordInput, Stack, ThemeIcon } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconCheck } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { ButtonLink, PageLink } from '../../parts/links.tsx'
import { rules } from '../../parts/rules.ts'
import { FormError } from '../../parts/states.tsx'
import { useSubmit } from '../../parts/submit.ts'
import { EntranceCard } from './EntranceCard.tsx'

/** Where a reset link leads: `#<token>`, and a new password. */
export function ResetPasswordPage() {
  const token = useLocation({ select: ({ hash }) => hash })
  const [done, setDone] = useState(false)
  if (done) {
    return (
      <EntranceCard
        title="Your password is changed"
        lead="Every session was ended, on other devices too."
        icon={
          <ThemeIcon size={44} radius="xl" variant="light" aria-hidden>
            <IconCheck size={22} />
          </ThemeIcon>
        }
      >
        <ButtonLink to="/app/sign-in">Sign in</ButtonLink>
      </EntranceCard>
    )
  }
  if (!token) {
    return (
      <EntranceCard title="This link is not whole" lead="Copy all of it from the mail, or ask for a new one.">
        <ButtonLink to="/app/forgot-password">Ask for a new link</ButtonLink>
      </EntranceCard>
    )
  }
  return (
    <EntranceCard title="Choose a new password" lead="Then sign in with it.">
      <NewPasswordForm token={token} onDone={() => setDone(true)} />
    </EntranceCard>
  )
}

function NewPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const form = useForm({ initialValues: { newPassword: '' }, validate: { newPassword: rules.newPassword } })
  const { formProps, busy, error } = useSubmit(form, async ({ newPassword }) => {
    await api.post('/auth/reset-password', { token, newPassword })
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
            Ask for a new link
          </PageLink>
        )}
        <Button type="submit" loading={busy}>
          Change password
        </Button>
      </Stack>
    </form>
  )
}
