import { Badge, Button, Group, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useMe, useOptions } from '../../api/session.ts'
import { notifyError, notifySuccess } from '../../components/notify.ts'
import { Section } from '../../components/Section.tsx'
import { FormError } from '../../components/states.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { rules } from '../../components/validation.ts'

/** The address that the visitor signs in with; whether it is confirmed; and a way to change it. */
export function EmailSection() {
  const me = useMe()
  const { mail } = useOptions()
  return (
    <Section
      title="E-mail"
      description={
        mail
          ? 'You sign in with it. A new address counts once you open the link that we mail to it.'
          : 'You sign in with it. This service sends no mail, so a change counts at once: check it twice.'
      }
    >
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {me.email}
          </Text>
          {me.emailConfirmed ? (
            <Badge variant="light">Confirmed</Badge>
          ) : (
            <Badge variant="light" color="gray">
              Not confirmed
            </Badge>
          )}
        </Group>
        {mail && !me.emailConfirmed && <ConfirmButton email={me.email} />}
      </Group>
      <ChangeForm mail={mail} />
    </Section>
  )
}

function ConfirmButton({ email }: { email: string }) {
  const send = useMutation({
    mutationFn: () => api.post('/auth/send-verification-email', { email }),
    onSuccess: () => notifySuccess('A link to confirm your address is on its way.'),
    onError: notifyError,
  })
  return (
    <Button size="xs" variant="default" loading={send.isPending} onClick={() => send.mutate()}>
      Send a link to confirm it
    </Button>
  )
}

function ChangeForm({ mail }: { mail: boolean }) {
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: { newEmail: '' }, validate: { newEmail: rules.email } })
  const { formProps, busy, error } = useSubmit(form, async (values) => {
    const newEmail = values.newEmail.trim()
    await api.post('/auth/change-email', { newEmail })
    await queryClient.invalidateQueries({ queryKey: ['me'] })
    form.reset()
    notifySuccess(mail ? `Open the link that we mailed to ${newEmail}.` : `Your address is now ${newEmail}.`)
  })
  return (
    <form {...formProps}>
      <Group align="flex-end" gap="sm">
        <TextInput
          label="New e-mail"
          type="email"
          autoComplete="email"
          required
          flex="1 1 240px"
          {...form.getInputProps('newEmail')}
        />
        <Button type="submit" variant="default" loading={busy}>
          Change
        </Button>
      </Group>
      <FormError error={error} />
    </form>
  )
}

/** The visitor's name, as others in their organizations see it. */
export function NameSection() {
  const me = useMe()
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: { name: me.name }, validate: { name: rules.name('your name') } })
  const { formProps, busy, error } = useSubmit(form, async ({ name }) => {
    await api.post('/auth/update-user', { name: name.trim() })
    await queryClient.invalidateQueries({ queryKey: ['me'] })
    notifySuccess('Your name is changed.')
  })
  return (
    <Section title="Name" description="As members of your organizations see you.">
      <form {...formProps}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label="Name"
            autoComplete="name"
            required
            flex="1 1 240px"
            {...form.getInputProps('name')}
          />
          <Button
            type="submit"
            variant="default"
            loading={busy}
            disabled={form.values.name.trim() === me.name}
          >
            Save
          </Button>
        </Group>
        <FormError error={error} />
      </form>
    </Section>
  )
}
