import { Card, Stack } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import type { KeyView } from '../../../../src/shared/contract/keys.ts'
import type { OperatedMember, OrganizationDetails } from '../../../../src/shared/contract/operated-organizations.ts'
import {
  operatedKeyPages,
  operatedMemberPages,
  operatedOrganizationQuery,
  operatedUsageQuery,
} from '../../api/operator-queries.ts'
import { useIsOperator } from '../../api/session.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { formatCount } from '../../components/format.ts'
import { BackLink, ButtonLink, PageLink } from '../../components/links.tsx'
import { MoreButton } from '../../components/MoreButton.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Person } from '../../components/Person.tsx'
import { Statistics } from '../../components/Statistics.tsx'
import { SuspendedBadge, SuspensionNotice } from '../../components/SuspensionNotice.tsx'
import { ErrorState, LoadingRows } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { TitledSection } from '../../components/TitledSection.tsx'
import { UnloadedPage } from '../../components/UnloadedPage.tsx'
import { useQuarterHour } from '../../components/use-quarter-hour.ts'
import { KeyBadges } from '../keys/KeyBadges.tsx'
import { isActiveKey, maskedKey } from '../keys/key-labels.ts'
import { ROLE_LABELS } from '../organization/roles.ts'
import { styleByStatus } from '../usage/series-style.ts'
import { UsageOverTime } from '../usage/UsageOverTime.tsx'
import { UsageOrEmpty } from '../usage/UsageStatistics.tsx'
import { usagePeriod } from '../usage/usage-range.ts'
import { seriesByStatus } from '../usage/usage-series.ts'
import { IfOperator } from './IfOperator.tsx'
import { MakeOwner } from './MakeOwner.tsx'
import { OrganizationActions } from './OrganizationActions.tsx'

/** An organization for operators and viewers: its usage, keys without secrets, and members. */
export function OperatedOrganizationPage() {
  const { id = '' } = useParams({ strict: false })
  const organization = useQuery(operatedOrganizationQuery(id))
  const above = <BackLink to="/app/operator/organizations">Organizations</BackLink>
  if (organization.data) return <Loaded organization={organization.data} above={above} />
  const action = <ButtonLink to="/app/operator/organizations">View all organizations</ButtonLink>
  return <UnloadedPage query={organization} title="Organization" above={above} action={action} />
}

function Loaded({ organization, above }: { organization: OrganizationDetails; above: ReactNode }) {
  const { id, name, suspension, members, keys, requests30d, lastRequestAtMs, createdAtMs } = organization
  return (
    <>
      <PageHeader
        title={name}
        above={above}
        beside={suspension && <SuspendedBadge />}
        actions={
          <IfOperator>
            <OrganizationActions organization={organization} />
          </IfOperator>
        }
      >
        {id} · created <Timestamp at={createdAtMs} as="date" /> ·{' '}
        <PageLink to="/app/operator/audit" search={{ subject: id }} underline="always">
          Service log
        </PageLink>
      </PageHeader>
      {suspension && (
        <SuspensionNotice title="This organization is suspended" suspension={suspension}>
          Its keys are refused, and its members can only read, revoke keys and leave.
        </SuspensionNotice>
      )}
      <Stack gap="xl">
        <Statistics
          items={[
            { name: 'Members', value: formatCount(members) },
            { name: 'Active keys', value: formatCount(keys) },
            { name: 'Requests in 30 days', value: formatCount(requests30d) },
            {
              name: 'Last request',
              value: lastRequestAtMs === undefined ? 'Never' : <Timestamp at={lastRequestAtMs} as="ago" />,
            },
          ]}
        />
        {requests30d > 0 ? (
          <Usage id={id} />
        ) : (
          <TitledSection title="Requests" empty="No requests in the last 30 days." />
        )}
        <Keys id={id} />
        <Members organization={organization} />
      </Stack>
    </>
  )
}

