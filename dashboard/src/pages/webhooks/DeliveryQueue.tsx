import type { DeliveryQueueView } from '../../../../src/shared/contract/subscriptions.ts'
import { formatCount } from '../../components/format.ts'
import { Statistics } from '../../components/Statistics.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'

/** The deliveries of all subscriptions of an organization: waiting, and failed. */
export function DeliveryQueue({ queue }: { queue: DeliveryQueueView }) {
  const { queued, failed, oldestQueuedAtMs: oldest } = queue
  return (
    <Statistics
      items={[
        { name: 'Queued', value: formatCount(queued), note: 'deliveries to send or repeat' },
        {
          name: 'Oldest',
          value: oldest === undefined ? 'None' : <Timestamp at={oldest} as="ago" />,
          note: 'queued delivery',
        },
        { name: 'Failed', value: formatCount(failed), note: 'in the last 7 days' },
      ]}
    />
  )
}
