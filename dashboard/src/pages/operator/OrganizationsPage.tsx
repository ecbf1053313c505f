import { Group, NativeSelect, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { OperatedOrganization, OrganizationOrder } from '../../../../src/shared/contract/operated-organizations.ts'
import { operatedOrganizationsQuery } from '../../api/operator-queries.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { formatCount } from '../../components/format.ts'
import { IconBuilding } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { TablePagination } from '../../components/Pagination.tsx'
import { pageOf } from '../../components/page-number.ts'
import { SearchField } from '../../components/SearchField.tsx'
import { SuspendedBadge } from '../../components/SuspensionNotice.tsx'
import { EmptyState, ErrorState, LoadingRows, NothingFound, Refreshing } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { ListPage } from './ListPage.tsx'

const PAGE = 25

/** All organizations and their usage. Search, order and page are in the URL. */
export function OrganizationsPage() {
  const { search, order, page, go } = useListState()
  const filter = { ...(search && { search }), order, limit: PAGE, offset: (page - 1) * PAGE }
  const organizations = useQuery(operatedOrganizationsQuery(filter))
  const { data } = organizations
  const isNone = data?.total === 0 && search === ''
  const find = (text: string) => go({ search: text, page: 1 })
  return (
    <>
      <PageHeader title="Organizations">Organizations and their usage.</PageHeader>
      {!isNone && (
        <Group mb="md" gap="sm">
          <SearchField label="Search by name" wanted={search} onSettle={find} />
          <NativeSelect
            aria-label="Sort by"
            value={order}
            onChange={(event) => go({ order: orderOf(event.currentTarget.value), page: 1 })}
            data={ORDERS}
          />
        </Group>
      )}
      {organizations.isPending && <LoadingRows rows={8} height={44} />}
      {organizations.isError && <ErrorState error={organizations.error} onRetry={() => organizations.refetch()} />}
      {isNone && (
        <EmptyState icon={<IconBuilding aria-hidden />} title="No organizations yet">
          People create one when they sign up.
        </EmptyState>
      )}
      {data?.total === 0 && !isNone && <NothingFound search={search} onClear={() => find('')} />}
      {data !== undefined && data.total > 0 && (
        <Refreshing isOutdated={organizations.isPlaceholderData}>
          <Text size="sm" c="dimmed" mb="sm" role="status">
            {data.total === 1 ? '1 organization' : `${formatCount(data.total)} organizations`}
          </Text>
          <ListPage isPastLast={data.organizations.length === 0} onFirst={() => go({ page: 1 })}>
            <DataTable caption="Organizations" columns={COLUMNS} rows={data.organizations} rowKey={({ id }) => id} />
            <TablePagination
              label="Organization pages"
              page={page}
              size={PAGE}
              total={data.total}
              offset={data.offset}
              onPage={(next) => go({ page: next })}
            />
          </ListPage>
        </Refreshing>
      )}
    </>
  )
}

const ORDERS: readonly { value: OrganizationOrder; label: string }[] = [
  { value: 'requests', label: 'Most requests first' },
  { value: 'newest', label: 'Newest first' },
  { value: 'name', label: 'By name' },
]

function orderOf(text: unknown): OrganizationOrder {
  return ORDERS.find(({ value }) => value === text)?.value ?? 'requests'
}

interface ListState {
  readonly search: string
  readonly order: OrganizationOrder
  readonly page: number
}

function useListState(): ListState & { go: (change: Partial<ListState>) => void } {
  const given = useSearch({ strict: false }) as { search?: string; order?: string; page?: string }
  const navigate = useNavigate()
  const state = { search: given.search ?? '', order: orderOf(given.order), page: pageOf(given.page) }
  const go = (change: Partial<ListState>) => {
    const { search, order, page } = { ...state, ...change }
    void navigate({
      to: '/app/operator/organizations',
      search: {
        ...(search && { search }),
        ...(order !== 'requests' && { order }),
        ...(page > 1 && { page: String(page) }),
      } as never,
      resetScroll: false,
    })
  }
  return { ...state, go }
}

const COLUMNS: readonly TableColumn<OperatedOrganization>[] = [
  {
    key: 'name',
    header: 'Organization',
    isRowHeader: true,
    render: ({ id, name, suspension }) => (
      <Group gap="xs">
        <PageLink to="/app/operator/organizations/$id" params={{ id }} size="sm" fw={600}>
          <bdi>{name}</bdi>
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
