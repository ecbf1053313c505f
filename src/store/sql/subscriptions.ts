import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { SubscriptionSort } from '../../shared/subscription-vocabulary.ts'
import type { AuditActor } from '../contracts/audit.ts'
import type { PageRequest } from '../contracts/page.ts'
import {
  type MatchedSubscription,
  SECRET_OVERLAP_MS,
  type Subscription,
  type SubscriptionDraft,
  type SubscriptionEdit,
  type SubscriptionFilter,
  type SubscriptionId,
  type SubscriptionStore,
} from '../contracts/subscriptions.ts'
import { advance, readCounters } from './counters.ts'
import { requirePermission } from './memberships.ts'
import { requireBelow, requireOrganization } from './organization-row.ts'
import { inPages } from './page.ts'
import { wakeQueue } from './queue-event.ts'
import type { Schema, SubscriptionRow } from './schema.ts'
import {
  requireFewEdits,
  requireFewRequests,
  requireFewVerifications,
  SqlDeliveryRequests,
} from './subscription-deliveries.ts'
import { deleteMatches } from './subscription-match-rows.ts'
import {
  currentRevision,
  findSubscription,
  selectSubscriptions,
  subscriptionChanges,
  subscriptionOf,
  updateSubscription,
} from './subscription-row.ts'
import { cancelEvents, noteSubscription, queueVerification, REMOVED } from './subscription-status.ts'
import { containsText } from './text-search.ts'

/** `SubscriptionStore` over any database. */
export class SqlSubscriptionStore extends SqlDeliveryRequests implements SubscriptionStore {
  create(draft: SubscriptionDraft, by: AuditActor, max: number): Promise<Subscription> {
    const { organizationId } = draft
    const nowMs = this.now()
    return this.database.transaction('power-cut', async ({ queries }) => {
      await requireOrganization(queries, organizationId)
      await requirePermission(queries, organizationId, by, 'subscriptions.create')
      const others = selectSubscriptions(queries).where('organization_id', '=', organizationId)
      await requireBelow(max, others, 'subscription')
      await requireFewVerifications(queries, organizationId, nowMs)
      const row = await insert(queries, draft, { by, nowMs })
      await queueVerification(queries, row, { nowMs })
      const detail = { filters: row.query }
      await noteSubscription(queries, row, { atMs: nowMs, kind: 'subscription.created', by, detail })
      return subscriptionOf(row)
    })
  }

  async list(organizationId?: string, page?: PageRequest, filter: SubscriptionFilter = {}): Promise<Subscription[]> {
    const { search, status, sort = 'newest' } = filter
    let query = selectSubscriptions(this.queries).selectAll()
    if (organizationId !== undefined) query = query.where('organization_id', '=', organizationId)
    if (search !== undefined) query = query.where(containsText(SEARCHED, search))
    if (status !== undefined) query = query.where('status', '=', status)
    const rows = await inPages(query, ORDERS[sort], page).execute()
    return rows.map(subscriptionOf)
  }

  async find(of: Pick<SubscriptionId, 'id'> & Partial<SubscriptionId>): Promise<Subscription | undefined> {
    const row = await findSubscription(this.queries, of)
    return row && subscriptionOf(row)
  }

  edit(of: SubscriptionId, edit: SubscriptionEdit, by: AuditActor): Promise<Subscription | undefined> {
    const nowMs = this.now()
    return this.database.transaction('power-cut', async ({ queries }) => {
      const row = await findSubscription(queries, of)
      if (row === undefined) return undefined
      await requirePermission(queries, of.organizationId, by, 'subscriptions.edit')
      return subscriptionOf(await applyEdit(queries, row, edit, { by, nowMs }))
    })
  }

