import { type Kysely, sql } from 'kysely'
import type { DeliveryBatch, DisabledSubscription, EndedDelivery } from '../contracts/deliveries.ts'
import type { SqlDialect } from './database.ts'
import type { Schema } from './schema.ts'
import { setSubscriptionStatus } from './subscription-status.ts'

/** Records the ends of attempts in few statements, however many there are. */
export class DeliveryEnds {
  readonly #queries: Kysely<Schema>
  readonly #dialect: SqlDialect

  constructor(queries: Kysely<Schema>, dialect: SqlDialect) {
    this.#queries = queries
    this.#dialect = dialect
  }

  /** Returns the subscriptions that were disabled. Leaves out those whose lease or event is gone. */
  async record({ ended, owner, nowMs }: DeliveryBatch): Promise<DisabledSubscription[]> {
    const held = await this.#held(ended, owner)
    const ends = await this.#recordAttempts(ended.filter(({ delivery }) => held.has(delivery.subscriptionId)))
    const counted = ends.filter(isCounted)
    await this.#noteOutcomes(counted, nowMs)
    await this.#release(ends, nowMs)
    for (const { delivery, outcome } of counted) {
      if (delivery.type !== 'subscription.verification' || outcome.kind !== 'delivered') continue
      await setSubscriptionStatus(this.#queries, delivery.subscriptionId, { status: 'active', nowMs })
    }
    const disabled: DisabledSubscription[] = []
    for (const { delivery, outcome } of ends) {
      if (outcome.kind !== 'disabled') continue
      const { subscriptionId, organizationId, url } = delivery
      const { reason } = outcome
      const isNew = await setSubscriptionStatus(this.#queries, subscriptionId, { status: 'disabled', reason, nowMs })
      if (isNew) disabled.push({ subscriptionId, organizationId, url, reason })
    }
    return disabled
  }

  /** The subscriptions that are still claimed. */
  async #held(ended: readonly EndedDelivery[], owner: string): Promise<ReadonlySet<string>> {
    const rows = await this.#queries
      .selectFrom('delivery_queues')
      .select('subscription_id')
      .where('subscription_id', 'in', this.#idsOf(ended))
      .where('owner', '=', owner)
      .execute()
    return new Set(rows.map((row) => row.subscription_id))
  }

  /** Returns those whose event is still queued: it may have been canceled meanwhile. */
  async #recordAttempts(ended: readonly EndedDelivery[]): Promise<EndedDelivery[]> {
    if (ended.length === 0) return []
    const rows = ended.map(({ delivery, attempt, outcome }) => ({
      id: delivery.id,
      attempts: delivery.attempts + 1,
      at: attempt.atMs,
      status: STATUS_AFTER[outcome.kind],
      end: outcome.kind === 'retry' ? undefined : attempt.atMs + attempt.latencyMs,
      response: attempt.status,
      ms: attempt.latencyMs,
      body: attempt.body,
      error: attempt.error,
    }))
    const { rows: recorded } = await sql<{ id: string }>`
      update subscription_events set status = input.value ->> 'status', attempts = ${number('attempts')},
        attempted_at_ms = ${number('at')}, ended_at_ms = ${number('end')}, response_status = ${number('response')},
        response_ms = ${number('ms')}, response_body = input.value ->> 'body', error = input.value ->> 'error'
      from ${this.#dialect.jsonRows(rows)}
      where subscription_events.id = input.value ->> 'id' and subscription_events.status = 'queued'
      returning subscription_events.id as id`.execute(this.#queries)
    const ids = new Set(recorded.map(({ id }) => id))
    return ended.filter(({ delivery }) => ids.has(delivery.id))
  }

  async #noteOutcomes(ended: readonly EndedDelivery[], nowMs: number): Promise<void> {
    const delivered = ended.filter(({ outcome }) => outcome.kind === 'delivered')
    const failed = ended.filter(({ outcome }) => outcome.kind !== 'delivered')
    const update = (ends: readonly EndedDelivery[]) =>
      this.#queries.updateTable('subscriptions').where('id', 'in', this.#idsOf(ends))
    if (delivered.length > 0)
      await update(delivered).set({ last_delivered_at_ms: nowMs, failing_since_ms: null }).execute()
    if (failed.length > 0)
      await update(failed).where('failing_since_ms', 'is', null).set({ failing_since_ms: nowMs }).execute()
  }

  /** The queues are due at their next attempt, or gone if nothing is queued. */
  async #release(ended: readonly EndedDelivery[], nowMs: number): Promise<void> {
    if (ended.length === 0) return
    const rows = ended.map((end) => ({
      id: end.delivery.subscriptionId,
      due: end.outcome.kind === 'delivered' || end.outcome.kind === 'disabled' ? nowMs : end.outcome.atMs,
      lane: isCounted(end) ? (end.outcome.kind === 'delivered' ? 0 : 2) : undefined,
    }))
    await sql`
      update delivery_queues set owner = null, due_at_ms = ${number('due')},
        lane = coalesce(${number('lane')}, lane)
      from ${this.#dialect.jsonRows(rows)}
      where delivery_queues.subscription_id = input.value ->> 'id'`.execute(this.#queries)
    await this.#queries
      .deleteFrom('delivery_queues')
      .where('subscription_id', 'in', this.#idsOf(ended))
      .where((row) =>
        row.not(
          row.exists(
            row
              .selectFrom('subscription_events')
              .select('id')
              .whereRef('subscription_events.subscription_id', '=', 'delivery_queues.subscription_id')
              .where('subscription_events.status', '=', 'queued'),
          ),
        ),
      )
      .execute()
  }

  #idsOf(ended: readonly EndedDelivery[]) {
    return this.#dialect.anyOf(ended.map(({ delivery }) => delivery.subscriptionId))
  }
}

/** Tests, and what is given up after one attempt, do not say whether the receiver works. */
function isCounted({ delivery, outcome }: EndedDelivery): boolean {
  return delivery.type !== 'subscription.test' && outcome.kind !== 'failed'
}

const STATUS_AFTER = { delivered: 'delivered', retry: 'queued', failed: 'failed', disabled: 'failed' } as const

/** A number of an input row; null if it has none. */
function number(name: string) {
  return sql<number | null>`cast(input.value ->> ${sql.lit(name)} as bigint)`
}
