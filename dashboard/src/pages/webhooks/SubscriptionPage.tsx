import { Button, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { SubscriptionView } from '../../../../src/shared/contract/subscriptions.ts'
import { auditQuery, intervalOfPages } from '../../api/queries.ts'
import { useMay, useOrganization } from '../../api/session.ts'
import { deliveryPages, subscriptionQuery } from '../../api/subscription-queries.ts'
import { IconSend } from '../../components/icons.tsx'
import { BackLink, ButtonLink, PageLink } from '../../components/links.tsx'
import { MoreButton } from '../../components/MoreButton.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { ErrorState, LoadingRows } from '../../components/states.tsx'
import { TitledSection } from '../../components/TitledSection.tsx'
import { UnloadedPage } from '../../components/UnloadedPage.tsx'
import { useSearchParams } from '../../components/use-search-params.ts'
import { AuditLogTable } from '../audit/AuditLogTable.tsx'
import { DeliveriesTable } from './DeliveriesTable.tsx'
import { DeliveryDrawer } from './DeliveryDrawer.tsx'
import { SubscriptionBadges } from './SubscriptionBadges.tsx'
import { SubscriptionDetails } from './SubscriptionDetails.tsx'
import { SubscriptionMenu, useSubscriptionActions } from './SubscriptionMenu.tsx'
import { useSubscriptionDialogs } from './subscription-dialogs.tsx'
import { hostOf } from './subscription-labels.ts'

const REFRESH_MS = 5_000

/** One subscription: settings, deliveries, activity. */
export function SubscriptionPage() {
  const org = useOrganization().id
  const { subscription: id = '' } = useParams({ strict: false })
  const found = useQuery({ ...subscriptionQuery(org, id), refetchInterval: REFRESH_MS, retry: false })
  const above = (
    <BackLink to="/app/o/$org/webhooks" params={{ org }}>
      Webhooks
    </BackLink>
  )
  if (found.data) return <Loaded org={org} subscription={found.data} above={above} />
  const action = (
    <ButtonLink to="/app/o/$org/webhooks" params={{ org }}>
      View webhooks
    </ButtonLink>
  )
  return (
    <UnloadedPage query={found} title="Subscription" above={above} action={action}>
      It was deleted, or belongs to another of your organizations.
    </UnloadedPage>
  )
}

function Loaded({ org, subscription, above }: { org: string; subscription: SubscriptionView; above: ReactNode }) {
  const mayEdit = useMay('subscriptions.edit')
  const mayAudit = useMay('audit.read')
  const navigate = useNavigate()
  const actions = useSubscriptionActions(org, subscription)
  const dialogs = useSubscriptionDialogs({
    org,
    onDeleted: () => void navigate({ to: '/app/o/$org/webhooks', params: { org } }),
  })
  return (
    <>
      <PageHeader
        title={hostOf(subscription.url)}
        above={above}
        beside={<SubscriptionBadges subscription={subscription} />}
        actions={
          <>
            {mayEdit && actions.send && (
              <Button variant="default" leftSection={<IconSend size={16} aria-hidden />} onClick={actions.send.run}>
                {actions.send.label}
              </Button>
            )}
            <SubscriptionMenu org={org} subscription={subscription} dialogs={dialogs} />
          </>
        }
      >
        {subscription.description && <bdi>{subscription.description}</bdi>}
      </PageHeader>
      <Stack gap="xl">
        <SubscriptionDetails subscription={subscription} />
        <Deliveries org={org} subscription={subscription.id} />
        {mayAudit && <Activity org={org} subscription={subscription.id} />}
      </Stack>
      {dialogs.element}
    </>
  )
}

/** The delivery that is open is in the URL: `?delivery=evt_…`. */
function Deliveries({ org, subscription }: { org: string; subscription: string }) {
  const list = useInfiniteQuery({ ...deliveryPages(org, subscription), refetchInterval: intervalOfPages(REFRESH_MS) })
  const [{ delivery }, change] = useSearchParams()
  const rows = list.data ?? []
  return (
    <TitledSection title="Deliveries">
      {list.isPending && <LoadingRows rows={4} height={40} />}
      {list.isError && !list.data && <ErrorState error={list.error} onRetry={list.refetch} />}
      {list.data && rows.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing was sent in the last 7 days.
        </Text>
      )}
      {rows.length > 0 && <DeliveriesTable deliveries={rows} onOpen={(id) => change({ delivery: id })} />}
      <MoreButton query={list}>Show older deliveries</MoreButton>
      <DeliveryDrawer
        org={org}
        subscription={subscription}
        delivery={delivery}
        onClose={() => change({ delivery: undefined })}
      />
    </TitledSection>
  )
}

const SHOWN_MAX = 10

/** A subscription's entries in the audit log. Requires `audit.read`. */
function Activity({ org, subscription }: { org: string; subscription: string }) {
  const log = useQuery(auditQuery(org, { subject: subscription, limit: SHOWN_MAX }))
  if (!log.data || log.data.length === 0) return null
  return (
    <TitledSection
      title="Activity"
      beside={
        <PageLink to="/app/o/$org/audit" params={{ org }} search={{ subject: subscription } as never} size="sm">
          Open in the audit log
        </PageLink>
      }
    >
      <AuditLogTable org={org} entries={log.data} caption="Activity of this subscription" />
    </TitledSection>
  )
}
