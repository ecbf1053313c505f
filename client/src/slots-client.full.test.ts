import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SampleService } from '../../test/support/sample-service.ts'
import type { ChangePage, Slot } from './query.ts'
import { SlotsClient } from './slots-client.ts'

/** Tried on the service itself. */
let sample: SampleService
let client: SlotsClient

before(async () => {
  sample = await SampleService.serve({ slots: 3000 })
  client = new SlotsClient({ url: sample.service.origin, apiKey: sample.key })
})

after(() => sample?.[Symbol.asyncDispose]())

test('iterates over all slots once, in order, at any page size', async () => {
  const { total } = await client.page({ state: 'MA' })
  assert.ok(total > 50)
  const all = await everything(client.slots({ state: 'MA' }))
  assert.equal(all.length, total)
  assert.equal(new Set(all.map(({ id }) => id)).size, total)
  assert.deepEqual(await everything(client.slots({ state: ['MA'] }, { pageSize: 40 })), all)
  const starts = all.map(({ start }) => Date.parse(start))
  assert.deepEqual(
    starts,
    starts.toSorted((a, b) => a - b),
  )
})

test('returns the booking link of a slot with the parameters of the referral', async () => {
  const { slots } = await client.page({ limit: 1 })
  const [{ id, bookingDeepLink }] = slots
  const link = await client.bookingLink(id, { source: 'finder', bookingReferral: 'r1' })
  assert.equal(link, `${bookingDeepLink}?source=finder&booking-referral=r1`)
  assert.match(await client.bookingLink(id), /\?booking-referral=[0-9a-f-]{36}$/)
  await assert.rejects(client.bookingLink('0'.repeat(24)), { kind: 'not-found', status: 404 })
  await assert.rejects(client.bookingLink('../x'), TypeError)
})

test('rejects an empty list of values instead of returning all slots', async () => {
  const none: string[] = []
  await assert.rejects(client.page({ state: none }), { kind: 'invalid-parameter', parameter: 'state' })
  await assert.rejects(everything(client.slots({ publisher: none })), { parameter: 'publisher' })
  await assert.rejects(client.export({ serviceTypeCode: none }), { parameter: 'serviceTypeCode' })
})

test('requests no page that the loop does not reach', async () => {
  const asked: string[] = []
  const counting = new SlotsClient({
    url: sample.service.origin,
    apiKey: sample.key,
    fetch: (input, init) => {
      asked.push(String(input))
      return fetch(input, init)
    },
  })
  let count = 0
  for await (const _ of counting.slots({}, { pageSize: 5 })) if (++count === 6) break
  // By cursor, which alone is sure to miss nothing.
  const cursors = asked.map((url) => new URL(url).searchParams.get('cursor'))
  assert.deepEqual([cursors.length, cursors[0], Boolean(cursors[1])], [2, '', true])
})

test('pages by offset and by cursor and marks the last page', async () => {
  for (const cursor of [undefined, '']) {
    const first = await client.page({ state: ['MA', 'NY'], limit: 2, cursor })
    assert.equal(first.slots.length, 2)
    assert.ok(first.next)
    assert.deepEqual([first.next.offset, first.next.limit], [cursor === undefined ? 2 : undefined, 2])
    const second = await client.page(first.next)
    assert.deepEqual([...first.slots, ...second.slots], (await client.page({ state: ['MA', 'NY'], limit: 4 })).slots)
    const last = await client.page({ publisher: first.slots[0].publisher, city: 'Nowhere' })
    assert.deepEqual([last.slots, last.total, last.next], [[], 0, undefined])
  }
})

test('reports when the next slot starts outside the time window', async () => {
  const { slots } = await client.page({ limit: 1 })
  const page = await client.page({ startAfter: new Date(0), startBefore: new Date(1) })
  assert.equal(page.total, 0)
  assert.equal(Date.parse(page.nextAvailableStart ?? ''), Date.parse(slots[0].start))
})

test('returns one slot, or undefined for an unknown id', async () => {
  const { slots } = await client.page({ limit: 1 })
  assert.deepEqual(await client.slot(slots[0].id), slots[0])
  assert.equal(await client.slot('0'.repeat(24)), undefined)
  for (const id of ['', '.', '..', '../facets', '%2e%2e', 'a/b'])
    await assert.rejects(client.slot(id), /^TypeError: Invalid slot id/)
})

