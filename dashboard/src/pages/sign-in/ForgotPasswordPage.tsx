import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useOptions } from '../../api/session.ts'
import { CodeBlock } from '../../components/CodeTabs.tsx'
import { PageLink } from '../../components/links.tsx'
import { FormError } from '../../components/states.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { rules } from '../../components/validation.ts'
import { AuthCard } from './AuthCard.tsx'

/** Asks for a link to choose a new password, by mail or from the operator. */
export function ForgotPasswordPage() {
  const { mail } = useOptions()
  const [sentTo, setSentTo] = useState<string>()
  const below = <PageLink to="/app/sign-in">Back to sign-in</PageLink>
  if (!mail) {
    return (
      <AuthCard
        title="Forgot your password?"
        lead="This service does not send mail. Ask whoever runs it for a reset link; it lets you choose a new password, once, within an hour."
        below={below}
      >
        <Text size="sm">They make one on the page Accounts, or with</Text>
        <CodeBlock code="npm run slots account reset-link you@example.org" label="command" />
      </AuthCard>
    )
  }
  if (sentTo) {
    return (
      <AuthCard
        title="Check your mail"
        lead={
          <>
            If <b>{sentTo}</b> has an account here, a link to choose a new password is on its way. It is good
            for an hour.
          </>
        }
        below={below}
      />
    )
  }
  return (
    <AuthCard
      title="Forgot your password?"
      lead="Tell us your address, and we send you a link to choose a new one."
      below={below}
    >
      <RequestForm onSent={setSentTo} />
    </AuthCard>
  )
}

function RequestForm({ onSent }: { onSent: (email: string) => void }) {
  const form = useForm({ initialValues: { email: '' }, validate: { email: rules.email } })
  const { formProps, busy, error } = useSubmit(form, async (values) => {
    const email = values.email.trim()
    await api.post('/auth/request-password-reset', { email })
    onSent(email)
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          {...form.getInputProps('email')}
        />
        <FormError error={error} />
        <Button type="submit" loading={busy}>
          Send the link
        </Button>
      </Stack>
    </form>
  )
}
