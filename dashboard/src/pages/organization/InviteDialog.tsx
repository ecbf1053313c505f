import { Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewInvitation } from '../../../../src/shared/contract/invitations.ts'
import { call } from '../../api/client.ts'
import { useOptions, useOrganization } from '../../api/session.ts'
import { CopyField } from '../../components/CopyButton.tsx'
import { FormButtons } from '../../components/FormButtons.tsx'
import { FormModal } from '../../components/FormModal.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { useReturnFocus } from '../../components/use-return-focus.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { rules } from '../../components/validation.ts'
import { OneTimeSecretBody } from '../keys/OneTimeSecret.tsx'
import { ROLE_DESCRIPTIONS, ROLE_LABELS } from './roles.ts'

/** Invites someone by email or with a link to share. The link is shown once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { name } = useOrganization()
  useReturnFocus()
  const [created, setCreated] = useState<NewInvitation>()
  if (created === undefined) {
    return (
      <FormModal opened onClose={onClose} title={`Invite to ${name}`}>
        <InviteForm onCreated={setCreated} />
      </FormModal>
    )
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title="Invitation created"
      closeOnClickOutside={false}
      closeOnEscape={created.mailed}
      withCloseButton={created.mailed}
    >
      <CreatedInvitation created={created} onClose={onClose} />
    </Modal>
  )
}

function InviteForm({ onCreated }: { onCreated: (created: NewInvitation) => void }) {
  const { id } = useOrganization()
  const { mail } = useOptions()
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: { email: '', role: 'member' as 'admin' | 'member' },
    validate: { email: (value) => (value.trim() ? rules.email(value) : null) },
  })
  const { formProps, busy, error } = useSubmit(form, async (values) => {
    const email = values.email.trim()
    const created = await call('POST /api/organizations/:org/invitations', {
      params: { org: id },
      body: {
        role: values.role,
        ...(email && { email }),
      },
    })
    await queryClient.invalidateQueries({ queryKey: ['organizations', id, 'invitations'] })
    onCreated(created)
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <TextInput
          label="Email (optional)"
          description={
            mail
              ? 'We email the link, and only this address can use it. Leave empty to get a link that you share yourself.'
              : "Only this address can use the link. Share it yourself: this service doesn't send email."
          }
          type="email"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('email')}
        />
        <Radio.Group label="Role" {...form.getInputProps('role')}>
          <Stack gap="xs" mt={6}>
            {(['member', 'admin'] as const).map((role) => (
              <Radio key={role} value={role} label={ROLE_LABELS[role]} description={ROLE_DESCRIPTIONS[role]} />
            ))}
          </Stack>
        </Radio.Group>
        <FormButtons busy={busy} error={error}>
          {mail && form.values.email.trim() ? 'Send invitation' : 'Create link'}
        </FormButtons>
      </Stack>
    </form>
  )
}

function CreatedInvitation({ created, onClose }: { created: NewInvitation; onClose: () => void }) {
  const { email, expiresAtMs } = created.invitation
  const end = (
    <>
      It works once and expires <Timestamp at={expiresAtMs} as="ago" />.
    </>
  )
  if (!created.mailed)
    return (
      <OneTimeSecretBody
        onClose={onClose}
        label="Invitation link"
        secret={created.link}
        warning={
          <>
            Share it{email && ` with ${email}`}. {end}
          </>
        }
      />
    )
  return (
    <Stack gap="md">
      <Text size="sm" component="div">
        We sent it to <b>{email}</b>. You can also share the link yourself. {end}
      </Text>
      <CopyField label="Invitation link" value={created.link} />
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  )
}
