import { Group, NativeSelect, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OperatedOrganization, OrganizationOrder } from '../../../../src/shared/contract/operated-organizations.ts'
import { operatedOrganizationsQuery } from '../../api/operator-queries.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { formatCount } from '../../components/format.ts'
import { IconBuilding } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { TablePagination } from '../../components/Pagination.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { SuspendedBadge } from '../../components/SuspensionNotice.tsx'
import { EmptyState, ErrorState, LoadingRows, NothingFound } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import classes from './operator.module.css'

const PAGE = 25

/** All organizations and their usage. */
export function OrganizationsPage() {
  const [search, setSearch] = useState('')
  const [order, setOrder] = useState<OrganizationOrder>('requests')
  const [page, setPage] = useState(1)
  const filter = { ...(search && { search }), order, limit: PAGE, offset: (page - 1) * PAGE }
  const organizations = useQuery(operatedOrganizationsQuery(filter))
  const { data } = organizations
  const isNone = data?.total === 0 && search === ''
  const find = (text: string) => {
    setSearch(text)
    setPage(1)
  }
  const sort = (value: string) => {
    setOrder(value as OrganizationOrder)
    setPage(1)
  }
  return (
    <>
      <PageHeader title="Organizations">Organizations and their usage.</PageHeader>
      {organizations.isPending && <LoadingRows rows={8} height={44} />}
      {organizations.isError && <ErrorState error={organizations.error} onRetry={() => organizations.refetch()} />}
      {isNone && (
        <EmptyState icon={<IconBuilding aria-hidden />} title="No organizations yet">
          People create one when they sign up.
        </EmptyState>
      )}
      {data !== undefined && !isNone && (
        <>
          <Group mb="md" gap="sm">
            <SearchField label="Search by name" wanted={search} onSettle={find} />
            <NativeSelect
              aria-label="Sort by"
              value={order}
              onChange={(event) => sort(event.currentTarget.value)}
              data={ORDERS}
            />
          </Group>
          {data.total === 0 && <NothingFound search={search} onClear={() => find('')} />}
        </>
      )}
      {data !== undefined && data.total > 0 && (
        <div className={classes.fresh} aria-busy={organizations.isPlaceholderData}>
          <Text size="sm" c="dimmed" mb="sm" role="status">
            {data.total === 1 ? '1 organization' : `${formatCount(data.total)} organizations`}
          </Text>
          <DataTable caption="Organizations" columns={COLUMNS} rows={data.organizations} rowKey={({ id }) => id} />
          <TablePagination label="Organization pages" page={page} size={PAGE} total={data.total} onPage={setPage} />
        </div>
      )}
    </>
  )
}

const ORDERS: readonly { value: OrganizationOrder; label: string }[] = [
  { value: 'requests', label: 'Most requests first' },
  { value: 'newest', label: 'Newest first' },
  { value: 'name', label: 'By name' },
]

const COLUMNS: readonly TableColumn<OperatedOrganization>[] = [
  {
    key: 'name',
    header: 'Organization',
    isRowHeader: true,
    render: ({ id, name, suspension }) => (
      <Group gap="xs">
        <PageLink to="/app/operator/organizations/$id" params={{ id }} size="sm" fw={600}>
          <bdi style={{ overflowWrap: 'anywhere' }}>{name}</bdi>
        </PageLink>
        {suspension && <SuspendedBadge />}
      </Group>
    ),
  },
  {
    key: 'created',
    header: 'Created',
    isTime: true,
    render: ({ createdAtMs }) => <Timestamp at={createdAtMs} as="date" />,
  },
  { key: 'members', header: 'Members', align: 'end', render: ({ members }) => formatCount(members) },
  { key: 'keys', header: 'Keys', align: 'end', render: ({ keys }) => formatCount(keys) },
  {
    key: 'requests',
    header: 'Requests in 30 days',
    align: 'end',
    render: ({ requests30d }) => formatCount(requests30d),
  },
]
