import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import { HOUR_MS } from '../../lib/time.ts'
import {
  type ClaimedDelivery,
  DELIVERY_LANES,
  type DeliveryBacklog,
  type DeliveryBatch,
  type DeliveryBatchResult,
  type DeliveryLane,
  type DeliveryStore,
  type DisabledSubscription,
  type DueDeliveriesQuery,
  type DueDelivery,
} from '../contracts/deliveries.ts'
import { deleteInBatches } from './batches.ts'
import { DeliveryEnds } from './delivery-ends.ts'
import { KeptRead } from './kept-read.ts'
import { LEASE_MS_MAX } from './lease.ts'
import type { Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'
import { findSubscription } from './subscription-row.ts'
import { cancelEvents, setSubscriptionStatus } from './subscription-status.ts'

/** How long the events of a suspended organization wait until it is checked again. */
const SUSPENDED_MS = 60_000

const UNSENT_MS = 1000

/** No pause between two attempts is longer, as no lease is longer than `LEASE_MS_MAX`. */
const PAUSE_MS_MAX = 15 * HOUR_MS

const FAILING = sql.lit(DELIVERY_LANES.indexOf('failing'))

/** `DeliveryStore` over any database. */
export class SqlDeliveryStore extends SqlStore implements DeliveryStore {
  /** When the next event of each lane is due: mostly none is, and nodes ask several times a second. */
  readonly #nextDueAtMs = new KeptRead<ReadonlyMap<DeliveryLane, number>>()

  async due(query: DueDeliveriesQuery): Promise<DueDelivery[]> {
    if (this.database.dataVersion === undefined) return this.#selectDue(query)
    const nextAtMs = await this.#nextDueAtMs.get(this.database, () => this.#selectNextDueAtMs())
    return (nextAtMs.get(query.lane) ?? query.nowMs) > query.nowMs ? [] : this.#selectDue(query)
  }

  async #selectNextDueAtMs(): Promise<ReadonlyMap<DeliveryLane, number>> {
    const nextAtMs = new Map<DeliveryLane, number>()
    for (const [number, lane] of DELIVERY_LANES.entries()) {
      const { next } = await this.queries
        .selectFrom('delivery_queues')
        .select(({ fn }) => fn.min<number | null>('due_at_ms').as('next'))
        .where('lane', '=', number)
        .executeTakeFirstOrThrow()
      nextAtMs.set(lane, next ?? Number.POSITIVE_INFINITY)
    }
    return nextAtMs
  }

  async #selectDue(query: DueDeliveriesQuery): Promise<DueDelivery[]> {
    const { lane, nowMs, limit, withoutOrganizations, withoutSubscriptions } = query
    const { anyOf } = this.database.sqlDialect
    let selected = this.queries
      .selectFrom('delivery_queues')
      .select(['subscription_id', 'organization_id', 'host'])
      .where('lane', '=', DELIVERY_LANES.indexOf(lane))
      .where('due_at_ms', '<=', nowMs)
      .orderBy('due_at_ms')
      .limit(limit)
    // On PostgreSQL, nothing is `not in` an empty list.
    if (withoutOrganizations.length > 0)
      selected = selected.where('organization_id', 'not in', anyOf(withoutOrganizations))
    if (withoutSubscriptions.length > 0)
      selected = selected.where('subscription_id', 'not in', anyOf(withoutSubscriptions))
    const rows = await selected.execute()
    return rows.map((row) => ({
      subscriptionId: row.subscription_id,
      organizationId: row.organization_id,
      host: row.host,
      lane,
    }))
  }

  exchange(batch: DeliveryBatch): Promise<DeliveryBatchResult> {
    // What is sent must survive a power cut, as does the end of the event before, which precedes the claim in the log.
    const durability = batch.claim.length > 0 ? 'power-cut' : 'kill'
    return this.database.transaction(durability, async ({ queries }) => {
      const ends = new DeliveryEnds(queries, this.database.sqlDialect)
      const disabled = batch.ended.length === 0 ? [] : await ends.record(batch)
      if (batch.released.length > 0) await this.#releaseUnsent(queries, batch)
      const claimed = batch.claim.length === 0 ? [] : await this.#claim(queries, batch, disabled)
      return { claimed, disabled }
    })
  }

  async expire(nowMs: number): Promise<DisabledSubscription[]> {
    await this.#resetFutureDues(nowMs)
    const expired = await this.queries
      .selectFrom('subscriptions')
      .select('id')
      .where('expires_at_ms', '<=', nowMs)
      .where('status', '<>', 'disabled')
      .where('deleted_at_ms', 'is', null)
      .execute()
    const disabled: DisabledSubscription[] = []
    for (const { id } of expired) {
      // One transaction each: deliveries wait for it.
      const one = await this.database.transaction('kill', ({ queries }) => expireSubscription(queries, id, nowMs))
      if (one !== undefined) disabled.push(one)
    }
    return disabled
  }

  /** Writes nothing if no event was put off by a clock that was ahead, as usual. */
  async #resetFutureDues(nowMs: number): Promise<void> {
    const isReset = (queue: ExpressionBuilder<Schema, 'delivery_queues'>) =>
      queue.or([
        queue('due_at_ms', '>', nowMs + PAUSE_MS_MAX),
        queue.and([queue('owner', 'is not', null), queue('due_at_ms', '>', nowMs + LEASE_MS_MAX)]),
      ])
    const ahead = this.queries.selectFrom('delivery_queues').select('subscription_id').where(isReset).limit(1)
    if ((await ahead.executeTakeFirst()) === undefined) return
    await this.database.transaction('kill', ({ queries }) =>
      queries.updateTable('delivery_queues').set({ owner: null, due_at_ms: nowMs }).where(isReset).execute(),
    )
  }

  async backlog(): Promise<DeliveryBacklog> {
    const { count, oldest } = await this.queries
      .selectFrom('subscription_events as event')
      .leftJoin('delivery_queues as queue', 'queue.subscription_id', 'event.subscription_id')
      .select(({ fn }) => [
        fn.countAll<number>().as('count'),
        sql<number | null>`min(case when queue.lane <> ${FAILING} then event.created_at_ms end)`.as('oldest'),
      ])
      .where('event.status', '=', 'queued')
      .executeTakeFirstOrThrow()
    return { queued: Number(count), ...(oldest !== null && { oldestAtMs: oldest }) }
  }

  async purge(beforeMs: number): Promise<void> {
    await deleteInBatches(this.database, 'subscription_events', ['id'], (event) => event('ended_at_ms', '<', beforeMs))
  }

  async #releaseUnsent(queries: Kysely<Schema>, { released, owner, nowMs }: DeliveryBatch): Promise<void> {
    await queries
      .updateTable('delivery_queues')
      .set({ owner: null, due_at_ms: nowMs + UNSENT_MS })
      .where('subscription_id', 'in', this.database.sqlDialect.anyOf(released))
      .where('owner', '=', owner)
      .execute()
  }

  async #claim(
    queries: Kysely<Schema>,
    { owner, nowMs, leaseMs, claim }: DeliveryBatch,
    disabled: DisabledSubscription[],
  ): Promise<ClaimedDelivery[]> {
    const { anyOf } = this.database.sqlDialect
    const taken = await queries
      .updateTable('delivery_queues')
      .set({ owner, due_at_ms: nowMs + leaseMs })
      .where('subscription_id', 'in', anyOf(claim))
      .where('due_at_ms', '<=', nowMs)
      .returning('subscription_id')
      .execute()
    const ids = taken.map((row) => row.subscription_id)
    const heads = new Map((await selectHeads(queries, anyOf(ids)).execute()).map((row) => [row.subscription_id, row]))
    const claimed: ClaimedDelivery[] = []
    for (const id of ids) {
      const head = heads.get(id)
      if (head === undefined) await queries.deleteFrom('delivery_queues').where('subscription_id', '=', id).execute()
      else if (head.suspended_at_ms !== null) await postpone(queries, id, nowMs + SUSPENDED_MS)
      else if (head.expires_at_ms !== null && head.expires_at_ms <= nowMs) {
        const expired = await expireSubscription(queries, id, nowMs)
        if (expired !== undefined) disabled.push(expired)
        else await cancelEvents(queries, [id], nowMs)
      } else claimed.push(claimedDelivery(head, nowMs))
    }
    return claimed
  }
}

