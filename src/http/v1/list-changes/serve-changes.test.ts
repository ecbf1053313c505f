import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Clinic, NOW_MS, served } from '../../../../test/support/http/changes-fixture.ts'
import { slotOf } from '../../../../test/support/store/temp-store.ts'
import type { ChangeLog } from '../../../store/contracts/change-log.ts'
import { StoreUnavailable } from '../../../store/contracts/store.ts'

const AWAY: ChangeLog = { open: () => Promise.reject(new StoreUnavailable('away')) }
const BROKEN: ChangeLog = { open: () => Promise.reject(new Error('an internal error')) }

test('returns added, changed and removed slots as the list has them', async (t) => {
  const clinic = await Clinic.open(t)
  await clinic.publish([slotOf(0), slotOf(1)])
  const since = await clinic.revision()
  await clinic.publish([slotOf(1, { capacity: 3 }), slotOf(2)])
  const { status, headers, body, next } = await clinic.ask(`since=${since}`)
  assert.deepEqual([status, headers['content-type'], next], [200, 'application/json', undefined])
  assert.deepEqual(body.changes, [
    { change: 'removed', id: slotOf(0).id, start: '2030-01-01T00:00:00.000Z' },
    { change: 'changed', slot: served(slotOf(1, { capacity: 3 })) },
    { change: 'added', slot: served(slotOf(2)) },
  ])
  assert.equal(body.revision, await clinic.revision())
  assert.deepEqual((await clinic.ask(`since=${body.revision}`)).body, {
    changes: [],
    revision: body.revision,
  })
})

test('links each page to the next with all parameters, and the last page to none', async (t) => {
  const clinic = await Clinic.open(t)
  const since = await clinic.revision()
  await clinic.publish([0, 1, 2, 3, 4].map((n) => slotOf(n)))
  const first = await clinic.ask(`publisher=clinic&since=${since}&limit=2`)
  assert.equal(first.next, `publisher=clinic&limit=2&since=${first.body.revision}`)
  const pages = await clinic.pages(`limit=2&%73ince=${since}`)
  assert.deepEqual(
    pages.map(({ body }) => body.changes.length),
    [2, 2, 1],
  )
  assert.equal(pages.at(-1)?.body.revision, await clinic.revision())
  assert.equal((await clinic.pages(`limit=5&since=${since}`)).length, 1)
})

test('explains invalid parameters and where to get a missing revision', async (t) => {
  const clinic = await Clinic.open(t)
  const since = await clinic.revision()
  for (const [search, parameter, message] of [
    ['', 'since', /^since is required: a revision from an export of all slots or .*\.$/],
    ['since=', 'since', /: got ""\.$/],
    ['since=12', 'since', /: got "12"\.$/],
    [`since=${since}&since=${since}`, 'since', /must not be repeated/],
    [`since=${since}&limit=0`, 'limit', /an integer from 1 to 1000: got "0"/],
    [`since=${since}&limit=1001`, 'limit', /from 1 to 1000/],
    [`since=${since}&state=M`, 'state', /such as MA or Massachusetts/],
    [`since=${since}&offset=1`, 'offset', /Unknown parameter/],
  ] as const) {
    const { status, body } = await clinic.ask(search)
    assert.deepEqual([status, body.error, body.parameter], [400, 'Invalid parameter', parameter], search)
    assert.match(body.message ?? '', message)
  }
})

test('derives the ETag of a page from its content and requires revalidation', async (t) => {
  const clinic = await Clinic.open(t)
  const since = await clinic.revision()
  const [first, again] = [await clinic.ask(`since=${since}`), await clinic.ask(`limit=5&since=${since}`)]
  assert.match(first.headers.etag, /^"[0-9a-v]{24}"$/)
  assert.deepEqual([again.headers.etag, first.headers['cache-control']], [first.headers.etag, 'private, no-cache'])
  await clinic.publish([slotOf(0)])
  assert.notEqual((await clinic.ask(`since=${since}`)).headers.etag, first.headers.etag)
})

test('returns 410 for a revision of another store, of the future or beyond retention', async (t) => {
  const clinic = await Clinic.open(t)
  const first = await clinic.revision()
  await clinic.publish([slotOf(0)])
  const second = await clinic.revision()
  const [store, revision] = second.split('.')
  for (const since of [
    `${(Number.parseInt(store, 36) + 1).toString(36)}.${revision}`,
    `${store}.${revision}0`,
    `${store}.${revision}0.b1`,
  ]) {
    const { status, body } = await clinic.ask(`since=${since}`)
    assert.deepEqual([status, body.error], [410, 'Gone'])
    assert.match(body.message ?? '', new RegExp(`revision "${since}" .*Export all slots again`))
  }
  assert.equal((await clinic.ask(`since=${first}`)).status, 200)
  await clinic.store.revisionFeed.purge(0, NOW_MS)
  assert.equal((await clinic.ask(`since=${first}`)).status, 410)
  assert.equal((await clinic.ask(`since=${first}.b1`)).status, 410)
  assert.equal((await clinic.ask(`since=${second}`)).status, 200)
})