  rotateSecret(of: SubscriptionId, secret: string, by: AuditActor): Promise<Subscription | undefined> {
    const nowMs = this.now()
    return this.database.transaction('power-cut', async ({ queries }) => {
      const row = await findSubscription(queries, of)
      if (row === undefined) return undefined
      await requirePermission(queries, of.organizationId, by, 'subscriptions.edit')
      await requireFewEdits(queries, of.organizationId, nowMs)
      const untilMs = nowMs + SECRET_OVERLAP_MS
      const note = { atMs: nowMs, kind: 'subscription.secret-rotated', by, detail: { untilMs } } as const
      await noteSubscription(queries, row, note)
      const rotated = await updateSubscription(queries, row.id, {
        secret,
        previous_secret: row.secret,
        previous_secret_until_ms: untilMs,
        updated_at_ms: nowMs,
      })
      return subscriptionOf(rotated)
    })
  }

  remove(of: SubscriptionId, by: AuditActor): Promise<boolean> {
    const nowMs = this.now()
    return this.database.transaction('power-cut', async ({ queries }) => {
      const row = await findSubscription(queries, of)
      if (row === undefined) return false
      await requirePermission(queries, of.organizationId, by, 'subscriptions.delete')
      await noteSubscription(queries, row, { atMs: nowMs, kind: 'subscription.deleted', by })
      await updateSubscription(queries, row.id, { ...REMOVED, deleted_at_ms: nowMs })
      await queries.deleteFrom('delivery_queues').where('subscription_id', '=', row.id).execute()
      await queries.deleteFrom('subscription_events').where('subscription_id', '=', row.id).execute()
      await deleteMatches(queries, row.id)
      return true
    })
  }

  async changedSince(revision: number): Promise<{ subscriptions: MatchedSubscription[]; revision: number }> {
    // The counter first: a subscription that changes in between is then returned twice, and never missed.
    const { subscriptions: current } = await readCounters(this.queries, ['subscriptions'])
    const rows = await this.queries
      .selectFrom('subscriptions')
      .innerJoin('organizations', 'organizations.id', 'subscriptions.organization_id')
      .select(['subscriptions.id', 'query', 'since_revision', 'status'])
      .select(['subscriptions.deleted_at_ms', 'organizations.suspended_at_ms'])
      .where('subscriptions.revision', '>', revision)
      .orderBy('subscriptions.revision')
      .execute()
    const subscriptions = rows.map(({ id, query, since_revision: sinceRevision, ...row }) => {
      const isLive = row.deleted_at_ms === null && row.suspended_at_ms === null
      return { id, query, sinceRevision, matches: isLive && (row.status === 'active' || row.status === 'pending') }
    })
    return {
      subscriptions: revision > 0 ? subscriptions : subscriptions.filter(({ matches }) => matches),
      revision: current,
    }
  }

  async secrets(): Promise<{ id: string; secret: string; previousSecret?: string }[]> {
    const rows = await selectSubscriptions(this.queries).select(['id', 'secret', 'previous_secret']).execute()
    return rows.map(({ id, secret, previous_secret }) => ({
      id,
      secret,
      ...(previous_secret !== null && { previousSecret: previous_secret }),
    }))
  }

  async replaceSecret(id: string, before: string, secret: string): Promise<number> {
    let count = 0
    for (const column of ['secret', 'previous_secret'] as const) {
      const { numUpdatedRows } = await this.database.transaction('power-cut', ({ queries }) =>
        queries
          .updateTable('subscriptions')
          .set({ [column]: secret })
          .where('id', '=', id)
          .where(column, '=', before)
          .executeTakeFirstOrThrow(),
      )
      count += Number(numUpdatedRows)
    }
    return count
  }
}

const SEARCHED = ['url', 'description', 'id', 'query']

const NEWEST_FIRST = { rank: 'created_at_ms', time: 'created_at_ms', id: 'id', direction: 'desc' } as const
const BY_DELIVERY = { ...NEWEST_FIRST, rank: 'coalesce(last_delivered_at_ms, 0)' } as const

