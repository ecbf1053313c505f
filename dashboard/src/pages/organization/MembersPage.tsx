import { Avatar, Badge, Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { MemberView } from '../../../../src/shared/contract/organizations.ts'
import { call } from '../../api/client.ts'
import { memberPages } from '../../api/queries.ts'
import { useMay, useMe, useOrganization } from '../../api/session.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { Faint } from '../../components/Faint.tsx'
import { IconShield, IconUser, IconUserPlus } from '../../components/icons.tsx'
import { MoreButton } from '../../components/MoreButton.tsx'
import { initialOf, isolated } from '../../components/names.ts'
import { notifyError, notifySuccess } from '../../components/notify.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Person } from '../../components/Person.tsx'
import { PersonActions } from '../../components/PersonActions.tsx'
import { ErrorState, LoadingRows } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { Invitations } from './Invitations.tsx'
import { InviteDialog } from './InviteDialog.tsx'
import { ROLE_LABELS } from './roles.ts'

/** The organization's members and invitations. */
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
        The members of <bdi>{organization.name}</bdi> and their roles.
      </PageHeader>
      <MembersTable />
      {maySeeInvitations && <Invitations onInvite={open} />}
      {opened && <InviteDialog onClose={close} />}
    </>
  )
}

/** The members by role, with the actions that the visitor may take. */
function MembersTable() {
  const { id } = useOrganization()
  const members = useInfiniteQuery(memberPages(id))
  const mayManage = useMay('members.change-role')
  const maySeeSignIns = useMay('audit.read')
  if (members.isPending) return <LoadingRows rows={4} height={56} />
  if (members.data === undefined) return <ErrorState error={members.error} onRetry={() => members.refetch()} />
  return (
    <>
      <DataTable
        caption="Members"
        rows={members.data}
        rowKey={({ userId }) => userId}
        columns={[...COLUMNS, ...(maySeeSignIns ? SIGN_INS : []), ...(mayManage ? [ACTIONS] : [])]}
      />
      <MoreButton query={members}>Show more members</MoreButton>
    </>
  )
}

const COLUMNS: readonly TableColumn<MemberView>[] = [
  {
    key: 'person',
    header: 'Person',
    isRowHeader: true,
    render: ({ userId, name, email }) => (
      <Group gap="sm" wrap="nowrap">
        <Avatar size={32} radius="xl" color="teal" aria-hidden>
          {initialOf(name || email)}
        </Avatar>
        <Person userId={userId} email={email}>
          <bdi>{name}</bdi>
        </Person>
      </Group>
    ),
  },
  { key: 'role', header: 'Role', render: ({ role }) => <RoleBadge role={role} /> },
  {
    key: 'joined',
    header: 'Joined',
    isTime: true,
    render: ({ joinedAtMs }) => <Timestamp at={joinedAtMs} as="date" />,
  },
]

/** For people who may read the audit log, which has the same. */
const SIGN_INS: readonly TableColumn<MemberView>[] = [
  {
    key: 'second-factor',
    header: 'Two-factor',
    render: ({ secondFactor }) => <SecondFactor state={secondFactor} />,
  },
  {
    key: 'last-sign-in',
    header: 'Last sign-in',
    render: ({ lastSignInAtMs }) =>
      lastSignInAtMs === undefined ? <Faint>Not recorded</Faint> : <Timestamp at={lastSignInAtMs} as="ago" />,
  },
]
const ACTIONS: TableColumn<MemberView> = {
  key: 'actions',
  header: 'Actions',
  quiet: true,
  corner: true,
  align: 'end',
  render: (member) => <MemberActions member={member} />,
}

function RoleBadge({ role }: { role: MemberView['role'] }) {
  return (
    <Badge variant="light" color={role === 'member' ? 'gray' : 'teal'}>
      {ROLE_LABELS[role]}
    </Badge>
  )
}

function SecondFactor({ state }: { state: MemberView['secondFactor'] }) {
  if (state === 'not-needed') return <Faint>No password</Faint>
  return state === 'on' ? (
    'On'
  ) : (
    <Badge variant="light" color="yellow">
      Off
    </Badge>
  )
}

function MemberActions({ member }: { member: MemberView }) {
  const { id, name } = useOrganization()
  const me = useMe()
  const queryClient = useQueryClient()
  const params = { org: id, user: member.userId }
  const refetch = () => queryClient.invalidateQueries({ queryKey: ['organizations', id, 'members'] })
  const setRole = useMutation({
    mutationFn: (role: 'admin' | 'member') =>
      call('PATCH /api/organizations/:org/members/:user', { params, body: { role } }),
    onSuccess: async (_, role) => {
      await refetch()
      notifySuccess(`${isolated(member.name)} is now ${role === 'admin' ? 'an admin' : 'a member'}.`)
    },
    onError: notifyError,
  })
  if (member.role === 'owner' || member.userId === me.userId) return null
  const other = member.role === 'admin' ? 'member' : 'admin'
  const otherRole =
    other === 'admin'
      ? { label: 'Make admin', icon: <IconShield size={16} aria-hidden /> }
      : { label: 'Make member', icon: <IconUser size={16} aria-hidden /> }
  return (
    <PersonActions
      name={member.name}
      otherRole={otherRole}
      isChanging={setRole.isPending}
      onChangeRole={() => setRole.mutate(other)}
      onRemove={async () => {
        await call('DELETE /api/organizations/:org/members/:user', { params })
        await refetch()
        notifySuccess(`${isolated(member.name)} is no longer a member of ${isolated(name)}.`)
      }}
    >
      {member.email} will lose access to {name}, and their open invitations are revoked. API keys that they created stay
      active: revoke any that they may still have.
    </PersonActions>
  )
}
