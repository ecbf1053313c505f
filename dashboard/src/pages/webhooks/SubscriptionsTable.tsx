import { Stack, Text } from '@mantine/core'
import type { SubscriptionView } from '../../../../src/shared/contract/subscriptions.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { Faint } from '../../components/Faint.tsx'
import { formatCount } from '../../components/format.ts'
import { PageLink } from '../../components/links.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import classes from '../keys/keys.module.css'
import { FilterList } from './FilterList.tsx'
import { SubscriptionBadges } from './SubscriptionBadges.tsx'
import { SubscriptionMenu } from './SubscriptionMenu.tsx'
import type { SubscriptionDialogs } from './subscription-dialogs.tsx'
import { heldBackTotal, hostOf } from './subscription-labels.ts'

interface TableProps {
  readonly org: string
  readonly subscriptions: readonly SubscriptionView[]
  readonly dialogs: SubscriptionDialogs
}

/** Subscriptions as a table; those that send nothing are grayed out. */
export function SubscriptionsTable(props: TableProps) {
  return (
    <DataTable
      caption="Subscriptions"
      columns={columnsOf(props)}
      rows={props.subscriptions}
      rowKey={({ id }) => id}
      isDimmed={({ status }) => status === 'paused' || status === 'disabled'}
    />
  )
}

function columnsOf({ org, dialogs }: TableProps): TableColumn<SubscriptionView>[] {
  return [
    {
      key: 'receiver',
      header: 'Receiver',
      isRowHeader: true,
      width: '24%',
      render: (subscription) => <Receiver org={org} subscription={subscription} />,
    },
    {
      key: 'filters',
      header: 'Filters',
      width: '30%',
      render: ({ filters }) => <FilterList filters={filters} />,
    },
    {
      key: 'status',
      header: 'Status',
      render: (subscription) => <SubscriptionBadges subscription={subscription} />,
    },
    {
      key: 'delivered',
      header: 'Last delivery',
      render: ({ lastDeliveredAtMs: at }) => (at === undefined ? <Faint>Never</Faint> : <Timestamp at={at} as="ago" />),
    },
    {
      key: 'held',
      header: 'Held back',
      align: 'end',
      render: (subscription) => formatCount(heldBackTotal(subscription)),
    },
    {
      key: 'actions',
      header: 'Actions',
      quiet: true,
      corner: true,
      width: '56px',
      render: (subscription) => (
        <div className={classes.actions}>
          <SubscriptionMenu org={org} subscription={subscription} dialogs={dialogs} />
        </div>
      ),
    },
  ]
}

function Receiver({ org, subscription }: { org: string; subscription: SubscriptionView }) {
  const { id, url, description } = subscription
  return (
    <Stack gap={4} align="flex-start">
      <PageLink
        to="/app/o/$org/webhooks/$subscription"
        params={{ org, subscription: id }}
        size="sm"
        fw={600}
        style={{ overflowWrap: 'anywhere' }}
      >
        {hostOf(url)}
      </PageLink>
      {description && (
        <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{description}</bdi>
        </Text>
      )}
    </Stack>
  )
}
