import { randomInt, randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { SubscriptionEventType } from '../../shared/subscription-vocabulary.ts'
import { advance } from './counters.ts'
import type { Schema } from './schema.ts'

/** Events kept of each subscription, besides those that wait; some more until they are counted next. */
const EVENTS_MAX = 1000

/** Counting costs more than inserting, so one of 64 events is counted: at random, because the ids of a subscription may be regular. */
const COUNTED_EVERY = 64

/** An event of a subscription, before it is queued. */
interface NewEvent {
  readonly subscriptionId: string
  readonly organizationId: string
  /** Of the receiver. */
  readonly url: string
  readonly type: SubscriptionEventType
  /** The revision before its first slot, and that of its last. */
  readonly fromRevision: number
  readonly toRevision: number
  readonly total: number
  readonly ids: readonly string[]
  readonly challenge?: string | undefined
  readonly nowMs: number
}

/**
 * Queues an event, in the transaction of what caused it. It is due at once, unless an earlier event waits for its next attempt; a test
 * is due at once in any case. Returns its id.
 */
export async function queueEvent(queries: Kysely<Schema>, event: NewEvent): Promise<string> {
  const { subscriptionId, organizationId, type, nowMs } = event
  const id = `evt_${randomUUID().replaceAll('-', '')}`
  const sequence = await advance(queries, 'event_ids')
  const row = {
    id,
    sequence,
    subscription_id: subscriptionId,
    organization_id: organizationId,
    type,
    from_revision: event.fromRevision,
    to_revision: event.toRevision,
    total: event.total,
    ids: JSON.stringify(event.ids),
    challenge: event.challenge ?? null,
    created_at_ms: nowMs,
    status: 'queued' as const,
    attempts: 0,
  }
  await queries.insertInto('subscription_events').values(row).execute()
  if (randomInt(COUNTED_EVERY) === 0) await deleteOldEvents(queries, subscriptionId)
  await wakeQueue(queries, { ...event, isUrgent: type === 'subscription.test' })
  return id
}

async function deleteOldEvents(queries: Kysely<Schema>, subscriptionId: string): Promise<void> {
  const all = queries.selectFrom('subscription_events').select('sequence').where('subscription_id', '=', subscriptionId)
  await queries
    .deleteFrom('subscription_events')
    .where('subscription_id', '=', subscriptionId)
    .where('status', '<>', 'queued')
    .where('sequence', '<=', all.orderBy('sequence', 'desc').limit(1).offset(EVENTS_MAX))
    .execute()
}

/** Makes an event due now, with the same id and the first pauses, whether it has ended or waits for its next attempt. */
export async function queueAgain(
  queries: Kysely<Schema>,
  { subscriptionId, id, nowMs }: { readonly subscriptionId: string; readonly id: string; readonly nowMs: number },
): Promise<void> {
  const event = await queries
    .updateTable('subscription_events')
    .set({ status: 'queued', attempts: 0, ended_at_ms: null, requested_at_ms: nowMs })
    .where('id', '=', id)
    .where('subscription_id', '=', subscriptionId)
    .returning('organization_id')
    .executeTakeFirstOrThrow()
  const { url } = await queries
    .selectFrom('subscriptions')
    .select('url')
    .where('id', '=', subscriptionId)
    .executeTakeFirstOrThrow()
  await wakeQueue(queries, { subscriptionId, organizationId: event.organization_id, url, nowMs, isUrgent: true })
}

/** Makes the queue of a subscription due. An urgent event does not wait for the next attempt of others, but for one that is in flight. */
export async function wakeQueue(
  queries: Kysely<Schema>,
  {
    subscriptionId,
    organizationId,
    url,
    nowMs,
    isUrgent,
  }: Pick<NewEvent, 'subscriptionId' | 'organizationId' | 'url' | 'nowMs'> & { readonly isUrgent: boolean },
): Promise<void> {
  const host = new URL(url).hostname
  await queries
    .insertInto('delivery_queues')
    .columns(['subscription_id', 'organization_id', 'host', 'lane', 'due_at_ms'])
    .expression((expression) =>
      expression
        .selectFrom('subscriptions')
        .select([
          'id',
          expression.val(organizationId).as('organization_id'),
          expression.val(host).as('host'),
          LANE.as('lane'),
          sql<number>`cast(${nowMs} as bigint)`.as('due_at_ms'),
        ])
        .where('id', '=', subscriptionId),
    )
    .onConflict((conflict) => {
      const set = isUrgent ? { host, due_at_ms: nowMs } : { host }
      const updated = conflict.column('subscription_id').doUpdateSet(set)
      return isUrgent ? updated.where('delivery_queues.owner', 'is', null) : updated
    })
    .execute()
}

/** A number of `DELIVERY_LANES`, from the columns of a subscription. */
const LANE = sql<number>`case when failing_since_ms is not null then 2 when last_delivered_at_ms is not null then 0 else 1 end`
