import { Badge, Button, Group, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callAuth } from '../../api/better-auth.ts'
import { useMe, useOptions } from '../../api/session.ts'
import { notifyError, notifySuccess } from '../../components/notify.ts'
import { Section } from '../../components/Section.tsx'
import { FormError } from '../../components/states.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { rules } from '../../components/validation.ts'

/** The visitor's email address: whether it is verified, and a form to change it. */
export function EmailSection() {
  const me = useMe()
  const { mail } = useOptions()
  return (
    <Section
      title="Email"
      description={
        mail
          ? 'You sign in with it. A new address takes effect once you open the link that we email to it.'
          : "You sign in with it. This service doesn't send email, so a change takes effect immediately. Double-check it."
      }
    >
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {me.email}
          </Text>
          {me.emailVerified ? (
            <Badge variant="light">Verified</Badge>
          ) : (
            <Badge variant="light" color="gray">
              Not verified
            </Badge>
          )}
        </Group>
        {mail && !me.emailVerified && <VerifyButton email={me.email} />}
      </Group>
      <ChangeForm mail={mail} />
    </Section>
  )
}

function VerifyButton({ email }: { email: string }) {
  const send = useMutation({
    mutationFn: () => callAuth('POST /send-verification-email', { body: { email } }),
    onSuccess: () => notifySuccess('We sent you a verification link.'),
    onError: notifyError,
  })
  return (
    <Button size="xs" variant="default" loading={send.isPending} onClick={() => send.mutate()}>
      Send verification link
    </Button>
  )
}

function ChangeForm({ mail }: { mail: boolean }) {
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: { newEmail: '' }, validate: { newEmail: rules.email } })
  const { formProps, busy, error } = useSubmit(form, async (values) => {
    const newEmail = values.newEmail.trim()
    await callAuth('POST /change-email', { body: { newEmail } })
    await queryClient.invalidateQueries({ queryKey: ['me'] })
    form.reset()
    notifySuccess(mail ? `Open the link that we sent to ${newEmail}.` : `Your email is now ${newEmail}.`)
  })
  return (
    <form {...formProps}>
      <Group align="flex-end" gap="sm">
        <TextInput
          label="New email"
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

/** The visitor's name. */
export function NameSection() {
  const me = useMe()
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: { name: me.name }, validate: { name: rules.name('your name') } })
  const { formProps, busy, error } = useSubmit(form, async ({ name }) => {
    await callAuth('POST /update-user', { body: { name: name.trim() } })
    await queryClient.invalidateQueries({ queryKey: ['me'] })
    notifySuccess('Name updated.')
  })
  return (
    <Section title="Name" description="Shown to members of your organizations.">
      <form {...formProps}>
        <Group align="flex-end" gap="sm">
          <TextInput label="Name" autoComplete="name" required flex="1 1 240px" {...form.getInputProps('name')} />
          <Button type="submit" variant="default" loading={busy} disabled={form.values.name.trim() === me.name}>
            Save
          </Button>
        </Group>
        <FormError error={error} />
      </form>
    </Section>
  )
}
