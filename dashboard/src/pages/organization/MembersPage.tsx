import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconUserPlus } from '@tabler/icons-react'
import { useMay, useOrganization } from '../../api/session.ts'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { Invitations } from './Invitations.tsx'
import { InviteDialog } from './InviteDialog.tsx'
import { MembersTable } from './MembersTable.tsx'

/** Who belongs to the organization, and who is invited. */
export function MembersPage() {
  const organization = useOrganization()
  const mayInvite = useMay('invitations.create')
  const maySeeInvitations = useMay('invitations.read')
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <PageHeader
        title="Members"
        actions={
          mayInvite && (
            <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={open}>
              Invite
            </Button>
          )
        }
      >
        Who belongs to {organization.name}, and what each may do.
      </PageHeader>
      <MembersTable />
      {maySeeInvitations && <Invitations onInvite={open} />}
      {opened && <InviteDialog onClose={close} />}
    </>
  )
}
