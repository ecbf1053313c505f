import { Anchor, Button, Checkbox, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useFinishSignIn } from '../../api/sign-in.ts'
import { PageLink } from '../../components/links.tsx'
import { FormError } from '../../components/states.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { rules } from '../../components/validation.ts'
import { AuthCard } from './AuthCard.tsx'

type Way = 'totp' | 'backup-code'

const WAYS = {
  totp: {
    lead: 'Open your authenticator app and enter the six digits that it shows for Scheduling Slots.',
    label: 'Code from the app',
    wrong: (code: string) =>
      /^\d{6}$/.test(code.replaceAll(' ', '')) ? null : 'Enter the six digits of the app',
    other: 'Use a backup code instead',
  },
  'backup-code': {
    lead: 'Enter one of the backup codes that you kept when you turned the second factor on. Each works once.',
    label: 'Backup code',
    wrong: rules.present('one of your backup codes'),
    other: 'Use the authenticator app instead',
  },
} as const

/** After a right password, for accounts with a second factor. */
export function TwoFactorPage() {
  const [way, setWay] = useState<Way>('totp')
  return (
    <AuthCard
      title="Second factor"
      lead={WAYS[way].lead}
      below={<PageLink to="/app/sign-in">Start again</PageLink>}
    >
      <CodeForm key={way} way={way} />
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={() => setWay(way === 'totp' ? 'backup-code' : 'totp')}
      >
        {WAYS[way].other}
      </Anchor>
    </AuthCard>
  )
}

function CodeForm({ way }: { way: Way }) {
  const { next } = useSearch({ strict: false })
  const enter = useFinishSignIn()
  const form = useForm({
    initialValues: { code: '', trustDevice: false },
    validate: { code: WAYS[way].wrong },
  })
  const { formProps, busy, error } = useSubmit(form, async ({ code, trustDevice }) => {
    await api.post(`/auth/two-factor/verify-${way}`, { code: code.replaceAll(' ', ''), trustDevice })
    await enter(next)
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <TextInput
          label={WAYS[way].label}
          autoComplete="one-time-code"
          inputMode={way === 'totp' ? 'numeric' : 'text'}
          required
          data-autofocus
          {...form.getInputProps('code')}
        />
        <Checkbox
          label="Do not ask again on this device for 30 days"
          {...form.getInputProps('trustDevice', { type: 'checkbox' })}
        />
        <FormError error={error} />
        <Button type="submit" loading={busy}>
          Continue
        </Button>
      </Stack>
    </form>
  )
}