/** An organization has few subscriptions: only the default order has an index. */
const ORDERS = {
  newest: NEWEST_FIRST,
  delivered: BY_DELIVERY,
  undelivered: { ...BY_DELIVERY, direction: 'asc' },
} as const satisfies Record<SubscriptionSort, object>

/** Who changes a subscription, and when. */
interface Change {
  readonly by: AuditActor
  readonly nowMs: number
}

async function insert(
  queries: Kysely<Schema>,
  draft: SubscriptionDraft,
  { by, nowMs }: Change,
): Promise<SubscriptionRow> {
  return queries
    .insertInto('subscriptions')
    .values({
      id: `sub_${randomBytes(10).toString('hex')}`,
      organization_id: draft.organizationId,
      url: draft.url,
      description: draft.description ?? null,
      filters: JSON.stringify(draft.filters),
      query: draft.query,
      events: JSON.stringify(draft.events),
      min_interval_ms: draft.minIntervalMs,
      expires_at_ms: draft.expiresAtMs ?? null,
      status: 'pending',
      verified: 0,
      secret: draft.secret,
      created_at_ms: nowMs,
      created_by: by.name,
      updated_at_ms: nowMs,
      since_revision: await currentRevision(queries),
      held_back: '{}',
      revision: await advance(queries, 'subscriptions'),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the row after the change; equal values change nothing. */
async function applyEdit(
  queries: Kysely<Schema>,
  row: SubscriptionRow,
  edit: SubscriptionEdit,
  { by, nowMs }: Change,
): Promise<SubscriptionRow> {
  const { changes, detail } = subscriptionChanges(row, edit)
  const hasEdit = Object.keys(changes).length > 0
  const isMoved = changes.url !== undefined
  const isPaused = edit.status === 'paused' && row.status !== 'paused'
  const isResumed = edit.status === 'active' && (row.status === 'paused' || row.status === 'disabled')
  if (!hasEdit && !isPaused && !isResumed) return row
  await requireFewEdits(queries, row.organization_id, nowMs)
  // Whatever disabled the subscription may be wrong with its address.
  const isVerified = row.verified === 1 && !isMoved && !(isResumed && row.status === 'disabled')
  const resting = isPaused ? 'paused' : isResumed ? undefined : row.status
  const isResting = resting === 'paused' || resting === 'disabled'
  const status = isResting ? resting : isVerified ? 'active' : 'pending'
  const beginsAgain = isResumed || changes.query !== undefined
  const after = await updateSubscription(queries, row.id, {
    ...changes,
    status,
    status_reason: status === 'disabled' ? row.status_reason : null,
    verified: isVerified ? 1 : 0,
    updated_at_ms: nowMs,
    ...(beginsAgain && { since_revision: await currentRevision(queries) }),
    ...((isResumed || isMoved) && { failing_since_ms: null }),
  })
  if (changes.query !== undefined) await deleteMatches(queries, row.id)
  // A request in flight to the old address must not verify the new one.
  if (isPaused || (isMoved && isResting)) await cancelEvents(queries, [row.id], nowMs)
  if (status === 'pending' && (row.status !== 'pending' || isMoved)) {
    await requireFewRequests(queries, row.id, nowMs)
    await requireFewVerifications(queries, row.organization_id, nowMs)
    await queueVerification(queries, after, { nowMs, requested: true })
  }
  // Events may have been asked for during the pause.
  if (isResumed && status === 'active') {
    const { id: subscriptionId, organization_id: organizationId, url } = after
    await wakeQueue(queries, { subscriptionId, organizationId, url, nowMs, isUrgent: false })
  }
  const note = { atMs: nowMs, by }
  if (hasEdit) await noteSubscription(queries, after, { ...note, kind: 'subscription.edited', detail })
  if (isPaused) await noteSubscription(queries, after, { ...note, kind: 'subscription.paused' })
  if (isResumed) await noteSubscription(queries, after, { ...note, kind: 'subscription.resumed' })
  return after
}
