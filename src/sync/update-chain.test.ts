import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCHEDULING_LOCATION } from '../../test/support/feeds/servers/oracle-server.ts'
import { place, schedule } from '../../test/support/feeds/smart-links-reader.ts'
import { followChain, START_MS, servedBy, slotAt } from '../../test/support/sync/followed-chain.ts'
import { DAY_MS, MINUTE_MS } from '../lib/time.ts'

test('serves what an update books, deletes and adds, and asks only for the last page', async (t) => {
  const following = await followChain(t)
  const { publisher } = following
  publisher.update([slotAt(1, 'busy'), slotAt(9), 'Slot/a2', 'Slot/a3'])
  const { outcome, nextSyncAtMs } = await following.sync(START_MS)
  assert.deepEqual(await servedBy(following), ['busy a1', 'free a0', 'free a4', 'free a9'])
  const { read, added, changed, removed } = outcome
  assert.deepEqual({ read, added, changed, removed }, { read: 4, added: 1, changed: 1, removed: 2 })
  assert.equal(nextSyncAtMs, START_MS + MINUTE_MS + 500)
  assert.deepEqual(
    publisher.asked().map((line) => line.replace(/\d+/, 'N')),
    ['/pages/N 200', '/pages/N 200', '/files/N.ndjson 200', '/files/N.ndjson 200', '/files/N.ndjson 200'],
  )
  assert.equal((await following.sync(START_MS)).outcome.unchanged, true)
  assert.deepEqual(
    publisher.asked().map((line) => line.replace(/\d+/, 'N')),
    ['/pages/N 304'],
  )
})

test('updates every slot that refers to a changed Location', async (t) => {
  const following = await followChain(t)
  following.publisher.update([place('l1', 'Clinic East')])
  const { outcome } = await following.sync(START_MS)
  assert.equal(outcome.changed, 5)
  await following.assertSame()
})

test('reads everything again from the root after #closed', async (t) => {
  const following = await followChain(t)
  const { publisher } = following
  publisher.close()
  publisher.resources.delete('Slot/a0')
  publisher.publishRoot()
  await following.sync(START_MS)
  assert.deepEqual(await servedBy(following), ['free a1', 'free a2', 'free a3', 'free a4'])
  publisher.update(['Slot/a1'])
  await following.sync(START_MS)
  assert.deepEqual(await servedBy(following), ['free a2', 'free a3', 'free a4'])
})

test('reads everything again from the root if the known page is gone', async (t) => {
  const following = await followChain(t)
  const { publisher } = following
  await following.sync(START_MS)
  const [known = ''] = publisher.asked().map((line) => line.replace(' 304', ''))
  publisher.resources.delete('Slot/a0')
  publisher.publishRoot({ abandons: true })
  publisher.fault = (path, response) => path === known && response.writeHead(410).end() !== undefined
  await following.sync(START_MS)
  assert.deepEqual(await servedBy(following), ['free a1', 'free a2', 'free a3', 'free a4'])
})

test('notices within a day that a chain was abandoned without #closed', async (t) => {
  const following = await followChain(t)
  const { publisher } = following
  publisher.resources.delete('Slot/a0')
  publisher.publishRoot({ abandons: true })
  assert.equal((await following.sync(START_MS + DAY_MS - 1)).outcome.unchanged, true)
  await following.sync(START_MS + DAY_MS)
  assert.deepEqual(await servedBy(following), ['free a1', 'free a2', 'free a3', 'free a4'])
  const quiet = await following.sync(START_MS + 2 * DAY_MS)
  assert.deepEqual([quiet.outcome.outcome, quiet.outcome.added], ['ok', 0])
  assert.equal((await following.sync(START_MS + 2 * DAY_MS)).outcome.unchanged, true)
})

test('keeps the last good snapshot if a page or file of an update fails, and applies it later', async (t) => {
  const following = await followChain(t)
  const { publisher } = following
  publisher.update(['Slot/a0'])
  for (const failing of ['/pages/', '/files/']) {
    publisher.fault = (path, response) => path.startsWith(failing) && response.writeHead(503).end() !== undefined
    assert.equal((await following.sync(START_MS)).outcome.outcome, 'failed')
    assert.equal((await servedBy(following)).length, 5)
  }
  publisher.fault = () => false
  await following.sync(START_MS)
  assert.equal((await servedBy(following)).length, 4)
})

test('serves a slot at the Location that its extension names, when either changes', async (t) => {
  const following = await followChain(t)
  const at = { extension: [{ url: SCHEDULING_LOCATION, valueReference: { reference: 'Location/l2' } }] }
  for (const changes of [
    [place('l2', 'Clinic East')],
    [{ ...slotAt(0), ...at }],
    [place('l2', 'Clinic West')],
    ['Location/l2'],
    [place('l2', 'Clinic North')],
  ] as const) {
    following.publisher.update(changes)
    await following.assertSame()
  }
})

test('does not serve a deleted slot again when an update changes its Location', async (t) => {
  const following = await followChain(t)
  const { publisher } = following
  for (const changes of [['Slot/a0', 'Slot/a1'], [place('l1', 'Clinic East')]] as const) {
    publisher.update(changes)
    await following.sync(START_MS)
  }
  assert.deepEqual(await servedBy(following), ['free a2', 'free a3', 'free a4'])
  await following.assertSame()
})

