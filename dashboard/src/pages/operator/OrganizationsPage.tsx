import { Group, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OperatedOrganization } from '../../../../src/shared/contract/operator.ts'
import { operatedOrganizationsQuery } from '../../api/queries.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { formatCount } from '../../components/format.ts'
import { IconBuilding, IconSearch } from '../../components/icons.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { TablePagination, usePagination } from '../../components/Pagination.tsx'
import { EmptyState, ErrorState, LoadingRows, NothingFound } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'

type Order = 'requests' | 'newest' | 'name'

const PAGE = 25

/** All organizations and their usage. */
export function OrganizationsPage() {
  const organizations = useQuery(operatedOrganizationsQuery)
  return (
    <>
      <PageHeader title="Organizations">{summary(organizations.data)}</PageHeader>
      {organizations.isPending && <LoadingRows rows={8} height={44} />}
      {organizations.isError && <ErrorState error={organizations.error} onRetry={() => organizations.refetch()} />}
      {organizations.data?.length === 0 && (
        <EmptyState icon={<IconBuilding aria-hidden />} title="No organizations yet">
          People create one when they sign up.
        </EmptyState>
      )}
      {organizations.data && organizations.data.length > 0 && <Found organizations={organizations.data} />}
    </>
  )
}

function Found({ organizations }: { organizations: readonly OperatedOrganization[] }) {
  const [search, setSearch] = useState('')
  const [order, setOrder] = useState<Order>('requests')
  const wanted = search.trim().toLowerCase()
  const found = organizations.filter(({ name }) => name.toLowerCase().includes(wanted))
  const pages = usePagination(found.toSorted(ORDERS[order]), PAGE)
  return (
    <>
      <Group mb="md" gap="sm">
        <TextInput
          aria-label="Search by name"
          placeholder="Search by name"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          type="search"
          w={{ base: '100%', xs: 280 }}
        />
        <NativeSelect
          aria-label="Sort by"
          value={order}
          onChange={(event) => setOrder(event.currentTarget.value as Order)}
          data={[
            { value: 'requests', label: 'Most requests first' },
            { value: 'newest', label: 'Newest first' },
            { value: 'name', label: 'By name' },
          ]}
        />
      </Group>
      {found.length === 0 ? (
        <NothingFound search={search} onClear={() => setSearch('')} />
      ) : (
        <DataTable caption="Organizations" columns={COLUMNS} rows={pages.shown} rowKey={({ id }) => id} />
      )}
      <TablePagination label="Organization pages" {...pages} />
    </>
  )
}

const ORDERS: Readonly<Record<Order, (a: OperatedOrganization, b: OperatedOrganization) => number>> = {
  requests: (a, b) => b.requests30d - a.requests30d || a.name.localeCompare(b.name),
  newest: (a, b) => b.createdAtMs - a.createdAtMs,
  name: (a, b) => a.name.localeCompare(b.name),
}

const COLUMNS: readonly TableColumn<OperatedOrganization>[] = [
  {
    key: 'name',
    header: 'Organization',
    isRowHeader: true,
    render: ({ name }) => <span style={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{name}</span>,
  },
  {
    key: 'created',
    header: 'Created',
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

function summary(organizations: readonly OperatedOrganization[] | undefined): string {
  if (organizations === undefined) return 'Organizations and their usage.'
  const requests = organizations.reduce((sum, { requests30d }) => sum + requests30d, 0)
  const count = organizations.length === 1 ? '1 organization' : `${formatCount(organizations.length)} organizations`
  return `${count} with ${formatCount(requests)} requests in 30 days.`
}
