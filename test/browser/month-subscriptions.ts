import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/time.ts'
import type { AuditActor } from '../../src/store/contracts/audit.ts'
import type { Store } from '../../src/store/contracts/store.ts'
import type { Subscription } from '../../src/store/contracts/subscriptions.ts'
import { parseSubscription } from '../../src/subscriptions/subscription-input.ts'

const RECEIVER = 'https://hooks.northgate.example/slots'

/** The subscriptions of an organization after a month, in every status. Returns the id of one that works. */
export async function writeSubscriptions(
  store: Store,
  organizationId: string,
  { nameOf, ...by }: AuditActor & { nameOf: (plain: string) => string },
): Promise<string> {
  const create = async (filters: Record<string, string | string[]>, description: string, url = RECEIVER) => {
    const parsed = parseSubscription(
      { url, filters, description: nameOf(description) },
      { allowPrivate: false, nowMs: Date.now() },
    )
    return store.subscriptions.create({ ...parsed, organizationId, secret: 'unreadable' }, by, 100)
  }
  const pending = await create({ isVirtual: 'true' }, 'New receiver', 'https://staging.northgate.example/hook')
  const disabled = await create({ publisher: 'harbour-clinic' }, 'Old waiting list', 'https://old.northgate.example/')
  const paused = await create({}, 'Everything, for the demo')
  const active = await create({ state: ['MA', 'NH'], specialty: '207Q00000X' }, 'Waiting list of family medicine')
  await change(store, pending, { status: 'pending' })
  await change(store, disabled, { status: 'disabled', status_reason: 'failing' })
  await change(store, paused, { status: 'paused' })
  await change(store, active, {
    status: 'active',
    created_at_ms: Date.now() - 20 * DAY_MS,
    last_delivered_at_ms: Date.now() - 3 * MINUTE_MS,
    held_back: JSON.stringify({ flap: 12, firstSync: 8_400 }),
  })
  await deliver(store, active)
  return active.id
}

/** Nothing is sent during the tests. */
async function change(store: Store, { id }: Subscription, values: object): Promise<void> {
  const { queries } = store.signIn
  await queries.deleteFrom('delivery_queues').where('subscription_id', '=', id).execute()
  await queries.updateTable('subscriptions').set(values).where('id', '=', id).execute()
}

async function deliver(store: Store, { id, organizationId }: Subscription): Promise<void> {
  const { queries } = store.signIn
  await queries.updateTable('subscription_events').set(DELIVERED).where('subscription_id', '=', id).execute()
  const outcomes = [DELIVERED, { ...DELIVERED, response_ms: 2_100 }, FAILED, DELIVERED]
  const rows = outcomes.map((outcome, n) => ({
    id: `evt_0000000000000000000${n}`,
    sequence: 1_000_000 - n,
    subscription_id: id,
    organization_id: organizationId,
    type: 'slots.opened' as const,
    from_revision: 20 - n,
    to_revision: 21 - n,
    total: 1 + 7 * n,
    ids: JSON.stringify(['2j5h0m4o7n9r1t3u6a8b0d2e']),
    challenge: null,
    created_at_ms: Date.now() - (3 + 90 * n) * MINUTE_MS,
    requested_at_ms: null,
    ...outcome,
    attempted_at_ms: Date.now() - (3 + 90 * n) * MINUTE_MS,
    ended_at_ms: Date.now() - (3 + 90 * n) * MINUTE_MS,
  }))
  await queries.insertInto('subscription_events').values(rows).execute()
}

const DELIVERED = {
  status: 'delivered',
  attempts: 1,
  response_status: 200,
  response_ms: 84,
  response_body: 'ok',
  error: null,
  ended_at_ms: Date.now() - HOUR_MS,
  attempted_at_ms: Date.now() - HOUR_MS,
} as const

const FAILED = {
  ...DELIVERED,
  status: 'failed',
  attempts: 9,
  response_status: 503,
  response_ms: 15_000,
  response_body: '{"error":"Service unavailable"}',
  error: 'The receiver responded 503.',
} as const