test('holds no snapshot because slots are gone that have ended, in an update as in a whole feed', async (t) => {
  for (const isChain of [true, false]) {
    const following = await followChain(t, 13, isChain)
    const { publisher, store } = following
    await store.sources.setReviewPolicy('clinic', 'suspicious')
    const gone = Array.from({ length: 12 }, (_, n) => `Slot/a${n}` as const)
    const publish = () => {
      if (isChain) return publisher.update(gone)
      for (const name of gone) publisher.resources.delete(name)
      publisher.publishRoot({ isChain })
    }
    publish()
    const held = await following.sync(START_MS)
    assert.deepEqual(held.held?.map(({ kind }) => kind).includes('dropped'), true)
    const { held: none = [] } = await following.sync(Date.UTC(2030, 2, 21, 22))
    assert.equal(
      none.some(({ kind }) => kind === 'dropped'),
      false,
    )
  }
})

test('holds a suspicious update until an operator approves it', async (t) => {
  const following = await followChain(t, 12)
  const { publisher, store } = following
  publisher.update(Array.from({ length: 12 }, (_, n) => `Slot/a${n}` as const))
  const { outcome, held = [] } = await following.sync(START_MS)
  assert.equal(outcome.outcome, 'held')
  assert.deepEqual(
    held.map(({ kind }) => kind),
    ['emptied'],
  )
  assert.equal((await servedBy(following)).length, 12)
  const source = await store.sources.find('clinic')
  await store.sources.approve('clinic', true, { heldSinceMs: source?.watch.held?.sinceMs })
  await following.sync(START_MS)
  assert.deepEqual(await servedBy(following), [])
})

test('fails an update that has more slots than the source may have', async (t) => {
  const following = await followChain(t)
  await following.store.sources.edit('clinic', () => ({ slotsMax: 6 }))
  following.publisher.update([slotAt(6), slotAt(7), slotAt(8)])
  const { outcome } = await following.sync(START_MS)
  assert.match(outcome.error ?? '', /more than 6 slots, the limit of this source/)
  assert.equal((await servedBy(following)).length, 5)
})

test('settles a rejection when an update mends its slot', async (t) => {
  const following = await followChain(t)
  const { publisher, store } = following
  publisher.update([slotAt(1, 'wrong'), slotAt(2, 'wrong')])
  assert.equal((await following.sync(START_MS)).outcome.rejected, 2)
  publisher.update([slotAt(1)])
  assert.equal((await following.sync(START_MS)).outcome.rejected, 1)
  const source = await store.sources.find('clinic')
  assert.equal((await store.sources.rejections(source?.id ?? 0)).length, 1)
  assert.equal((await servedBy(following)).length, 4)
})

test('updates and deletes slots and Schedules whose ids have a slash', async (t) => {
  const following = await followChain(t, 1)
  const { publisher } = following
  publisher.update([{ ...slotAt(1), id: '2030/1' }])
  await following.sync(START_MS)
  publisher.update([{ ...slotAt(2), id: '2030/1' }])
  await following.sync(START_MS)
  assert.deepEqual(await servedBy(following), ['free a0', 'free a2'])
  const ofEast = { ...slotAt(3), schedule: { reference: 'Schedule/east/1' } }
  publisher.update([schedule('east/1', 'l1'), ofEast, 'Slot/2030/1'])
  await following.sync(START_MS)
  assert.deepEqual(await servedBy(following), ['free a0', 'free a3'])
  publisher.update(['Schedule/east/1'])
  assert.equal((await following.sync(START_MS)).outcome.rejected, 1)
  await following.assertSame()
})

test('keeps a sample of the rejections of all updates, the newest first', async (t) => {
  const following = await followChain(t)
  const { publisher, store } = following
  await store.sources.setReviewPolicy('clinic', 'nothing')
  let rejected = 0
  for (const update of [9, 8, 7, 6]) {
    publisher.update(Array.from({ length: 40 }, (_, n) => ({ resourceType: 'Slot', id: `not an id ${update} ${n}` })))
    rejected = (await following.sync(START_MS)).outcome.rejected
  }
  assert.equal(rejected, 160)
  const source = await store.sources.find('clinic')
  const kept = await store.sources.rejections(source?.id ?? 0)
  const ofUpdate = Object.groupBy(kept, ({ sample }) => /id (\d)/.exec(sample)?.[1] ?? '')
  assert.deepEqual(
    [ofUpdate[6]?.length, ofUpdate[7]?.length, ofUpdate[8]?.length, ofUpdate[9]],
    [40, 40, 20, undefined],
  )
})

test('withholds what an update labels as test data, and counts it', async (t) => {
  const meta = { tag: [{ code: 'HTEST' }] }
  const following = await followChain(t)
  const { publisher, store } = following
  const update = async (...changes: Parameters<typeof publisher.update>[0]) => {
    publisher.update(changes)
    const { outcome } = await following.sync(START_MS)
    const { read, withheld, testSlots } = (await store.sources.find('clinic'))?.watch.lastRead ?? {}
    assert.equal(outcome.testSlots, testSlots)
    return { read, withheld, testSlots, served: (await servedBy(following)).length }
  }
  const labeled = await update({ ...slotAt(0), meta }, { ...slotAt(7), meta })
  assert.deepEqual(labeled, { read: 6, withheld: 2, testSlots: 2, served: 4 })
  assert.deepEqual(await update('Slot/a7'), { read: 5, withheld: 1, testSlots: 1, served: 4 })
  const ofSchedule = await update({ ...schedule('s1', 'l1'), meta })
  assert.deepEqual(ofSchedule, { read: 5, withheld: 5, testSlots: 5, served: 0 })
  const withdrawn = await update({ ...slotAt(1), status: 'entered-in-error' }, schedule('s1', 'l1'))
  assert.deepEqual(withdrawn, { read: 5, withheld: 2, testSlots: 1, served: 3 })
  await store.sources.edit('clinic', () => ({ options: { serveTestData: true } }))
  await following.sync(START_MS)
  const served = await update({ ...slotAt(2), meta })
  assert.deepEqual(served, { read: 5, withheld: 1, testSlots: undefined, served: 4 })
  await following.assertSame()
})
