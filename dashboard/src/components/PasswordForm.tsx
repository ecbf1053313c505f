import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { FormButtons } from './FormButtons.tsx'
import { FormError } from './states.tsx'
import { useSubmit } from './use-submit.ts'
import { rules } from './validation.ts'

/** Asks signed-in users for their password. */
export function PasswordForm(props: {
  label: string
  send: (password: string) => Promise<void>
  lead?: string
  danger?: boolean
  /** One button, as wide as the form: the dialog has its own below. */
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
        {props.fullWidth ? (
          <>
            <FormError error={error} />
            <Button type="submit" loading={busy} fullWidth>
              {props.label}
            </Button>
          </>
        ) : (
          <FormButtons busy={busy} error={error} {...(props.danger && { color: 'red' })}>
            {props.label}
          </FormButtons>
        )}
      </Stack>
    </form>
  )
}
