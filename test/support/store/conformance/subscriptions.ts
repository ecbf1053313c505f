import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { DAY_MS } from '../../../../src/lib/time.ts'
import type { SubscriptionSort } from '../../../../src/shared/subscription-vocabulary.ts'
import { LimitReached, RateLimitReached, RoleRequired, type Store } from '../../../../src/store/contracts/store.ts'
import {
  REQUESTED_MAX,
  type Subscription,
  type SubscriptionDraft,
  subscriptionPosition,
  VERIFICATIONS_MAX,
} from '../../../../src/store/contracts/subscriptions.ts'
import { type Guarantees, HARNESS_STARTS_MS } from './harness.ts'
import { addPerson, found, logOf } from './people.ts'
import { addSource, draftOf, sync } from './samples.ts'

/** `SubscriptionStore`. */
export const SUBSCRIPTION_GUARANTEES: Guarantees = {
  'stores a pending subscription and queues the verification of its address': async ({ store, open }) => {
    const { organization, owner } = await found(store)
    const created = await store.subscriptions.create(draft(organization.id), owner, 10)
    assert.match(created.id, /^sub_[0-9a-f]{20}$/)
    const { organizationId, url, filters, query, events, minIntervalMs } = draft(organization.id)
    assert.deepEqual(created, {
      ...{ id: created.id, organizationId, url, filters, query, events, minIntervalMs, status: 'pending' },
      ...{ isVerified: false, createdAtMs: HARNESS_STARTS_MS, createdBy: owner.name, updatedAtMs: HARNESS_STARTS_MS },
      ...{ sinceRevision: 0, heldBack: {} },
    })
    const reader = await open()
    assert.deepEqual(await reader.subscriptions.find(created), created)
    const [{ type, status, attempts }] = await deliveriesOf(reader, created)
    assert.deepEqual([type, status, attempts], ['subscription.verification', 'queued', 0])
    assert.deepEqual(await store.subscriptions.summary(organization.id), {
      queued: 1,
      failed: 0,
      oldestQueuedAtMs: HARNESS_STARTS_MS,
    })
    assert.deepEqual((await logOf(store, organization.id)).at(-1), ['subscription.created', owner.name, created.id])
  },

  'does not store more subscriptions than the limit, even if two nodes create one at once': async ({ store, open }) => {
    const { organization, owner } = await found(store)
    const other = await open()
    const create = (at: Store) => at.subscriptions.create(draft(organization.id), owner, 3)
    const results = await Promise.allSettled([store, other, store, other].map(create))
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    assert.equal(refused.length, 1)
    assert.ok(refused[0] instanceof LimitReached)
    const [first, ...others] = await store.subscriptions.list(organization.id)
    assert.equal(others.length, 2)
    assert.equal(await store.subscriptions.remove(first, owner), true)
    await create(store)
  },

  'lists the newest first, page by page, by text and status': async ({ store, clock }) => {
    const { organization, owner } = await found(store)
    const made: Subscription[] = []
    for (const query of ['state=MA', 'state=CA', 'city=Boston']) {
      clock.nowMs++
      made.unshift(await store.subscriptions.create({ ...draft(organization.id), query }, owner, 10))
    }
    const list = store.subscriptions.list.bind(store.subscriptions)
    assert.deepEqual(await list(organization.id), made)
    assert.deepEqual(await list(organization.id, { limit: 2 }), made.slice(0, 2))
    assert.deepEqual(await list(organization.id, { limit: 2, after: subscriptionPosition(made[1]) }), made.slice(2))
    assert.deepEqual(await list(organization.id, undefined, { search: 'STATE=' }), made.slice(1))
    assert.deepEqual(await list(organization.id, undefined, { status: 'active' }), [])
    assert.deepEqual(await list(), made)
    const edited = await store.subscriptions.edit(made[0], { description: 'Équipe Été' }, owner)
    assert.deepEqual(await list(organization.id, undefined, { search: 'ÉqUIPE Été' }), [edited])
  },

  'lists by last delivery, page by page': async ({ store, clock }) => {
    const { organization, owner } = await found(store)
    const made: string[] = []
    for (let n = 0; n < 3; n++) {
      clock.nowMs++
      made.push((await store.subscriptions.create(draft(organization.id), owner, 10)).id)
    }
    const [first, second, third] = made
    await sql`update subscriptions set last_delivered_at_ms = ${clock.nowMs} where id = ${second}`.execute(
      store.signIn.queries,
    )
    const idsBy = async (sort: SubscriptionSort) => {
      const ids: string[] = []
      let last: Subscription | undefined
      do {
        const after = last && { after: subscriptionPosition(last, sort) }
        ;[last] = await store.subscriptions.list(organization.id, { limit: 1, ...after }, { sort })
        if (last) ids.push(last.id)
      } while (last)
      return ids
    }
    assert.deepEqual(await idsBy('delivered'), [second, third, first])
    assert.deepEqual(await idsBy('undelivered'), [first, third, second])
    assert.deepEqual(await idsBy('newest'), [third, second, first])
  },

  'another organization neither sees nor changes a subscription': async ({ store }) => {
    const { organization, owner } = await found(store)
    const stranger = await found(store, 'Other')
    const created = await store.subscriptions.create(draft(organization.id), owner, 10)
    const [{ id: deliveryId }] = await deliveriesOf(store, created)
    const of = { id: created.id, organizationId: stranger.organization.id }
    const { subscriptions } = store
    assert.equal(await subscriptions.find(of), undefined)
    assert.equal(await subscriptions.edit(of, { status: 'paused' }, stranger.owner), undefined)
    assert.equal(await subscriptions.rotateSecret(of, 'x', stranger.owner), undefined)
    assert.equal(await subscriptions.remove(of, stranger.owner), false)
    assert.equal(await subscriptions.sendTest(of, stranger.owner), undefined)
    assert.equal(await subscriptions.deliveries(of, { limit: 9 }), undefined)
    assert.equal(await subscriptions.delivery(of, deliveryId), undefined)
    assert.equal(await subscriptions.retry(of, deliveryId, stranger.owner), undefined)
    assert.deepEqual(await subscriptions.list(stranger.organization.id), [])
    assert.deepEqual(await subscriptions.find(created), created)
    const nobody = await addPerson(store, 'Nobody')
    await assert.rejects(subscriptions.edit(created, { status: 'paused' }, nobody), RoleRequired)
  },

  'changes only what an edit names, and verifies a new address again': async ({ store, clock }) => {
    const { organization, owner } = await found(store)
    const created = await store.subscriptions.create(draft(organization.id), owner, 10)
    clock.nowMs++
    const edit = { description: 'Boston', minIntervalMs: 5_000, expiresAtMs: HARNESS_STARTS_MS + DAY_MS }
    const edited = await store.subscriptions.edit(created, edit, owner)
    assert.deepEqual(edited, { ...created, ...edit, updatedAtMs: clock.nowMs })
    const cleared = await store.subscriptions.edit(created, { description: null, expiresAtMs: null }, owner)
    assert.deepEqual(cleared, { ...created, minIntervalMs: 5_000, updatedAtMs: clock.nowMs })
    const log = await logOf(store, organization.id)
    assert.deepEqual(await store.subscriptions.edit(created, { minIntervalMs: 5_000 }, owner), cleared)
    assert.deepEqual(await logOf(store, organization.id), log)
    await store.subscriptions.edit(created, { url: 'https://other.example/hook' }, owner)
    const deliveries = await deliveriesOf(store, created)
    assert.deepEqual(
      deliveries.map(({ type, status }) => [type, status]),
      [
        ['subscription.verification', 'queued'],
        ['subscription.verification', 'canceled'],
      ],
    )
    assert.deepEqual(
      log.slice(-2).map(([kind]) => kind),
      ['subscription.edited', 'subscription.edited'],
    )
  },

  'a pause cancels what is queued, and a resumption matches only later commits': async ({ store }) => {
    const { organization, owner } = await found(store)
    const created = await store.subscriptions.create(draft(organization.id), owner, 10)
    const paused = await store.subscriptions.edit(created, { status: 'paused' }, owner)
    assert.equal(paused?.status, 'paused')
    assert.deepEqual(
      (await deliveriesOf(store, created)).map(({ status }) => status),
      ['canceled'],
    )
    await sync(store, await addSource(store), { inserted: [draftOf('a')] })
    const resumed = await store.subscriptions.edit(created, { status: 'active' }, owner)
    const { slots } = await store.revisionFeed.revisions()
    assert.ok(slots > created.sinceRevision)
    assert.deepEqual([resumed?.status, resumed?.sinceRevision], ['pending', slots])
    assert.equal((await deliveriesOf(store, created))[0].status, 'queued')
    const kinds = (await logOf(store, organization.id)).map(([kind]) => kind)
    assert.deepEqual(kinds.slice(-2), ['subscription.paused', 'subscription.resumed'])
  },

  'returns what changed since a revision, and what no longer matches': async ({ store, open }) => {
    const { organization, owner } = await found(store)
    const reader = await open()
    const [first, second] = [
      await store.subscriptions.create(draft(organization.id), owner, 10),
      await store.subscriptions.create(draft(organization.id), owner, 10),
    ]
    const all = await reader.subscriptions.changedSince(0)
    assert.deepEqual(
      all.subscriptions.map(({ id, query, matches }) => [id, query, matches]),
      [first, second].map(({ id }) => [id, 'state=MA', true]),
    )
    let { revision } = all
    const changes = async () => {
      const changed = await reader.subscriptions.changedSince(revision)
      revision = changed.revision
      return changed.subscriptions.map(({ id, matches }) => [id, matches])
    }
    assert.deepEqual(await changes(), [])
    await store.subscriptions.edit(first, { status: 'paused' }, owner)
    assert.deepEqual(await changes(), [[first.id, false]])
    await store.organizations.suspend(organization.id, 'abuse', owner)
    assert.deepEqual((await changes()).toSorted(), [first, second].map(({ id }) => [id, false]).toSorted())
    await store.organizations.resume(organization.id, owner)
    assert.deepEqual(new Map((await changes()) as [string, boolean][]).get(second.id), true)
    await store.subscriptions.remove(second, owner)
    assert.deepEqual(await changes(), [[second.id, false]])
    await store.organizations.remove(organization.id, owner)
    assert.deepEqual(await changes(), [[first.id, false]])
    assert.deepEqual((await reader.subscriptions.changedSince(0)).subscriptions, [])
    assert.equal(await reader.subscriptions.find(first), undefined)
  },

  'keeps the previous secret for a while and can encrypt both again': async ({ store }) => {
    const { organization, owner } = await found(store)
    const { id, organizationId } = await store.subscriptions.create(draft(organization.id), owner, 10)
    const rotated = await store.subscriptions.rotateSecret({ id, organizationId }, 'second', owner)
    assert.equal(rotated?.previousSecretUntilMs, HARNESS_STARTS_MS + DAY_MS)
    assert.equal(JSON.stringify(rotated).includes('second'), false)
    assert.deepEqual(await store.subscriptions.secrets(), [{ id, secret: 'second', previousSecret: 'first' }])
    assert.equal(await store.subscriptions.replaceSecret(id, 'first', 'first again'), 1)
    assert.equal(await store.subscriptions.replaceSecret(id, 'unknown', 'x'), 0)
    assert.deepEqual(await store.subscriptions.secrets(), [{ id, secret: 'second', previousSecret: 'first again' }])
  },

  'limits tests and retries of a subscription in a minute': async ({ store, clock }) => {
    const { organization, owner } = await found(store)
    const created = await store.subscriptions.create(draft(organization.id), owner, 10)
    for (let count = 0; count < REQUESTED_MAX; count++) await store.subscriptions.sendTest(created, owner)
    await assert.rejects(store.subscriptions.sendTest(created, owner), LimitReached)
    const [newest, oldest] = [(await deliveriesOf(store, created))[0], (await deliveriesOf(store, created)).at(-1)]
    assert.deepEqual([newest.type, newest.status, oldest?.status], ['subscription.verification', 'queued', 'canceled'])
    await assert.rejects(store.subscriptions.retry(created, oldest?.id ?? '', owner), LimitReached)
    clock.nowMs += 60_001
    const again = await store.subscriptions.retry(created, oldest?.id ?? '', owner)
    assert.deepEqual([again?.id, again?.status], [oldest?.id, 'queued'])
    assert.equal(await store.subscriptions.retry(created, 'evt_none', owner), undefined)
    const page = await store.subscriptions.deliveries(created, { limit: 2 })
    assert.equal(page?.length, 2)
    const next = await store.subscriptions.deliveries(created, { limit: 100, beforeSequence: page?.[1].sequence ?? 0 })
    assert.equal(next?.length, REQUESTED_MAX - 1)
  },

  'limits new addresses of a subscription in a minute like tests': async ({ store, clock }) => {
    const { organization, owner } = await found(store)
    const created = await store.subscriptions.create(draft(organization.id), owner, 10)
    const move = (n: number) => store.subscriptions.edit(created, { url: `https://app${n}.example/hook` }, owner)
    await store.subscriptions.sendTest(created, owner)
    for (let n = 1; n < REQUESTED_MAX; n++) await move(n)
    const before = await store.subscriptions.find(created)
    await assert.rejects(move(REQUESTED_MAX), RateLimitReached)
    await assert.rejects(store.subscriptions.sendTest(created, owner), RateLimitReached)
    assert.deepEqual(await store.subscriptions.find(created), before)
    await store.subscriptions.edit(created, { description: 'the same address' }, owner)
    // The clock was ahead.
    clock.nowMs -= 10 * DAY_MS
    await store.subscriptions.sendTest(created, owner)
    clock.nowMs += 10 * DAY_MS + 60_001
    await move(REQUESTED_MAX)
  },

  'limits verifications of an organization in a minute, whatever asks for them': async ({ store, clock }) => {
    const { organization, owner } = await found(store)
    const create = () => store.subscriptions.create(draft(organization.id), owner, 10)
    const kept = await create()
    for (let n = 1; n < VERIFICATIONS_MAX - 3; n++) await store.subscriptions.remove(await create(), owner)
    const [{ id }] = await deliveriesOf(store, kept)
    await store.subscriptions.retry(kept, id, owner)
    await store.subscriptions.sendTest(kept, owner)
    await store.subscriptions.edit(kept, { url: 'https://other.example/hook' }, owner)
    await assert.rejects(create(), RateLimitReached)
    const [newest] = await deliveriesOf(store, kept)
    await assert.rejects(store.subscriptions.retry(kept, newest.id, owner), RateLimitReached)
    await assert.rejects(store.subscriptions.sendTest(kept, owner), RateLimitReached)
    await assert.rejects(store.subscriptions.edit(kept, { url: draft('').url }, owner), RateLimitReached)
    const other = await found(store, 'Other Clinic')
    await store.subscriptions.create(draft(other.organization.id), other.owner, 10)
    clock.nowMs += 60_001
    await create()
  },

  'deletes what is left of deleted subscriptions after retention': async ({ store, clock, open }) => {
    const { organization, owner } = await found(store)
    const created = await store.subscriptions.create(draft(organization.id), owner, 10)
    await store.organizations.remove(organization.id, owner)
    assert.equal(await store.subscriptions.deleteEnded(clock.nowMs), 0)
    assert.equal(await store.subscriptions.deleteEnded(clock.nowMs + 1), 2)
    const reader = await open()
    assert.deepEqual((await reader.subscriptions.changedSince(1)).subscriptions, [])
    assert.equal(await reader.subscriptions.deliveries(created, { limit: 1 }), undefined)
  },
}

function draft(organizationId: string): SubscriptionDraft {
  return {
    organizationId,
    url: 'https://app.example/hook',
    filters: { state: 'MA' },
    query: 'state=MA',
    events: ['slots.opened'],
    minIntervalMs: 60_000,
    secret: 'first',
  }
}

async function deliveriesOf(store: Store, of: Subscription) {
  return (await store.subscriptions.deliveries(of, { limit: 100 })) ?? assert.fail('the subscription must exist')
}
