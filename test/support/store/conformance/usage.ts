import assert from 'node:assert/strict'
import { EMPTY_USAGE } from '../../../../src/keys/usage-batch.ts'
import { DAY_MS, HOUR_MS } from '../../../../src/lib/time.ts'
import type { UsageBatch } from '../../../../src/store/contracts/keys.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import type { Guarantees } from './harness.ts'
import { keyOf } from './samples.ts'

const ALL = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }

/** `UsageStore`. */
export const USAGE_GUARANTEES: Guarantees = {
  'adds counts by key, hour and status': async ({ store, open }) => {
    const organizationId = await acme(store)
    const other = await open()
    await store.usage.add(batchOf({ requests: [hour('k1', 1, 200, 3), hour('k1', 1, 401, 1)] }))
    await other.usage.add(batchOf({ requests: [hour('k1', 1, 200, 2), hour('k2', 0, 200, 7)] }))
    assert.deepEqual(await store.usage.hours({ organizationId, ...ALL }), [
      { hourMs: 0, keyId: 'k2', status: 200, requests: 7 },
      { hourMs: HOUR_MS, keyId: 'k1', status: 200, requests: 5 },
      { hourMs: HOUR_MS, keyId: 'k1', status: 401, requests: 1 },
    ])
  },

  'lists hours within a period, of one key or all': async ({ store }) => {
    const organizationId = await acme(store)
    await store.usage.add(batchOf({ requests: [0, 1, 2, 3].map((at) => hour(at === 2 ? 'k2' : 'k1', at, 200, 1)) }))
    const hours = async (filter: { fromMs: number; toMs: number; keyId?: string }) =>
      (await store.usage.hours({ organizationId, ...filter })).map(({ hourMs }) => hourMs / HOUR_MS)
    assert.deepEqual(await hours({ fromMs: HOUR_MS, toMs: 3 * HOUR_MS }), [1, 2])
    assert.deepEqual(await hours({ ...ALL, keyId: 'k1' }), [0, 1, 3])
  },

  'shows nothing of another organization': async ({ store }) => {
    await acme(store)
    const { id } = await store.organizations.create('Other')
    await store.usage.add(batchOf({ requests: [hour('k1', 1, 200, 1)], latencies: [latency('k1', 1, 2, 1)] }))
    const filter = { organizationId: id, keyId: 'k1', ...ALL }
    assert.deepEqual(await store.usage.hours(filter), [])
    assert.deepEqual(await store.usage.latencies(filter), [])
  },

  'ignores keys that do not exist, and counts the rest': async ({ store }) => {
    const organizationId = await acme(store)
    await store.usage.add(
      batchOf({
        requests: [hour('gone', 1, 200, 1), hour('k1', 1, 200, 1)],
        latencies: [latency('gone', 1, 2, 1)],
        referrals: [],
        lastUsed: new Map([
          ['gone', 5],
          ['k1', 6],
        ]),
      }),
    )
    assert.equal((await store.usage.hours({ organizationId, ...ALL })).length, 1)
    assert.equal((await store.keys.find('k1'))?.lastUsedAtMs, 6)
  },

  'adds up latencies of all keys by hour and bucket': async ({ store }) => {
    const organizationId = await acme(store)
    await store.usage.add(
      batchOf({
        latencies: [
          latency('k1', 0, 3, 2),
          latency('k1', 1, 3, 5),
          latency('k2', 1, 0, 1),
          latency('k2', 1, 3, 2),
          latency('k1', 9, 3, 9),
        ],
      }),
    )
    const filter = { organizationId, fromMs: 0, toMs: 9 * HOUR_MS }
    assert.deepEqual(await store.usage.latencies(filter), [
      { hourMs: 0, counts: [0, 0, 0, 2] },
      { hourMs: HOUR_MS, counts: [1, 0, 0, 7] },
    ])
    assert.deepEqual(await store.usage.latencies({ ...filter, keyId: 'k2' }), [
      { hourMs: HOUR_MS, counts: [1, 0, 0, 2] },
    ])
  },

  'records when a key was last used, never backward and without a new revision': async ({ store }) => {
    await acme(store)
    const before = await store.revisionFeed.revisions()
    await store.usage.add(batchOf({ lastUsed: new Map([['k1', 10]]) }))
    await store.usage.add(batchOf({ lastUsed: new Map([['k1', 9]]) }))
    assert.equal((await store.keys.find('k1'))?.lastUsedAtMs, 10)
    assert.deepEqual(await store.revisionFeed.revisions(), before)
  },

  'adds a batch completely or not at all': async ({ store }) => {
    const organizationId = await acme(store)
    const broken = batchOf({
      requests: [hour('k1', 1, 200, 1)],
      latencies: [latency('k1', 1, Number.NaN, 1)],
    })
    await assert.rejects(store.usage.add(broken))
    assert.deepEqual(await store.usage.hours({ organizationId, ...ALL }), [])
    await store.usage.add(batchOf({}))
  },

  'adds a batch once that is sent again': async ({ store, open }) => {
    const organizationId = await acme(store)
    const other = await open()
    const send = (to: Store, number: number, meter = 'meter') =>
      to.usage.add(batchOf({ id: { meter, number }, requests: [hour('k1', 1, 200, number)] }))
    const sum = async () => (await store.usage.hours({ organizationId, ...ALL }))[0].requests
    await send(store, 1)
    await send(other, 1)
    await send(store, 2)
    await send(other, 1, 'other meter')
    await send(other, 2)
    assert.equal(await sum(), 1 + 2 + 1)
    await store.usage.deleteBefore(Number.MAX_SAFE_INTEGER)
    await send(store, 2)
    assert.equal(await sum(), 2)
  },

  'adds up referrals by source and day, and forgets them with their source': async ({ store }) => {
    const [one] = await Promise.all(
      ['one', 'two'].map((slug) =>
        store.sources.add({ slug, format: 'smart-links', url: 'https://a.example', strict: false }),
      ),
    )
    const of = (publisher: string, day: number, count: number) => ({ publisher, dayMs: day * DAY_MS, count })
    await store.usage.add(batchOf({ referrals: [of('two', 3, 9), of('one', 1, 2), of('gone', 1, 1)] }))
    await store.usage.add(batchOf({ referrals: [of('one', 1, 3), of('one', 2, 4)] }))
    const counts = (fromDay: number) =>
      Promise.all(['one', 'two', 'gone'].map((slug) => store.usage.referrals(slug, fromDay * DAY_MS)))
    assert.deepEqual(await counts(0), [9, 9, 0])
    assert.deepEqual(await counts(2), [4, 9, 0])
    await store.usage.deleteBefore(2 * DAY_MS)
    assert.deepEqual(await counts(0), [4, 9, 0])
    await store.sources.remove(one.slug)
    assert.deepEqual(await counts(0), [0, 9, 0])
  },

  'deletes hours before a time, also more than one batch, and none after it': async ({ store }) => {
    const organizationId = await acme(store)
    const requests = Array.from({ length: 6_000 }, (_, at) => hour('k1', at, 200, 1))
    const latencies = requests.map(({ hourMs }) => ({ keyId: 'k1', hourMs, bucket: 1, count: 1 }))
    await store.usage.add(batchOf({ requests, latencies }))
    await store.usage.deleteBefore(5_999 * HOUR_MS)
    const left = await store.usage.hours({ organizationId, ...ALL })
    assert.deepEqual(
      left.map(({ hourMs }) => hourMs / HOUR_MS),
      [5_999],
    )
    assert.deepEqual(await store.usage.latencies({ organizationId, ...ALL }), [
      { hourMs: 5_999 * HOUR_MS, counts: [0, 1] },
    ])
  },
}

/** An organization with the keys k1 and k2. Returns its id. */
async function acme(store: Store): Promise<string> {
  const { id: organizationId } = await store.organizations.create('Acme')
  for (const id of ['k1', 'k2']) await store.keys.put(keyOf({ id, organizationId }))
  return organizationId
}

function batchOf(part: Partial<UsageBatch>): UsageBatch {
  return { ...EMPTY_USAGE, ...part }
}

function hour(keyId: string, at: number, status: number, count: number): UsageBatch['requests'][number] {
  return { keyId, hourMs: at * HOUR_MS, status, count }
}

function latency(keyId: string, at: number, bucket: number, count: number): UsageBatch['latencies'][number] {
  return { keyId, hourMs: at * HOUR_MS, bucket, count }
}