/** The next event of each subscription that may be sent: the oldest test, else the oldest; no slots until it is active, no test until it is verified. */
function selectHeads(queries: Kysely<Schema>, subscriptionIds: Expression<string>) {
  return queries
    .selectFrom('subscription_events as event')
    .innerJoin('subscriptions as subscription', 'subscription.id', 'event.subscription_id')
    .innerJoin('organizations as organization', 'organization.id', 'event.organization_id')
    .selectAll('event')
    .select([
      'subscription.url',
      'subscription.query',
      'subscription.secret',
      'subscription.previous_secret',
      'subscription.previous_secret_until_ms',
      'subscription.expires_at_ms',
      'subscription.failing_since_ms',
      'subscription.verified',
      'organization.suspended_at_ms',
    ])
    .where('subscription.id', 'in', subscriptionIds)
    .where('subscription.deleted_at_ms', 'is', null)
    .where('organization.deleted_at_ms', 'is', null)
    .where(
      sql<SqlBool>`event.sequence = (
        select head.sequence from subscription_events as head
        where head.subscription_id = subscription.id and head.status = 'queued'
          and (subscription.status = 'active' or head.type = 'subscription.verification'
            or (head.type = 'subscription.test' and subscription.verified = 1))
        order by case head.type when 'subscription.test' then 0 else 1 end, head.sequence limit 1)`,
    )
}

