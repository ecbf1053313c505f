import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { FormError } from './states.tsx'
import { useSubmit } from './use-submit.ts'
import { rules } from './validation.ts'

/** Asks signed-in users for their password. */
export function PasswordForm(props: {
  label: string
  send: (password: string) => Promise<void>
  lead?: string
  danger?: boolean
  /** The button is as wide as the form. */
  fullWidth?: boolean
}) {
  const form = useForm({ initialValues: { password: '' }, validate: { password: rules.present('your password') } })
  const { formProps, busy, error } = useSubmit(form, ({ password }) => props.send(password))
  return (
    <form {...formProps}>
      <Stack gap="md">
        {props.lead && <Text size="sm">{props.lead}</Text>}
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          required
          data-autofocus
          {...form.getInputProps('password')}
        />
        <FormError error={error} />
        <Button
          type="submit"
          loading={busy}
          {...(props.fullWidth ? { fullWidth: true } : { ml: 'auto' })}
          {...(props.danger && { color: 'red' })}
        >
          {props.label}
        </Button>
      </Stack>
    </form>
  )
}
