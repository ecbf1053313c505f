import { useForm } from '@mantine/form'
import { callAuth } from '../api/better-auth.ts'
import { useSubmit } from './use-submit.ts'
import { rules } from './validation.ts'

/** A form for the code of the authenticator app of a signed-in user. */
export function useTotpForm(onVerified: () => void) {
  const form = useForm({ initialValues: { code: '' }, validate: { code: rules.oneTimeCode } })
  const submit = useSubmit(form, async ({ code }) => {
    await callAuth('POST /two-factor/verify-totp', { body: { code: code.replaceAll(' ', '') } })
    onVerified()
  })
  return { form, ...submit }
}
