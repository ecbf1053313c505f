import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { AuditKind } from '../../shared/audit-kinds.ts'
import type { SubscriptionReason } from '../../shared/subscription-vocabulary.ts'
import type { AuditActor, AuditDetail } from '../contracts/audit.ts'
import { type AuditDraft, writeAudit } from './audit.ts'
import { advance } from './counters.ts'
import { queueEvent } from './queue-event.ts'
import type { Schema, SubscriptionRow } from './schema.ts'
import { deleteMatches } from './subscription-match-rows.ts'
import { currentRevision, findSubscription, selectSubscriptions, updateSubscription } from './subscription-row.ts'

/** Disables a subscription, with the reason, or activates it because its receiver has returned the challenge. */
interface StatusChange {
  readonly status: 'active' | 'disabled'
  readonly reason?: SubscriptionReason | undefined
  readonly nowMs: number
}

/** The service, in audit logs. */
const SERVICE: AuditActor = { name: 'service' }

/**
 * Changes the status as deliveries require, in their transaction. A disabled subscription has no queued events. False if it is deleted or
 * has the status.
 */
export async function setSubscriptionStatus(
  queries: Kysely<Schema>,
  id: string,
  { status, reason, nowMs }: StatusChange,
): Promise<boolean> {
  const row = await findSubscription(queries, { id })
  if (row === undefined || row.status === status || row.status === 'disabled') return false
  if (status === 'active') {
    // A subscription that was paused meanwhile stays paused.
    const activated = row.status === 'pending' ? { status, status_reason: null } : {}
    await updateSubscription(queries, id, { ...activated, verified: 1 })
    return row.status === 'pending'
  }
  await updateSubscription(queries, id, { status, status_reason: reason ?? null, updated_at_ms: nowMs })
  await cancelEvents(queries, [id], nowMs)
  const detail = reason === undefined ? {} : { reason }
  await noteSubscription(queries, row, { atMs: nowMs, kind: 'subscription.disabled', by: SERVICE, detail })
  return true
}

/** Queues the verification of the address, instead of an earlier one. */
export async function queueVerification(
  queries: Kysely<Schema>,
  { id, organization_id, url }: Pick<SubscriptionRow, 'id' | 'organization_id' | 'url'>,
  { nowMs, requested = false }: { readonly nowMs: number; readonly requested?: boolean },
): Promise<string> {
  await queries
    .updateTable('subscription_events')
    .set({ status: 'canceled', ended_at_ms: nowMs })
    .where('subscription_id', '=', id)
    .where('status', '=', 'queued')
    .where('type', '=', 'subscription.verification')
    .execute()
  // Its host and its next attempt may be those of another address.
  await queries.deleteFrom('delivery_queues').where('subscription_id', '=', id).execute()
  return queueRequest(queries, { id, organization_id, url }, { type: 'subscription.verification', nowMs, requested })
}

/** Queues an event without slots. `requested`: it counts as one that a caller has asked for. */
export async function queueRequest(
  queries: Kysely<Schema>,
  { id, organization_id, url }: Pick<SubscriptionRow, 'id' | 'organization_id' | 'url'>,
  event: {
    readonly type: 'subscription.verification' | 'subscription.test'
    readonly nowMs: number
    readonly requested: boolean
  },
): Promise<string> {
  const { type, nowMs, requested } = event
  const revision = await currentRevision(queries)
  const eventId = await queueEvent(queries, {
    subscriptionId: id,
    organizationId: organization_id,
    url,
    type,
    fromRevision: revision,
    toRevision: revision,
    total: 0,
    ids: [],
    nowMs,
    ...(type === 'subscription.verification' && { challenge: randomBytes(24).toString('base64url') }),
  })
  if (requested) {
    const changes = { requested_at_ms: nowMs }
    await queries.updateTable('subscription_events').set(changes).where('id', '=', eventId).execute()
  }
  return eventId
}

/** Cancels the queued events of subscriptions, and deletes what they carry to their next announcement. */
export async function cancelEvents(queries: Kysely<Schema>, ids: readonly string[], nowMs: number): Promise<void> {
  for (const id of ids) {
    await queries
      .updateTable('subscription_events')
      .set({ status: 'canceled', ended_at_ms: nowMs })
      .where('subscription_id', '=', id)
      .where('status', '=', 'queued')
      .execute()
    await queries.deleteFrom('delivery_queues').where('subscription_id', '=', id).execute()
    await deleteMatches(queries, id)
  }
}

/**
 * Lets the matcher notice that an organization was suspended or resumed, in that transaction. Nothing that was committed meanwhile is
 * announced.
 */
export async function announceSubscriptions(
  queries: Kysely<Schema>,
  organizationId: string,
  state: { readonly suspended: boolean; readonly nowMs: number },
): Promise<void> {
  const resumed = state.suspended ? {} : { since_revision: await currentRevision(queries), failing_since_ms: null }
  const rows = await queries
    .updateTable('subscriptions')
    .set({ ...resumed, revision: await advance(queries, 'subscriptions') })
    .where('organization_id', '=', organizationId)
    .where('deleted_at_ms', 'is', null)
    .returningAll()
    .execute()
  if (state.suspended) {
    const ids = rows.map(({ id }) => id)
    await cancelEvents(queries, ids, state.nowMs)
    return
  }
  for (const row of rows) if (row.status === 'pending') await queueVerification(queries, row, state)
}

/** Deletes all subscriptions of an organization, in the transaction that deletes it. */
export async function removeSubscriptions(
  queries: Kysely<Schema>,
  organizationId: string,
  nowMs: number,
): Promise<void> {
  const rows = await selectSubscriptions(queries).select('id').where('organization_id', '=', organizationId).execute()
  if (rows.length === 0) return
  await queries
    .updateTable('subscriptions')
    .set({ ...REMOVED, deleted_at_ms: nowMs, revision: await advance(queries, 'subscriptions') })
    .where('organization_id', '=', organizationId)
    .where('deleted_at_ms', 'is', null)
    .execute()
  await cancelEvents(
    queries,
    rows.map(({ id }) => id),
    nowMs,
  )
}

/** The columns of a deleted subscription that nothing needs any more. */
export const REMOVED = { url: '', description: null, secret: '', previous_secret: null, created_by: '' } as const

export function noteSubscription(
  queries: Kysely<Schema>,
  row: Pick<SubscriptionRow, 'id' | 'organization_id' | 'url'>,
  what: Pick<AuditDraft, 'atMs' | 'by'> & { readonly kind: AuditKind; readonly detail?: AuditDetail },
): Promise<void> {
  const detail = { host: new URL(row.url).host, ...what.detail }
  return writeAudit(queries, { ...what, organizationId: row.organization_id, subject: row.id, detail })
}
