import { Button, Group, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useMe } from '../../api/session.ts'
import { notifyDone } from '../../parts/notify.ts'
import { rules } from '../../parts/rules.ts'
import { Section } from '../../parts/Section.tsx'
import { FormError } from '../../parts/states.tsx'
import { useSubmit } from '../../parts/submit.ts'

/** The visitor's name, as others in their organizations see it. */
export function NameSection() {
  const me = useMe()
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: { name: me.name }, validate: { name: rules.name('your name') } })
  const { formProps, busy, error } = useSubmit(form, async ({ name }) => {
    await api.post('/auth/update-user', { name: name.trim() })
    await queryClient.invalidateQueries({ queryKey: ['me'] })
    notifyDone('Your name is changed.')
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
