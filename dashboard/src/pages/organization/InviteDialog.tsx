import { Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewInvitation } from '../../../../src/shared/shapes.ts'
import { api, path } from '../../api/client.ts'
import { useOptions, useOrganization } from '../../api/session.ts'
import { CopyField } from '../../components/CopyButton.tsx'
import { FormError } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { useReturnFocus } from '../../components/use-return-focus.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { rules } from '../../components/validation.ts'
import { ROLE_MEANINGS, ROLE_NAMES } from './roles.ts'

/** Invites somebody, by mail or with a link to pass on. The link is shown this once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { name } = useOrganization()
  useReturnFocus()
  const [made, setMade] = useState<NewInvitation>()
  return (
    <Modal
      opened
      onClose={onClose}
      title={made ? 'The invitation is ready' : `Invite to ${name}`}
      closeOnClickOutside={!made}
    >
      {made ? <Made made={made} onClose={onClose} /> : <InviteForm onMade={setMade} />}
    </Modal>
  )
}

function InviteForm({ onMade }: { onMade: (made: NewInvitation) => void }) {
  const { id } = useOrganization()
  const { mail } = useOptions()
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: { email: '', role: 'member' },
    validate: { email: (value) => (value.trim() ? rules.email(value) : null) },
  })
  const { formProps, busy, error } = useSubmit(form, async (values) => {
    const email = values.email.trim()
    const made = await api.post<NewInvitation>(path`/organizations/${id}/invitations`, {
      role: values.role,
      ...(email && { email }),
    })
    await queryClient.invalidateQueries({ queryKey: ['organizations', id, 'invitations'] })
    onMade(made)
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <TextInput
          label="E-mail (optional)"
          description={
            mail
              ? 'The link is mailed there, and works for that address alone. Leave it empty for a link that you pass on yourself.'
              : 'The link then works for that address alone. You pass it on yourself: this service sends no mail.'
          }
          type="email"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('email')}
        />
        <Radio.Group label="Role" {...form.getInputProps('role')}>
          <Stack gap="xs" mt={6}>
            {(['member', 'admin'] as const).map((role) => (
              <Radio key={role} value={role} label={ROLE_NAMES[role]} description={ROLE_MEANINGS[role]} />
            ))}
          </Stack>
        </Radio.Group>
        <FormError error={error} />
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {mail && form.values.email.trim() ? 'Send invitation' : 'Make a link'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Made({ made, onClose }: { made: NewInvitation; onClose: () => void }) {
  const { email, expiresAtMs } = made.invitation
  return (
    <Stack gap="md">
      <Text size="sm" component="div">
        {made.mailed && email ? (
          <>
            It was mailed to <b>{email}</b>. You can also pass the link on yourself.
          </>
        ) : (
          <>Pass this link on, by chat or mail{email && ` to ${email}`}. It is shown only now.</>
        )}{' '}
        It works once and ends <Timestamp at={expiresAtMs} as="ago" />.
      </Text>
      <CopyField label="Invitation link" value={made.link} />
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  )
}
