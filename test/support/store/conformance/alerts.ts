import assert from 'node:assert/strict'
import { DAY_MS } from '../../../../src/lib/time.ts'
import { ALERT_RETENTION_MS, type AlertChange, type DueAlertsQuery } from '../../../../src/store/contracts/alerts.ts'
import { type Guarantees, HARNESS_STARTS_MS } from './harness.ts'

const WAYS = ['webhook', 'email:ada@example.org']

/** `AlertStore`. */
export const ALERT_GUARANTEES: Guarantees = {
  'records a change once, even if several nodes detect it': async ({ store, open }) => {
    const other = await open()
    const { revision, open: before, lastCreatedAtMs: lastMadeAtMs } = await store.alerts.state()
    assert.deepEqual([before, lastMadeAtMs], [[], undefined])
    const telling = { channels: WAYS, changes: [changeOf({})], atMs: HARNESS_STARTS_MS }
    const told = await Promise.all([store.alerts.record(revision, telling), other.alerts.record(revision, telling)])
    assert.deepEqual(told.toSorted(), [false, true])
    const now = await other.alerts.state()
    assert.deepEqual(now.open, [{ sourceId: 1, slug: 'a', health: 'failing' }])
    assert.equal(now.lastCreatedAtMs, HARNESS_STARTS_MS)
    const due = await store.alerts.due(dueOf({}))
    assert.deepEqual(
      due.map(({ channel: way, changes, createdAtMs, attempts: tries }) => [way, changes, createdAtMs, tries]),
      WAYS.map((way) => [way, [changeOf({})], HARNESS_STARTS_MS, 0]),
    )
    assert.equal(new Set(due.map(({ key }) => key)).size, 2)
  },

  'keeps a problem until it is reported as resolved or its source is removed': async ({ store }) => {
    const tell = async (...changes: AlertChange[]) => {
      const { revision } = await store.alerts.state()
      assert.equal(await store.alerts.record(revision, { channels: ['webhook'], changes, atMs: 1 }), true)
      return (await store.alerts.state()).open.map(({ slug, health }) => `${slug} ${health}`)
    }
    const b = { sourceId: 2, slug: 'b' }
    assert.deepEqual(await tell(changeOf({}), changeOf(b)), ['a failing', 'b failing'])
    assert.deepEqual(await tell(changeOf({ health: 'stale' })), ['a stale', 'b failing'])
    assert.deepEqual(await tell(changeOf({ ...b, health: 'removed' })), ['a stale'])
    assert.deepEqual(await tell(changeOf({ health: 'healthy' })), [])
  },

  'lets one node start a delivery attempt, and none again before the next one is due': async ({ store, open }) => {
    const other = await open()
    await tellTimes(store, 1)
    const [message] = await store.alerts.due(dueOf({}))
    const begun = await Promise.all([
      store.alerts.beginAttempt(message, 5000),
      other.alerts.beginAttempt(message, 5000),
    ])
    assert.deepEqual(begun.toSorted(), [false, true])
    assert.deepEqual(await other.alerts.due(dueOf({ nowMs: 4999 })), [])
    assert.deepEqual(await other.alerts.due(dueOf({ nowMs: 5000 })), [{ ...message, attempts: 1 }])
    await other.alerts.end(message.id, 'sent', 5000)
    assert.deepEqual(await store.alerts.due(dueOf({})), [])
    assert.equal(await store.alerts.beginAttempt({ ...message, attempts: 1 }, 6000), false)
  },

  'returns the last delivered, failed and pending alert of each channel': async ({ store, open }) => {
    assert.deepEqual(await store.alerts.channels(), [])
    await tellTimes(store, 3, WAYS)
    const [, mail] = WAYS
    const end = async (way: string, outcome: 'sent' | 'given-up', atMs: number) => {
      const [message] = await store.alerts.due(dueOf({ channels: [way] }))
      await store.alerts.end(message.id, outcome, atMs)
    }
    await end('webhook', 'sent', 10)
    await end('webhook', 'given-up', 20)
    const [last] = await store.alerts.due(dueOf({ channels: ['webhook'] }))
    await store.alerts.beginAttempt(last, 5000)
    for (const atMs of [30, 40, 50]) await end(mail, 'sent', atMs)
    assert.deepEqual(await (await open()).alerts.channels(), [
      { channel: mail, deliveredAtMs: 50, waiting: 0 },
      {
        channel: 'webhook',
        deliveredAtMs: 10,
        givenUpAtMs: 20,
        waiting: 1,
        next: { createdAtMs: last.createdAtMs, attempts: 1, nextAttemptAtMs: 5000 },
      },
    ])
  },

  'delivers each channel in order and ignores other channels': async ({ store }) => {
    await tellTimes(store, 2, WAYS)
    const due = async (which: Partial<DueAlertsQuery>) => (await store.alerts.due(dueOf(which))).map(({ id }) => id)
    assert.deepEqual(await due({}), [1, 2])
    assert.deepEqual(await due({ channels: ['webhook'] }), [1])
    assert.deepEqual(await due({ channels: ['another'] }), [])
    assert.equal(await store.alerts.beginAttempt({ id: 1, attempts: 0 }, DAY_MS), true)
    assert.deepEqual(await due({ nowMs: DAY_MS - 1 }), [2])
    await store.alerts.end(2, 'given-up', 9)
    assert.deepEqual(await due({ nowMs: DAY_MS - 1 }), [4])
    assert.deepEqual(await due({ nowMs: DAY_MS, channels: ['another'], createdBeforeMs: 1 }), [1, 3, 4])
  },

  'deletes old finished deliveries, and never pending ones': async ({ store }) => {
    await tellTimes(store, 2, ['webhook', 'another'])
    await store.alerts.end(1, 'sent', 5)
    const { revision } = await store.alerts.state()
    const later = { channels: ['webhook'], changes: [changeOf({})], atMs: ALERT_RETENTION_MS + 6 }
    await store.alerts.record(revision, later)
    const due = await store.alerts.due(dueOf({ createdBeforeMs: later.atMs + 1 }))
    assert.deepEqual(
      due.map(({ id }) => id),
      [2, 3, 4, 5],
    )
    assert.equal(await store.alerts.beginAttempt({ id: 1, attempts: 0 }, 9), false)
    assert.equal((await store.alerts.state()).lastCreatedAtMs, later.atMs)
  },
}

async function tellTimes(
  { alerts }: Parameters<Guarantees[string]>[0]['store'],
  times: number,
  ways = ['webhook'],
): Promise<void> {
  for (let time = 0; time < times; time++) {
    const { revision } = await alerts.state()
    assert.equal(await alerts.record(revision, { channels: ways, changes: [changeOf({})], atMs: 0 }), true)
  }
}

function changeOf(part: Partial<AlertChange>): AlertChange {
  return { sourceId: 1, slug: 'a', health: 'failing', before: 'healthy', sinceMs: 3, why: 'Gone.', ...part }
}

function dueOf(part: Partial<DueAlertsQuery>): DueAlertsQuery {
  return { nowMs: HARNESS_STARTS_MS + DAY_MS, channels: WAYS, createdBeforeMs: 0, ...part }
}
