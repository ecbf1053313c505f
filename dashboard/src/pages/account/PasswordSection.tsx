import { Button, Checkbox, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callAuth } from '../../api/better-auth.ts'
import { useMe, useOptions } from '../../api/session.ts'
import { notifyError, notifySuccess } from '../../components/notify.ts'
import { OperatorContact } from '../../components/operator.tsx'
import { Section } from '../../components/Section.tsx'
import { FormError } from '../../components/states.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { rules } from '../../components/validation.ts'

/** Changes the password, or sets the first one after single sign-on. Renders nothing if password sign-in is off. */
export function PasswordSection() {
  const { hasPassword } = useMe()
  const { password } = useOptions()
  if (!password) return null
  return (
    <Section title="Password" description="At least 10 characters. A passphrase of a few words works well.">
      {hasPassword ? <ChangeForm /> : <FirstPassword />}
    </Section>
  )
}

function ChangeForm() {
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '', revokeOtherSessions: true },
    validate: { currentPassword: rules.present('your current password'), newPassword: rules.newPassword },
  })
  const { formProps, busy, error } = useSubmit(form, async (values) => {
    await callAuth('POST /change-password', { body: values })
    await queryClient.invalidateQueries({ queryKey: ['auth'] })
    form.reset()
    notifySuccess('Password changed.')
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          {...form.getInputProps('currentPassword')}
        />
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          required
          {...form.getInputProps('newPassword')}
        />
        <Checkbox
          label="Sign out of all other sessions"
          {...form.getInputProps('revokeOtherSessions', { type: 'checkbox' })}
        />
        <FormError error={error} />
        <Group>
          <Button type="submit" variant="default" loading={busy}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function FirstPassword() {
  const { email } = useMe()
  const { mail } = useOptions()
  const send = useMutation({
    mutationFn: () => callAuth('POST /request-password-reset', { body: { email } }),
    onSuccess: () => notifySuccess(`We sent a link to choose a password to ${email}.`),
    onError: notifyError,
  })
  return (
    <>
      <Text size="sm">
        Your account has no password.{' '}
        {mail ? (
          'To set one, use a link that we email to you.'
        ) : (
          <>
            To set one, ask <OperatorContact /> for a reset link.
          </>
        )}
      </Text>
      {mail && (
        <Group>
          <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
            Email me a link
          </Button>
        </Group>
      )}
    </>
  )
}
