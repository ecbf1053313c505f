import { Badge, Group, Tooltip } from '@mantine/core'
import type { SubscriptionView } from '../../../../src/shared/contract/subscriptions.ts'
import { SUBSCRIPTION_STATUS_LABELS } from './subscription-labels.ts'

/** The status of a subscription, and whether its deliveries fail. */
export function SubscriptionBadges({ subscription }: { subscription: SubscriptionView }) {
  const { color, label } = SUBSCRIPTION_STATUS_LABELS[subscription.status]
  return (
    <Group gap={6}>
      <Badge variant="light" color={color} tt="none">
        {label}
      </Badge>
      {subscription.status === 'active' && subscription.failingSinceMs !== undefined && (
        <Tooltip
          label="The last delivery failed. It is repeated for three days; then the subscription is disabled."
          events={{ hover: true, focus: true, touch: true }}
        >
          <Badge variant="light" color="orange" tt="none" tabIndex={0}>
            Failing
          </Badge>
        </Tooltip>
      )}
    </Group>
  )
}
