import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { SubscriptionListFilter } from '../../../../src/shared/contract/subscriptions.ts'
import {
  SUBSCRIPTION_SORTS,
  SUBSCRIPTION_STATUSES,
  type SubscriptionSort,
} from '../../../../src/shared/subscription-vocabulary.ts'
import { intervalOfPages } from '../../api/queries.ts'
import { useDocsUrl, useMay, useOrganization } from '../../api/session.ts'
import { subscriptionPages } from '../../api/subscription-queries.ts'
import { IconPlus, IconWebhook } from '../../components/icons.tsx'
import { MoreButton } from '../../components/MoreButton.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { EmptyState, ErrorState, LoadingRows, NothingFound } from '../../components/states.tsx'
import { useSearchParams } from '../../components/use-search-params.ts'
import { DeliveryQueue } from './DeliveryQueue.tsx'
import { SubscriptionsTable } from './SubscriptionsTable.tsx'
import { useSubscriptionDialogs } from './subscription-dialogs.tsx'
import { SUBSCRIPTION_STATUS_LABELS } from './subscription-labels.ts'

/** The organization's subscriptions: saved searches that send a webhook when slots open. */
export function WebhooksPage() {
  const org = useOrganization()
  const mayCreate = useMay('subscriptions.create')
  const guide = useDocsUrl('webhooks')
  const [address, change] = useSearchParams()
  const filter = filterOf(address)
  const list = useInfiniteQuery({ ...subscriptionPages(org.id, filter), refetchInterval: intervalOfPages(15_000) })
  const navigate = useNavigate()
  const dialogs = useSubscriptionDialogs({
    org: org.id,
    onCreated: ({ id }) =>
      void navigate({ to: '/app/o/$org/webhooks/$subscription', params: { org: org.id, subscription: id } }),
  })
  const rows = list.data?.subscriptions ?? []
  const isFiltered = filter.search !== undefined || filter.status !== undefined
  const isEmpty = list.data !== undefined && rows.length === 0 && !isFiltered
  return (
    <>
      <PageHeader
        title="Webhooks"
        actions={
          mayCreate && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialogs.create}>
              Create subscription
            </Button>
          )
        }
      >
        A subscription sends a signed request to your server when slots open that match its filters.{' '}
        <Anchor href={guide} inherit underline="always">
          How webhooks work
        </Anchor>
      </PageHeader>
      {(list.data ? !isEmpty : isFiltered) && (
        <Stack gap="md" mb="md">
          {list.data && <DeliveryQueue queue={list.data.queue} />}
          <ListFilters filter={filter} change={change} />
        </Stack>
      )}
      {list.isPending && <LoadingRows rows={4} height={64} />}
      {list.isError && !list.data && (
        <ErrorState error={list.error} onRetry={list.refetch} title="Subscriptions could not be loaded" />
      )}
      {isEmpty && <NoSubscriptions onCreate={mayCreate ? dialogs.create : undefined} />}
      {list.data && !isEmpty && (
        <Stack gap="md">
          {rows.length > 0 ? (
            <SubscriptionsTable org={org.id} subscriptions={rows} dialogs={dialogs} />
          ) : filter.search === undefined ? (
            <Text size="sm">No subscriptions match this filter.</Text>
          ) : (
            <NothingFound search={filter.search} onClear={() => change({ q: undefined, status: undefined })}>
              The search looks at URLs, descriptions, filters and IDs.
            </NothingFound>
          )}
          <MoreButton query={list}>Show more subscriptions</MoreButton>
        </Stack>
      )}
      {dialogs.element}
    </>
  )
}

/** Search, status and order are in the URL: `?q=boston&status=active&sort=delivered`. */
function filterOf({ q = '', status, sort }: Readonly<Record<string, string | undefined>>): SubscriptionListFilter {
  const known = SUBSCRIPTION_STATUSES.find((one) => one === status)
  const order = SUBSCRIPTION_SORTS.find((one) => one === sort)
  return {
    ...(q !== '' && { search: q.slice(0, 200) }),
    ...(known && { status: known }),
    ...(order && { sort: order }),
  }
}

const SORT_LABELS: Readonly<Record<SubscriptionSort, string>> = {
  newest: 'Newest first',
  delivered: 'Last delivery first',
  undelivered: 'No delivery for longest first',
}

function ListFilters(props: { filter: SubscriptionListFilter; change: ReturnType<typeof useSearchParams>[1] }) {
  const { filter, change } = props
  return (
    <Group gap="sm">
      <SearchField
        label="Search subscriptions"
        wanted={filter.search ?? ''}
        onSettle={(q) => change({ q: q || undefined })}
      />
      <Select
        aria-label="Status"
        data={[
          { value: '', label: 'Any status' },
          ...SUBSCRIPTION_STATUSES.map((value) => ({ value, label: SUBSCRIPTION_STATUS_LABELS[value].label })),
        ]}
        value={filter.status ?? ''}
        onChange={(value) => change({ status: value || undefined })}
        allowDeselect={false}
      />
      <Select
        aria-label="Sort subscriptions"
        data={SUBSCRIPTION_SORTS.map((value) => ({ value, label: SORT_LABELS[value] }))}
        value={filter.sort ?? 'newest'}
        onChange={(sort) => change({ sort: sort === null || sort === 'newest' ? undefined : sort })}
        allowDeselect={false}
      />
    </Group>
  )
}

function NoSubscriptions({ onCreate }: { onCreate: (() => void) | undefined }) {
  return (
    <EmptyState
      icon={<IconWebhook aria-hidden />}
      title="Learn about slots as they open"
      action={
        onCreate && (
          <Button size="md" onClick={onCreate} leftSection={<IconPlus size={18} aria-hidden />}>
            Create your first subscription
          </Button>
        )
      }
    >
      {onCreate === undefined
        ? 'Subscriptions can be created once the organization is resumed.'
        : 'Choose filters and the URL of your server, or use “Notify me” on a search in Explore.'}
    </EmptyState>
  )
}
