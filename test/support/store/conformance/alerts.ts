import assert from 'node:assert/strict'
import { DAY_MS } from '../../../../src/lib/time.ts'
import {
  ALERT_KEPT_MS,
  type AlertChange,
  type AlertsDue,
} from '../../../../src/store/contracts/alert-store.ts'
import { BED_STARTS_MS, type Guarantees } from './bed.ts'

const WAYS = ['webhook', 'email:ada@example.org']

/** What `AlertStore` promises. */
export const ALERT_GUARANTEES: Guarantees = {
  'tells what changed once, however many decide to': async ({ store, open }) => {
    const other = await open()
    const { revision, open: before, lastMadeAtMs } = await store.alerts.told()
    assert.deepEqual([before, lastMadeAtMs], [[], undefined])
    const telling = { ways: WAYS, changes: [changeOf({})], atMs: BED_STARTS_MS }
    const told = await Promise.all([
      store.alerts.tell(revision, telling),
      other.alerts.tell(revision, telling),
    ])
    assert.deepEqual(told.toSorted(), [false, true])
    const now = await other.alerts.told()
    assert.deepEqual(now.open, [{ sourceId: 1, slug: 'a', health: 'failing' }])
    assert.equal(now.lastMadeAtMs, BED_STARTS_MS)
    const due = await store.alerts.due(dueOf({}))
    assert.deepEqual(
      due.map(({ way, changes, madeAtMs, tries }) => [way, changes, madeAtMs, tries]),
      WAYS.map((way) => [way, [changeOf({})], BED_STARTS_MS, 0]),
    )
    assert.equal(new Set(due.map(({ key }) => key)).size, 2)
  },

  'remembers trouble until it is told that it is over, or that the source is gone': async ({ store }) => {
    const tell = async (...changes: AlertChange[]) => {
      const { revision } = await store.alerts.told()
      assert.equal(await store.alerts.tell(revision, { ways: ['webhook'], changes, atMs: 1 }), true)
      return (await store.alerts.told()).open.map(({ slug, health }) => `${slug} ${health}`)
    }
    const b = { sourceId: 2, slug: 'b' }
    assert.deepEqual(await tell(changeOf({}), changeOf(b)), ['a failing', 'b failing'])
    assert.deepEqual(await tell(changeOf({ health: 'stale' })), ['a stale', 'b failing'])
    assert.deepEqual(await tell(changeOf({ ...b, health: 'removed' })), ['a stale'])
    assert.deepEqual(await tell(changeOf({ health: 'healthy' })), [])
  },

  'lets one begin a try, and nobody again before its time': async ({ store, open }) => {
    const other = await open()
    await tellTimes(store, 1)
    const [message] = await store.alerts.due(dueOf({}))
    const begun = await Promise.all([store.alerts.begin(message, 5000), other.alerts.begin(message, 5000)])
    assert.deepEqual(begun.toSorted(), [false, true])
    assert.deepEqual(await other.alerts.due(dueOf({ nowMs: 4999 })), [])
    assert.deepEqual(await other.alerts.due(dueOf({ nowMs: 5000 })), [{ ...message, tries: 1 }])
    await other.alerts.end(message.id, 'sent', 5000)
    assert.deepEqual(await store.alerts.due(dueOf({})), [])
    assert.equal(await store.alerts.begin({ ...message, tries: 1 }, 6000), false)
  },

  'knows of each way what arrived last, what was given up, and what waits': async ({ store, open }) => {
    assert.deepEqual(await store.alerts.ways(), [])
    await tellTimes(store, 3, WAYS)
    const [, mail] = WAYS
    const end = async (way: string, outcome: 'sent' | 'given-up', atMs: number) => {
      const [message] = await store.alerts.due(dueOf({ ways: [way] }))
      await store.alerts.end(message.id, outcome, atMs)
    }
    await end('webhook', 'sent', 10)
    await end('webhook', 'given-up', 20)
    const [last] = await store.alerts.due(dueOf({ ways: ['webhook'] }))
    await store.alerts.begin(last, 5000)
    for (const atMs of [30, 40, 50]) await end(mail, 'sent', atMs)
    assert.deepEqual(await (await open()).alerts.ways(), [
      { way: mail, arrivedAtMs: 50, waiting: 0 },
      {
        way: 'webhook',
        arrivedAtMs: 10,
        givenUpAtMs: 20,
        waiting: 1,
        next: { madeAtMs: last.madeAtMs, tries: 1, nextTryAtMs: 5000 },
      },
    ])
  },

  'goes each way in order, and leaves alone what is not asked for': async ({ store }) => {
    await tellTimes(store, 2, WAYS)
    const due = async (which: Partial<AlertsDue>) =>
      (await store.alerts.due(dueOf(which))).map(({ id }) => id)
    assert.deepEqual(await due({}), [1, 2])
    assert.deepEqual(await due({ ways: ['webhook'] }), [1])
    assert.deepEqual(await due({ ways: ['another'] }), [])
    assert.equal(await store.alerts.begin({ id: 1, tries: 0 }, DAY_MS), true)
    assert.deepEqual(await due({ nowMs: DAY_MS - 1 }), [2])
    await store.alerts.end(2, 'given-up', 9)
    assert.deepEqual(await due({ nowMs: DAY_MS - 1 }), [4])
    assert.deepEqual(await due({ nowMs: DAY_MS, ways: ['another'], madeBeforeMs: 1 }), [1, 3, 4])
  },

  'forgets what ended long ago, and never what is on its way': async ({ store }) => {
    await tellTimes(store, 2, ['webhook', 'another'])
    await store.alerts.end(1, 'sent', 5)
    const { revision } = await store.alerts.told()
    const later = { ways: ['webhook'], changes: [changeOf({})], atMs: ALERT_KEPT_MS + 6 }
    await store.alerts.tell(revision, later)
    const due = await store.alerts.due(dueOf({ madeBeforeMs: later.atMs + 1 }))
    assert.deepEqual(
      due.map(({ id }) => id),
      [2, 3, 4, 5],
    )
    assert.equal(await store.alerts.begin({ id: 1, tries: 0 }, 9), false)
    assert.equal((await store.alerts.told()).lastMadeAtMs, later.atMs)
  },
}

async function tellTimes(
  { alerts }: Parameters<Guarantees[string]>[0]['store'],
  times: number,
  ways = ['webhook'],
): Promise<void> {
  for (let time = 0; time < times; time++) {
    const { revision } = await alerts.told()
    assert.equal(await alerts.tell(revision, { ways, changes: [changeOf({})], atMs: 0 }), true)
  }
}

function changeOf(part: Partial<AlertChange>): AlertChange {
  return { sourceId: 1, slug: 'a', health: 'failing', before: 'healthy', sinceMs: 3, why: 'Gone.', ...part }
}

function dueOf(part: Partial<AlertsDue>): AlertsDue {
  return { nowMs: BED_STARTS_MS + DAY_MS, ways: WAYS, madeBeforeMs: 0, ...part }
}
