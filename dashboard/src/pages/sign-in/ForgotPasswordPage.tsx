import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { callAuth } from '../../api/better-auth.ts'
import { useOptions } from '../../api/session.ts'
import { CodeBlock } from '../../components/CodeTabs.tsx'
import { PageLink } from '../../components/links.tsx'
import { OperatorContact } from '../../components/operator.tsx'
import { FormError } from '../../components/states.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { rules } from '../../components/validation.ts'
import { AuthCard } from './AuthCard.tsx'

/** Requests a link to choose a new password, by email or from the operator. */
export function ForgotPasswordPage() {
  const { mail } = useOptions()
  const [sentTo, setSentTo] = useState<string>()
  const below = <PageLink to="/app/sign-in">Back to sign-in</PageLink>
  if (!mail) {
    return (
      <AuthCard
        title="Forgot your password?"
        lead={
          <>
            This service doesn't send email. Ask <OperatorContact /> for a reset link. It works once, within an hour.
          </>
        }
        below={below}
      >
        <Text size="sm">They can create one on the Accounts page, or with</Text>
        <CodeBlock code="bin/slots account reset-link you@example.org" label="command" />
      </AuthCard>
    )
  }
  if (sentTo) {
    return (
      <AuthCard
        title="Check your email"
        lead={
          <>
            If <b>{sentTo}</b> has an account, we sent it a link to choose a new password. The link expires in an hour.
          </>
        }
        below={below}
      />
    )
  }
  return (
    <AuthCard
      title="Forgot your password?"
      lead="Enter your email and we'll send you a link to choose a new password."
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
    await callAuth('POST /request-password-reset', { body: { email } })
    onSent(email)
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <TextInput label="Email" type="email" autoComplete="username" required {...form.getInputProps('email')} />
        <FormError error={error} />
        <Button type="submit" loading={busy}>
          Send reset link
        </Button>
      </Stack>
    </form>
  )
}
