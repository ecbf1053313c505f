import { Anchor, Button, Checkbox, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { callAuth } from '../../api/better-auth.ts'
import { useFinishSignIn } from '../../api/sign-in.ts'
import { PageLink } from '../../components/links.tsx'
import { FormError } from '../../components/states.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { rules } from '../../components/validation.ts'
import { AuthCard } from './AuthCard.tsx'

type Method = 'totp' | 'backup-code'

const METHODS = {
  totp: {
    lead: 'Enter the six-digit code from your authenticator app.',
    label: 'Code from the app',
    validate: rules.oneTimeCode,
    other: 'Use a backup code instead',
  },
  'backup-code': {
    lead: 'Enter one of the backup codes that you saved when you turned on two-factor authentication. Each works once.',
    label: 'Backup code',
    validate: rules.present('one of your backup codes'),
    other: 'Use the authenticator app instead',
  },
} as const

/** The second step of sign-in for accounts with two-factor authentication. */
export function TwoFactorPage() {
  const { next } = useSearch({ strict: false })
  const [method, setMethod] = useState<Method>('totp')
  return (
    <AuthCard
      title="Two-factor authentication"
      lead={METHODS[method].lead}
      below={
        <PageLink to="/app/sign-in" search={{ next }}>
          Start again
        </PageLink>
      }
    >
      <CodeForm key={method} method={method} next={next} />
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={() => setMethod(method === 'totp' ? 'backup-code' : 'totp')}
      >
        {METHODS[method].other}
      </Anchor>
    </AuthCard>
  )
}

function CodeForm({ method, next }: { method: Method; next: string | undefined }) {
  const enter = useFinishSignIn()
  const form = useForm({
    initialValues: { code: '', trustDevice: false },
    validate: { code: METHODS[method].validate },
  })
  const { formProps, busy, error } = useSubmit(form, async ({ code, trustDevice }) => {
    await callAuth(`POST /two-factor/verify-${method}`, { body: { code: code.replaceAll(' ', ''), trustDevice } })
    await enter(next)
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <TextInput
          label={METHODS[method].label}
          autoComplete="one-time-code"
          inputMode={method === 'totp' ? 'numeric' : 'text'}
          required
          data-autofocus
          {...form.getInputProps('code')}
        />
        <Checkbox label="Trust this device for 30 days" {...form.getInputProps('trustDevice', { type: 'checkbox' })} />
        <FormError error={error} />
        <Button type="submit" loading={busy}>
          Continue
        </Button>
      </Stack>
    </form>
  )
}