type Head = Awaited<ReturnType<ReturnType<typeof selectHeads>['execute']>>[number]

/** Undefined if it is disabled already, or if its end was moved meanwhile. */
async function expireSubscription(
  queries: Kysely<Schema>,
  id: string,
  nowMs: number,
): Promise<DisabledSubscription | undefined> {
  const row = await findSubscription(queries, { id })
  if (row === undefined || row.expires_at_ms === null || row.expires_at_ms > nowMs) return undefined
  const isNew = await setSubscriptionStatus(queries, id, { status: 'disabled', reason: 'expired', nowMs })
  if (!isNew) return undefined
  return { subscriptionId: id, organizationId: row.organization_id, url: row.url, reason: 'expired' }
}

async function postpone(queries: Kysely<Schema>, subscriptionId: string, dueAtMs: number): Promise<void> {
  const change = { owner: null, due_at_ms: dueAtMs }
  await queries.updateTable('delivery_queues').set(change).where('subscription_id', '=', subscriptionId).execute()
}

function claimedDelivery(head: Head, nowMs: number): ClaimedDelivery {
  const isRotating = head.previous_secret !== null && (head.previous_secret_until_ms ?? 0) > nowMs
  return {
    id: head.id,
    type: head.type,
    subscriptionId: head.subscription_id,
    organizationId: head.organization_id,
    createdAtMs: head.created_at_ms,
    queuedAtMs: head.requested_at_ms ?? head.created_at_ms,
    isVerified: head.verified === 1,
    attempts: head.attempts,
    fromRevision: head.from_revision,
    toRevision: head.to_revision,
    total: head.total,
    ids: JSON.parse(head.ids),
    ...(head.challenge !== null && { challenge: head.challenge }),
    url: head.url,
    filters: head.query,
    secrets: isRotating ? [head.secret, String(head.previous_secret)] : [head.secret],
    ...(head.failing_since_ms !== null && { failingSinceMs: head.failing_since_ms }),
  }
}