test('returns matching slots, and slots that no longer match as removed', async (t) => {
  const clinic = await Clinic.open(t)
  await clinic.publish([slotOf(0), slotOf(1, { status: 'busy' }), slotOf(2, { status: 'busy' })])
  const since = await clinic.revision()
  const busy = { status: 'busy' } as const
  await clinic.publish([slotOf(0, busy), slotOf(1), slotOf(3, busy), slotOf(4)])
  const changesOf = async (search: string) => {
    const { body } = await clinic.ask(`since=${since}${search}`)
    // Changes of one commit are in no particular order.
    return body.changes.map(({ change, id, slot }) => `${change} ${id ?? slot?.id}`).sort()
  }
  const removed = (id: string) => `removed ${id}`
  const [none, one, two, three, four] = [0, 1, 2, 3, 4].map((n) => slotOf(n).id)
  assert.deepEqual(await changesOf(''), [`added ${four}`, `changed ${one}`, ...[none, two].map(removed).sort()])
  assert.deepEqual(await changesOf('&status=busy'), [
    `added ${three}`,
    `changed ${none}`,
    ...[one, two].map(removed).sort(),
  ])
  assert.deepEqual(await changesOf('&publisher=other'), [none, one, two].map(removed).sort())
})

test('leaves out added slots that have ended unless their time is requested', async (t) => {
  const clinic = await Clinic.open(t)
  const since = await clinic.revision()
  const startMs = NOW_MS - 3_600_000
  const ends = [NOW_MS - 1, NOW_MS, NOW_MS + 1]
  await clinic.publish(ends.map((endMs, n) => slotOf(n, { startMs, endMs })))
  const count = async (search: string) => (await clinic.ask(`since=${since}${search}`)).body.changes.length
  assert.equal(await count(''), 1)
  assert.equal(await count(`&startAfter=${new Date(startMs).toISOString()}`), 3)
})

test('includes slots that start at the bound or have exactly the requested duration', async (t) => {
  const clinic = await Clinic.open(t)
  const since = await clinic.revision()
  await clinic.publish([slotOf(0), slotOf(1)])
  const count = async (search: string) => (await clinic.ask(`since=${since}&${search}`)).body.changes.length
  assert.equal(await count(`startAfter=${slotOf(1).start}`), 1)
  assert.equal(await count(`startBefore=${slotOf(0).start}`), 1)
  assert.deepEqual([await count('minDurationMinutes=30'), await count('minDurationMinutes=31')], [2, 0])
})

test('ends a page after a few thousand rows, even without matches', async (t) => {
  const clinic = await Clinic.open(t)
  const since = await clinic.revision()
  await clinic.publish(Array.from({ length: 8000 }, (_, n) => slotOf(n, { status: n < 7999 ? 'busy' : 'free' })))
  const pages = await clinic.pages(`since=${since}`)
  assert.deepEqual(
    pages.map(({ body }) => body.changes.length),
    [0, 1],
  )
})

test('ends a page after a few megabytes', async (t) => {
  const clinic = await Clinic.open(t)
  const since = await clinic.revision()
  const bookingDeepLink = `https://clinic.test/${'x'.repeat(20_000)}`
  await clinic.publish(Array.from({ length: 400 }, (_, n) => slotOf(n, { bookingDeepLink })))
  const pages = await clinic.pages(`limit=1000&since=${since}`)
  assert.deepEqual(
    pages.map(({ body }) => body.changes.length),
    [208, 192],
  )
})

test('returns 503 while the store is unavailable, and logs an internal error as 500', async (t) => {
  const away = await (await Clinic.open(t, AWAY)).ask('since=1.0')
  assert.deepEqual([away.status, away.body.error, away.headers['retry-after']], [503, 'Not ready', '5'])
  const broken = await Clinic.open(t, BROKEN)
  const { status, body } = await broken.ask('since=1.0')
  assert.deepEqual([status, body.message], [500, 'The service failed. Please report request r1.'])
  assert.deepEqual(broken.faults.map(String), ['Error: an internal error'])
})

test('closes the log after every request and reads at most two pages at once', async (t) => {
  const counts = { open: 0, most: 0 }
  let inner: ChangeLog | undefined
  const counting: ChangeLog = {
    async open() {
      assert.ok(inner)
      const log = await inner.open()
      counts.most = Math.max(counts.most, ++counts.open)
      return {
        ...{ store: log.store, newest: log.newest, committedAtMs: log.committedAtMs, oldest: log.oldest },
        horizons: (publisher) => log.horizons(publisher),
        horizonChanges: (between) => log.horizonChanges(between),
        droppedCount: async () => 0,
        droppedOfferings: (between) => log.droppedOfferings(between),
        offeringsOf: (change) => log.offeringsOf(change),
        usedOfferings: (sourceId) => log.usedOfferings(sourceId),
        read: (after, rowsMax) => log.read(after, rowsMax),
        offerings: (ids) => log.offerings(ids),
        versions: (keys) => log.versions(keys),
        commits: (between) => log.commits(between),
        revisionAt: (atMs) => log.revisionAt(atMs),
        close: () => log.close().finally(() => counts.open--),
      }
    },
  }
  const clinic = await Clinic.open(t, counting)
  inner = clinic.store.changeLog
  const since = await clinic.revision()
  await clinic.publish([slotOf(0)])
  const searches = Array.from({ length: 20 }, (_, n) => (n % 5 === 0 ? 'since=1.0' : `since=${since}`))
  const answers = await Promise.all(searches.map((search) => clinic.ask(search)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    searches.map((_, n) => (n % 5 === 0 ? 410 : 200)),
  )
  assert.deepEqual(counts, { open: 0, most: 2 })
})
