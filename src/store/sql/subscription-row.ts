import type { Kysely, Updateable } from 'kysely'
import { defined } from '../../lib/optional.ts'
import type { AuditDetail } from '../contracts/audit.ts'
import type {
  Subscription,
  SubscriptionDelivery,
  SubscriptionEdit,
  SubscriptionId,
} from '../contracts/subscriptions.ts'
import { advance, readCounters } from './counters.ts'
import { fromRow } from './row-mapping.ts'
import type { Schema, SubscriptionEventRow, SubscriptionRow } from './schema.ts'

/** A subscription of a row, without its secrets. */
export function subscriptionOf(row: SubscriptionRow): Subscription {
  const { secret, previousSecret, deletedAtMs, revision, verified, ...rest } = fromRow(row)
  return {
    ...rest,
    filters: JSON.parse(rest.filters),
    events: JSON.parse(rest.events),
    heldBack: JSON.parse(rest.heldBack),
    isVerified: verified === 1,
  }
}

/** An event, when its queue is due, and the status of its subscription. */
type ListedEventRow = SubscriptionEventRow & {
  readonly due_at_ms: number | null
  readonly subscription_status: SubscriptionRow['status']
}

/** A delivery of a row. Slots of a paused or disabled subscription wait until it is resumed. */
export function deliveryOf({ due_at_ms, subscription_status, ...row }: ListedEventRow): SubscriptionDelivery {
  const { subscriptionId, organizationId, challenge, requestedAtMs, ids, ...rest } = fromRow(row)
  const isResting = subscription_status === 'paused' || subscription_status === 'disabled'
  const isDue = due_at_ms !== null && row.status === 'queued' && !(isResting && row.type.startsWith('slots.'))
  return { ...rest, ids: JSON.parse(ids), ...(isDue && { nextAttemptAtMs: due_at_ms }) }
}

/** The subscriptions that are not deleted. */
export function selectSubscriptions(queries: Kysely<Schema>) {
  return queries.selectFrom('subscriptions').where('deleted_at_ms', 'is', null)
}

/** Without an organization, that of any. */
export function findSubscription(
  queries: Kysely<Schema>,
  { id, organizationId }: Pick<SubscriptionId, 'id'> & Partial<SubscriptionId>,
): Promise<SubscriptionRow | undefined> {
  const query = selectSubscriptions(queries).selectAll().where('id', '=', id)
  return (organizationId === undefined ? query : query.where('organization_id', '=', organizationId)).executeTakeFirst()
}

/** Changes a row and gives it a new revision, by which the matcher notices. */
export async function updateSubscription(
  queries: Kysely<Schema>,
  id: string,
  changes: Updateable<SubscriptionRow>,
): Promise<SubscriptionRow> {
  return queries
    .updateTable('subscriptions')
    .set({ ...changes, revision: await advance(queries, 'subscriptions') })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The last commit of slots. In a write transaction no other commit comes before its end, so later commits have a higher revision. */
export async function currentRevision(queries: Kysely<Schema>): Promise<number> {
  return (await readCounters(queries, ['slots'])).slots
}

/** What an edit changes in the row, except for its status, and the changed fields for the audit log. */
export function subscriptionChanges(
  row: SubscriptionRow,
  edit: SubscriptionEdit,
): { changes: Updateable<SubscriptionRow>; detail: AuditDetail } {
  const { url, description, filters, query, events, minIntervalMs, expiresAtMs } = edit
  const wanted: Updateable<SubscriptionRow> = defined({
    url,
    description,
    query,
    events: events && JSON.stringify(events),
    min_interval_ms: minIntervalMs,
    expires_at_ms: expiresAtMs,
  })
  const changes = Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => value !== row[name as keyof SubscriptionRow]),
  ) as Updateable<SubscriptionRow>
  const changed = Object.keys(changes).map((name) => FIELD_NAMES[name] ?? name)
  if (changes.query !== undefined) changes.filters = JSON.stringify(filters)
  return { changes, detail: { changed: changed.join(', ') } }
}

/** As callers know them. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  query: 'filters',
  min_interval_ms: 'minIntervalSeconds',
  expires_at_ms: 'expiresAt',
}
