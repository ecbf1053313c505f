import { Button, Group, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { useMay, useOrganization } from '../../api/session.ts'
import { CopyField } from '../../components/CopyButton.tsx'
import { notifySuccess } from '../../components/notify.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { FormError } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { rules } from '../../components/validation.ts'
import { DeleteOrganization, LeaveOrganization } from './DangerZone.tsx'
import { ROLE_PHRASES, whyFixed } from './roles.ts'
import { SecondFactorPolicy } from './SecondFactorPolicy.tsx'
import { TransferOrganization } from './TransferOwnership.tsx'

/** The organization's settings: name, ownership, leave, delete. */
export function SettingsPage() {
  const organization = useOrganization()
  const mayRename = useMay('organization.rename')
  const mayTransfer = useMay('organization.transfer')
  const mayDelete = useMay('organization.delete')
  return (
    <>
      <PageHeader title="Settings">
        <bdi>{organization.name}</bdi> was created on <Timestamp at={organization.createdAtMs} as="date" />. You're{' '}
        {ROLE_PHRASES[organization.role]}.
      </PageHeader>
      <Section
        title="Name"
        description={
          mayRename
            ? 'Shown to members and in invitations.'
            : whyFixed(organization, 'Only admins and the owner can change it.')
        }
      >
        {mayRename ? <RenameForm /> : <Text size="sm">{organization.name}</Text>}
        <div>
          <Text size="sm" fw={500} mb={4}>
            ID
          </Text>
          <CopyField label="Organization ID" value={organization.id} />
        </div>
      </Section>
      <SecondFactorPolicy />
      {mayTransfer && <TransferOrganization />}
      {organization.role !== 'owner' && <LeaveOrganization />}
      {mayDelete && <DeleteOrganization />}
    </>
  )
}

function RenameForm() {
  const { id, name: currentName } = useOrganization()
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: { name: currentName },
    validate: { name: rules.name('a name for the organization') },
  })
  const { formProps, busy, error } = useSubmit(form, async ({ name }) => {
    await call('PATCH /api/organizations/:org', { params: { org: id }, body: { name: name.trim() } })
    await queryClient.invalidateQueries({ queryKey: ['me'] })
    notifySuccess('Organization renamed.')
  })
  return (
    <form {...formProps}>
      <Group align="flex-end" gap="sm">
        <TextInput label="Name" autoComplete="organization" required flex="1 1 240px" {...form.getInputProps('name')} />
        <Button type="submit" variant="default" loading={busy} disabled={form.values.name.trim() === currentName}>
          Save
        </Button>
      </Group>
      <FormError error={error} />
    </form>
  )
}