function Usage({ id }: { id: string }) {
  const nowMs = useQuarterHour()
  const span = useMemo(() => usagePeriod('30d', 'day', nowMs), [nowMs])
  const usage = useQuery(operatedUsageQuery(id, { fromMs: span.fromMs, toMs: span.toMs }))
  return (
    <TitledSection title="Requests">
      <UsageOrEmpty query={usage} emptyTitle="No requests in the last 30 days" emptyText="">
        {({ hours }) => (
          <Card>
            <UsageOverTime
              span={span}
              series={styleByStatus(seriesByStatus(hours, span))}
              label="Requests by status in the last 30 days"
            />
          </Card>
        )}
      </UsageOrEmpty>
    </TitledSection>
  )
}

function Keys({ id }: { id: string }) {
  const keys = useInfiniteQuery(operatedKeyPages(id))
  return (
    <TitledSection title="API keys" empty={keys.data?.length === 0 && 'No API keys yet.'}>
      {keys.isPending && <LoadingRows rows={3} />}
      {keys.isLoadingError && <ErrorState error={keys.error} onRetry={() => keys.refetch()} />}
      {keys.data && (
        <DataTable
          caption="API keys"
          columns={KEY_COLUMNS}
          rows={keys.data}
          rowKey={(key) => key.id}
          isDimmed={(key) => !isActiveKey(key)}
        />
      )}
      <MoreButton query={keys}>Show more keys</MoreButton>
    </TitledSection>
  )
}

const KEY_COLUMNS: readonly TableColumn<KeyView>[] = [
  {
    key: 'name',
    header: 'Key',
    isRowHeader: true,
    render: ({ name }) => <bdi>{name}</bdi>,
  },
  { key: 'ends', header: 'Ends in', render: (key) => <code>{maskedKey(key)}</code> },
  { key: 'status', header: 'Status', render: (key) => <KeyBadges keyView={key} /> },
  {
    key: 'created',
    header: 'Created',
    isTime: true,
    render: ({ createdAtMs }) => <Timestamp at={createdAtMs} as="date" />,
  },
  {
    key: 'used',
    header: 'Last used',
    render: ({ lastUsedAtMs }) => (lastUsedAtMs === undefined ? 'Never' : <Timestamp at={lastUsedAtMs} as="ago" />),
  },
]

function Members({ organization }: { organization: OrganizationDetails }) {
  const members = useInfiniteQuery(operatedMemberPages(organization.id))
  const columns = useIsOperator() ? [...MEMBER_COLUMNS, actionsOf(organization)] : MEMBER_COLUMNS
  return (
    <TitledSection title="Members" empty={members.data?.length === 0 && 'No members yet.'}>
      {members.isPending && <LoadingRows rows={3} />}
      {members.isLoadingError && <ErrorState error={members.error} onRetry={() => members.refetch()} />}
      {members.data && (
        <DataTable caption="Members" columns={columns} rows={members.data} rowKey={({ userId }) => userId} />
      )}
      <MoreButton query={members}>Show more members</MoreButton>
    </TitledSection>
  )
}

const MEMBER_COLUMNS: readonly TableColumn<OperatedMember>[] = [
  {
    key: 'person',
    header: 'Person',
    isRowHeader: true,
    render: ({ userId, name, email }) => (
      <Person userId={userId} email={email}>
        <PageLink to="/app/operator/accounts/$user" params={{ user: userId }}>
          <bdi>{name}</bdi>
        </PageLink>
      </Person>
    ),
  },
  { key: 'role', header: 'Role', render: ({ role }) => ROLE_LABELS[role] },
  {
    key: 'joined',
    header: 'Joined',
    isTime: true,
    render: ({ joinedAtMs }) => <Timestamp at={joinedAtMs} as="date" />,
  },
  {
    key: 'signed-in',
    header: 'Last sign-in',
    render: ({ lastSignInAtMs }) =>
      lastSignInAtMs === undefined ? 'Unknown' : <Timestamp at={lastSignInAtMs} as="ago" />,
  },
]

function actionsOf(organization: OrganizationDetails): TableColumn<OperatedMember> {
  return {
    key: 'actions',
    header: 'Actions',
    quiet: true,
    align: 'end',
    render: (member) => member.role !== 'owner' && <MakeOwner organization={organization} member={member} />,
  }
}
