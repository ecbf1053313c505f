import { Alert, Anchor, Card, Code, Stack } from '@mantine/core'
import type { SubscriptionView } from '../../../../src/shared/contract/subscriptions.ts'
import { useDocsUrl } from '../../api/session.ts'
import { Created } from '../../components/Created.tsx'
import { Facts } from '../../components/Facts.tsx'
import { IconAlertTriangle, IconHourglass, IconInfoCircle } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import classes from '../keys/keys.module.css'
import { FilterList } from './FilterList.tsx'
import { eventLabel, heldBackWords, intervalLabel, stateOf } from './subscription-labels.ts'

/** The settings of a subscription, and why it sends nothing. */
export function SubscriptionDetails({ subscription }: { subscription: SubscriptionView }) {
  const { url, filters, events, minIntervalSeconds, expiresAtMs, lastDeliveredAtMs } = subscription
  const held = heldBackWords(subscription)
  return (
    <Stack gap="md">
      <StatusNotice subscription={subscription} />
      <Card>
        <Facts
          inColumns
          facts={[
            ['URL', <Code key="url">{url}</Code>],
            ['Filters', <Filters key="filters" filters={filters} />],
            ['Events', events.map(eventLabel).join(', ')],
            ['At most one request every', intervalLabel(minIntervalSeconds)],
            ['Created', <Created key="created" {...subscription} />],
            ['Expires', expiresAtMs === undefined ? 'Never' : <Timestamp key="end" at={expiresAtMs} as="datetime" />],
            [
              'Last delivery',
              lastDeliveredAtMs === undefined ? 'Never' : <Timestamp key="last" at={lastDeliveredAtMs} as="ago" />,
            ],
            ['Held back', held.length === 0 ? 'Nothing' : held.map((each) => <div key={each}>{each}</div>)],
          ]}
        />
      </Card>
      <SecretNotice subscription={subscription} />
    </Stack>
  )
}

function Filters({ filters }: { filters: string }) {
  return (
    <>
      <FilterList filters={filters} />
      <PageLink to="/app/explore" search={stateOf(filters) as never} size="xs">
        Open in Explore
      </PageLink>
    </>
  )
}

const REASONS: Readonly<Record<string, string>> = {
  failing: 'Deliveries failed for three days. Correct your receiver, then resume the subscription.',
  gone: 'The receiver returned 410 Gone. Resume the subscription if it should get events again.',
  unverified: 'The receiver did not confirm its address within a day. Resume the subscription to try again.',
  expired: 'The subscription has expired. Edit its expiry, then resume it.',
}

function StatusNotice({ subscription }: { subscription: SubscriptionView }) {
  const { status, statusReason = '', failingSinceMs } = subscription
  const guide = useDocsUrl('webhooks')
  if (status === 'pending')
    return (
      <Alert color="yellow" icon={<IconHourglass aria-hidden />} title="Waiting for the address to be verified">
        Your receiver must return the challenge of the event <Code>subscription.verification</Code>. Until then, nothing
        else is sent.{' '}
        <Anchor href={`${guide}#verification`} inherit c="inherit" underline="always">
          Example receivers
        </Anchor>
      </Alert>
    )
  if (status === 'disabled')
    return (
      <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="Disabled">
        {REASONS[statusReason] ?? 'Nothing is sent. Resume the subscription if it should get events again.'}
      </Alert>
    )
  if (status === 'active' && failingSinceMs !== undefined)
    return (
      <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title="Deliveries fail">
        Since <Timestamp at={failingSinceMs} as="datetime" />. They are repeated for three days; then the subscription
        is disabled.
      </Alert>
    )
  return null
}

function SecretNotice({ subscription: { previousSecretUntilMs } }: { subscription: SubscriptionView }) {
  if (previousSecretUntilMs === undefined) return null
  return (
    <div className={classes.notice} data-quiet role="note">
      <IconInfoCircle size={18} aria-hidden />
      <div>
        Requests are also signed with the previous secret until <Timestamp at={previousSecretUntilMs} as="datetime" />.
      </div>
    </div>
  )
}
