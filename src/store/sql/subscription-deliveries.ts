import type { Kysely } from 'kysely'
import type { AuditActor } from '../contracts/audit.ts'
import { RateLimitReached } from '../contracts/store.ts'
import {
  type DeliverySummary,
  REQUESTED_MAX,
  REQUESTED_PER_MS,
  SUBSCRIPTION_EDITS_MAX,
  type SubscriptionDelivery,
  type SubscriptionId,
  VERIFICATIONS_MAX,
} from '../contracts/subscriptions.ts'
import { deleteInBatches } from './batches.ts'
import { requirePermission } from './memberships.ts'
import { queueAgain } from './queue-event.ts'
import type { Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'
import { deliveryOf, findSubscription } from './subscription-row.ts'
import { queueRequest, queueVerification } from './subscription-status.ts'
import { countUse } from './throttles.ts'

/** The part of `SubscriptionStore` about deliveries. */
export abstract class SqlDeliveryRequests extends SqlStore {
  sendTest(of: SubscriptionId, by?: AuditActor): Promise<SubscriptionDelivery | undefined> {
    const nowMs = this.now()
    return this.database.transaction('power-cut', async ({ queries }) => {
      const row = await findSubscription(queries, of)
      if (row === undefined) return undefined
      await requirePermission(queries, of.organizationId, by, 'subscriptions.edit')
      await requireFewRequests(queries, row.id, nowMs)
      const type = 'subscription.test'
      const isVerifying = row.verified === 0
      if (isVerifying) await requireFewVerifications(queries, of.organizationId, nowMs)
      const id = isVerifying
        ? await queueVerification(queries, row, { nowMs, requested: true })
        : await queueRequest(queries, row, { type, nowMs, requested: true })
      return findDelivery(queries, of, id)
    })
  }

  async deliveries(
    of: SubscriptionId,
    { limit, beforeSequence }: { limit: number; beforeSequence?: number },
  ): Promise<SubscriptionDelivery[] | undefined> {
    const row = await findSubscription(this.queries, of)
    if (row === undefined) return undefined
    let query = selectDeliveries(this.queries, of).orderBy('sequence', 'desc').limit(limit)
    if (beforeSequence !== undefined) query = query.where('sequence', '<', beforeSequence)
    const rows = await query.execute()
    return rows.map(deliveryOf)
  }

  delivery(of: SubscriptionId, deliveryId: string): Promise<SubscriptionDelivery | undefined> {
    return findDelivery(this.queries, of, deliveryId)
  }

  async summary(organizationId: string): Promise<DeliverySummary> {
    const rows = await this.queries
      .selectFrom('subscription_events')
      .innerJoin('subscriptions', 'subscriptions.id', 'subscription_events.subscription_id')
      .where('subscriptions.organization_id', '=', organizationId)
      .where('subscriptions.deleted_at_ms', 'is', null)
      .where('subscription_events.status', 'in', ['queued', 'failed'])
      .groupBy('subscription_events.status')
      .select(({ fn }) => [
        'subscription_events.status',
        fn.countAll<number>().as('count'),
        fn.min('subscription_events.created_at_ms').as('oldest'),
      ])
      .execute()
    const of = (status: 'queued' | 'failed') => rows.find((row) => row.status === status)
    const oldest = of('queued')?.oldest
    return {
      queued: Number(of('queued')?.count ?? 0),
      failed: Number(of('failed')?.count ?? 0),
      ...(oldest != null && { oldestQueuedAtMs: oldest }),
    }
  }

  retry(of: SubscriptionId, deliveryId: string, by?: AuditActor): Promise<SubscriptionDelivery | undefined> {
    const nowMs = this.now()
    return this.database.transaction('power-cut', async ({ queries }) => {
      const row = await findSubscription(queries, of)
      const event = await findDelivery(queries, of, deliveryId)
      if (row === undefined || event === undefined) return undefined
      await requirePermission(queries, of.organizationId, by, 'subscriptions.edit')
      await requireFewRequests(queries, of.id, nowMs, deliveryId)
      // Of an address that is not verified, the verification is sent first.
      if (event.type === 'subscription.verification' || row.verified === 0)
        await requireFewVerifications(queries, of.organizationId, nowMs)
      await queueAgain(queries, { subscriptionId: of.id, id: deliveryId, nowMs })
      return findDelivery(queries, of, deliveryId)
    })
  }

  async deleteEnded(beforeMs: number): Promise<number> {
    const gone = this.queries.selectFrom('subscriptions').select('id').where('deleted_at_ms', '<', beforeMs)
    const events = await deleteInBatches(this.database, 'subscription_events', ['id'], (event) =>
      event('subscription_id', 'in', gone),
    )
    const rows = await deleteInBatches(this.database, 'subscriptions', ['id'], (row) =>
      row('deleted_at_ms', '<', beforeMs),
    )
    return events + rows
  }
}

function selectDeliveries(queries: Kysely<Schema>, { id, organizationId }: SubscriptionId) {
  return queries
    .selectFrom('subscription_events')
    .innerJoin('subscriptions', 'subscriptions.id', 'subscription_events.subscription_id')
    .leftJoin('delivery_queues', 'delivery_queues.subscription_id', 'subscription_events.subscription_id')
    .selectAll('subscription_events')
    .select(['delivery_queues.due_at_ms', 'subscriptions.status as subscription_status'])
    .where('subscription_events.subscription_id', '=', id)
    .where('subscription_events.organization_id', '=', organizationId)
    .where('subscriptions.deleted_at_ms', 'is', null)
}

async function findDelivery(
  queries: Kysely<Schema>,
  of: SubscriptionId,
  deliveryId: string,
): Promise<SubscriptionDelivery | undefined> {
  const row = await selectDeliveries(queries, of).where('subscription_events.id', '=', deliveryId).executeTakeFirst()
  return row === undefined ? undefined : deliveryOf(row)
}

/** Throws `RateLimitReached` beyond `VERIFICATIONS_MAX`. Counts also those of subscriptions that are deleted meanwhile. */
export async function requireFewVerifications(
  queries: Kysely<Schema>,
  organizationId: string,
  nowMs: number,
): Promise<void> {
  const window = { nowMs, ms: REQUESTED_PER_MS }
  const { uses } = await countUse(queries, `verifications of ${organizationId}`, window)
  if (uses > VERIFICATIONS_MAX)
    throw new RateLimitReached(`Cannot verify more than ${VERIFICATIONS_MAX} addresses of an organization per minute`)
}

/** Throws `RateLimitReached` beyond `SUBSCRIPTION_EDITS_MAX`. */
export async function requireFewEdits(queries: Kysely<Schema>, organizationId: string, nowMs: number): Promise<void> {
  const window = { nowMs, ms: REQUESTED_PER_MS }
  const { uses } = await countUse(queries, `subscription edits of ${organizationId}`, window)
  if (uses > SUBSCRIPTION_EDITS_MAX)
    throw new RateLimitReached(
      `Cannot change subscriptions of an organization more than ${SUBSCRIPTION_EDITS_MAX} times per minute`,
    )
}

/** Throws `RateLimitReached`, also if the event has been asked for: it counts once, however often it is retried. */
export async function requireFewRequests(
  queries: Kysely<Schema>,
  subscriptionId: string,
  nowMs: number,
  deliveryId?: string,
): Promise<void> {
  const requested = await queries
    .selectFrom('subscription_events')
    .select('id')
    .where('subscription_id', '=', subscriptionId)
    .where('requested_at_ms', '>', nowMs - REQUESTED_PER_MS)
    // Later ones were asked for while the clock was ahead.
    .where('requested_at_ms', '<=', nowMs + REQUESTED_PER_MS)
    .execute()
  if (requested.some(({ id }) => id === deliveryId))
    throw new RateLimitReached('Cannot send an event again that was requested less than a minute ago')
  if (requested.length < REQUESTED_MAX) return
  throw new RateLimitReached(
    `Cannot send more than ${REQUESTED_MAX} tests, retries and verifications of a subscription per minute`,
  )
}