test('lists actors and publishers, and counts by facet', async () => {
  const actors = await everything(client.actors({ state: 'MA' }, { pageSize: 1 }))
  const { total } = await client.actorPage({ state: 'MA', limit: 1 })
  assert.deepEqual([actors.length, total > 1], [total, true])
  const { total: ofOne } = await client.page({ actorKey: actors[0].key, state: 'MA' })
  assert.equal(ofOne, actors[0].totalSlots)
  const publishers = await everything(client.publishers({ pageSize: 1 }))
  assert.deepEqual(
    publishers.map(({ publisher, slots }) => [publisher, slots.free > 0]),
    [['sample', true]],
  )
  assert.equal((await client.publisherPage()).total, 1)
  const facets = await client.facets({ state: 'MA' })
  assert.equal(facets.total, (await client.page({ state: 'MA' })).total)
})

test('exports all slots of one snapshot, equal to the list', async () => {
  const slots = await client.export({ state: 'MA' })
  assert.match(slots.revision, /./)
  const all = await everything(slots)
  assert.equal(all.length, slots.total)
  assert.deepEqual(all, await everything(client.slots({ state: 'MA' })))
  assert.deepEqual(await everything(await client.export({ city: 'Nowhere' })), [])
})

test('closes an export when the loop exits, so that others can start', async () => {
  for (let round = 0; round < 8; round++) {
    const slots = await client.export()
    if (round % 2 === 0) await slots.cancel()
    else for await (const slot of slots) if (slot.id !== '') break
  }
  const controller = new AbortController()
  const slots = await client.export({}, { signal: controller.signal })
  controller.abort(new Error('enough'))
  await assert.rejects(everything(slots), /enough/)
})

test('reports the error with the parameter and the request id', async () => {
  const wrong = await client.page({ limit: 500 }).catch((error) => error)
  assert.deepEqual([wrong.name, wrong.kind, wrong.status], ['SlotsError', 'invalid-parameter', 400])
  assert.equal(wrong.parameter, 'limit')
  assert.match(wrong.message, /from 1 to 100/)
  assert.match(wrong.requestId, /^[\w-]{8,}$/)
  const stranger = new SlotsClient({ url: sample.service.origin, apiKey: 'svc_sk_wrong' })
  await assert.rejects(stranger.facets(), { kind: 'api-key-required', status: 401 })
  await assert.rejects(everything(client.changes('1.0')), { kind: 'gone', status: 410 })
})

test('keeps a copy up to date with an export and the changes after it', async () => {
  const exported = await client.export()
  const copy = new Map((await everything(exported)).map((slot): [string, Slot] => [slot.id, slot]))
  const none = await everything(client.changes(exported.revision))
  assert.deepEqual(
    none.flatMap(({ changes }) => changes),
    [],
  )
  await sample.service.run('source', 'remove', 'sample')
  const pages: ChangePage[] = []
  for await (const page of client.changes(exported.revision, { status: 'free' }, { pageSize: 500 })) {
    pages.push(page)
    for (const each of page.changes) {
      if (each.change === 'removed') copy.delete(each.id)
      else copy.set(each.slot.id, each.slot)
    }
  }
  assert.ok(pages.length > 2 && pages.every(({ changes }) => changes.length <= 500))
  assert.deepEqual([...copy.keys()], [])
})

test('watches changes from a revision on and from now on, until the loop is left', async () => {
  const exported = await client.export()
  await exported.cancel()
  const adding = sample.service.run('source', 'add', 'again', sample.publisherUrl)
  let count = 0
  for await (const change of client.watch({ state: 'MA' }, { since: exported.revision })) {
    // The export may be from before the slots were removed.
    if (change.change === 'removed') continue
    assert.equal(change.change, 'added')
    assert.ok(change.slot.location?.state === 'MA' || change.slot.isVirtual)
    if (++count === 50) break
  }
  await adding
  const waiting = new AbortController()
  const none = client.watch({}, { signal: waiting.signal }).next()
  setTimeout(() => waiting.abort(new Error('enough')), 50)
  await assert.rejects(none, /enough/)
  await assert.rejects(client.watch({}, { since: '1.0' }).next(), { kind: 'gone', status: 410 })
})

async function everything<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const each of items) all.push(each)
  return all
}
