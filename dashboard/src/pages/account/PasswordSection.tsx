import { Button, Checkbox, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useMe, useOptions } from '../../api/session.ts'
import { notifyError, notifySuccess } from '../../components/notify.ts'
import { Section } from '../../components/Section.tsx'
import { FormError } from '../../components/states.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { rules } from '../../components/validation.ts'

/** A new password for the present one, or a first one for whoever came by single sign-on. Nothing where passwords are not used. */
export function PasswordSection() {
  const { hasPassword } = useMe()
  const { password } = useOptions()
  if (!password) return null
  return (
    <Section title="Password" description="At least 10 characters. A passphrase of a few words is good.">
      {hasPassword ? <ChangeForm /> : <FirstPassword />}
    </Section>
  )
}

function ChangeForm() {
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '', revokeOtherSessions: true },
    validate: { currentPassword: rules.present('your present password'), newPassword: rules.newPassword },
  })
  const { formProps, busy, error } = useSubmit(form, async (values) => {
    await api.post('/auth/change-password', values)
    await queryClient.invalidateQueries({ queryKey: ['auth'] })
    form.reset()
    notifySuccess('Your password is changed.')
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <PasswordInput
          label="Present password"
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
          label="Sign out everywhere else"
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
    mutationFn: () => api.post('/auth/request-password-reset', { email }),
    onSuccess: () => notifySuccess(`A link to choose a password is on its way to ${email}.`),
    onError: notifyError,
  })
  return (
    <>
      <Text size="sm">
        Your account has no password: you sign in another way.{' '}
        {mail
          ? 'If you want one too, choose it by a link that we mail to you.'
          : 'If you want one too, ask whoever runs this service for a reset link.'}
      </Text>
      {mail && (
        <Group>
          <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
            Mail me a link
          </Button>
        </Group>
      )}
    </>
  )
}
