import { Anchor, Stack, Text } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ORGANIZATION_AUDIT_KINDS, SERVICE_AUDIT_KINDS } from '../../../../src/shared/audit-kinds.ts'
import type { AuditView } from '../../../../src/shared/contract/audit.ts'
import { now } from '../../api/now.ts'
import { type AuditSearch, auditCsvUrl, getAudit, getServiceAudit, serviceAuditCsvUrl } from '../../api/queries.ts'
import { useDocsUrl, useMay, useOrganization } from '../../api/session.ts'
import { DownloadLink } from '../../components/DownloadLink.tsx'
import { formatCount } from '../../components/format.ts'
import { IconHistory, IconLock } from '../../components/icons.tsx'
import { ButtonLink } from '../../components/links.tsx'
import { MoreButton } from '../../components/MoreButton.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx'
import { useSearchParams } from '../../components/use-search-params.ts'
import { AuditFilters } from './AuditFilters.tsx'
import { AuditLogTable } from './AuditLogTable.tsx'
import { type AuditAddress, auditFilter, isFiltered } from './audit-filter.ts'

const PAGE_ENTRIES = 50

/** The organization's audit log, newest first. For admins and the owner. */
export function AuditPage() {
  const org = useOrganization()
  if (!useMay('audit.read')) return <Forbidden org={org.id} name={org.name} />
  return (
    <Log org={org.id} kinds={ORGANIZATION_AUDIT_KINDS}>
      Sign-ins, accounts, invitations, roles and keys: who did what, and when. Entries are never changed
    </Log>
  )
}

/** The log of the service, newest first. For operators. */
export function ServiceAuditPage() {
  return (
    <Log kinds={SERVICE_AUDIT_KINDS}>
      Sign-ins, and changes to accounts, operators and organizations: who did what, and when. Entries are never changed
    </Log>
  )
}

interface LogProps {
  /** Without it, the log of the service. */
  readonly org?: string
  readonly kinds: readonly AuditView['kind'][]
  readonly children: string
}

function Log({ org, kinds, children }: LogProps) {
  const logPage = useDocsUrl('audit')
  const [address, change] = useSearchParams()
  const filter = useFilter(address)
  const log = useAuditPages(org, filter)
  const entries = log.data?.pages.flat() ?? []
  return (
    <>
      <PageHeader
        title={org === undefined ? 'Service log' : 'Audit log'}
        actions={
          <DownloadLink href={org === undefined ? serviceAuditCsvUrl(filter) : auditCsvUrl(org, filter)}>
            Export CSV
          </DownloadLink>
        }
      >
        {children} (
        <Anchor href={logPage} inherit underline="always">
          what's recorded
        </Anchor>
        ).
      </PageHeader>
      <Stack gap="md">
        <AuditFilters address={address} change={change} kinds={kinds} />
        {log.isPending && <LoadingRows rows={8} height={40} />}
        {log.isError && !log.data && (
          <ErrorState error={log.error} onRetry={log.refetch} title="The audit log could not be loaded" />
        )}
        {log.data && entries.length === 0 && <NothingFound filtered={isFiltered(address)} />}
        {entries.length > 0 && <AuditLogTable org={org} entries={entries} caption="Audit log" />}
        {entries.length > 0 && !log.hasNextPage && <AllShown count={entries.length} />}
        <MoreButton query={log}>Show older entries</MoreButton>
      </Stack>
    </>
  )
}

/** "Last 7 days" counts from when it was chosen, so that later pages use the same range. */
function useFilter({ kind, actor, subject, signIns, time, from, to }: AuditAddress) {
  return useMemo(
    () => auditFilter({ kind, actor, subject, signIns, time, from, to }, now()),
    [kind, actor, subject, signIns, time, from, to],
  )
}

function useAuditPages(org: string | undefined, filter: AuditSearch) {
  return useInfiniteQuery({
    queryKey: org === undefined ? ['operator', 'audit', filter] : ['organizations', org, 'audit', 'pages', filter],
    queryFn: ({ pageParam, signal }) => {
      const page = { ...filter, beforeId: pageParam, limit: PAGE_ENTRIES }
      return org === undefined ? getServiceAudit(page, signal) : getAudit(org, page, signal)
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.length < PAGE_ENTRIES ? undefined : last.at(-1)?.id),
    placeholderData: keepPreviousData,
    // Any page may have added entries since the last visit.
    staleTime: 0,
  })
}

function AllShown({ count }: { count: number }) {
  return (
    <Text size="sm" c="dimmed" ta="center" role="status">
      {count === 1 ? "That's the only entry." : `That's all ${formatCount(count)} entries.`}
    </Text>
  )
}

function NothingFound({ filtered }: { filtered: boolean }) {
  return (
    <EmptyState icon={<IconHistory aria-hidden />} title={filtered ? 'No matching entries' : 'No entries yet'}>
      {filtered
        ? 'Choose another event or person, or a longer time range.'
        : 'Sign-ins, invitations, role changes and key changes appear here.'}
    </EmptyState>
  )
}

function Forbidden({ org, name }: { org: string; name: string }) {
  return (
    <>
      <PageHeader title="Audit log" />
      <EmptyState
        icon={<IconLock aria-hidden />}
        title="The audit log is available to admins"
        action={
          <ButtonLink to="/app/o/$org/members" params={{ org }}>
            See who is an admin
          </ButtonLink>
        }
      >
        You're a member of <bdi>{name}</bdi>. Ask the owner or an admin to look something up, or to make you an admin.
      </EmptyState>
    </>
  )
}
