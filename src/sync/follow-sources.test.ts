import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTempStore } from '../../test/support/store/temp-store.ts'
import { KnownSources, type SourceChanges } from '../slot-index/known-sources.ts'
import { SourceFollower } from './follow-sources.ts'

test('tells all sources at first, then only those that differ, and nothing while none does', async (t) => {
  const { store, told, look } = await bed(t)
  await store.sources.add({ slug: 'a', url: 'https://a.example', strict: false })
  await store.sources.add({ slug: 'b', url: 'https://b.example', strict: false })
  await look()
  assert.deepEqual(slugsOf(told), [{ sources: ['a', 'b'], gone: [], whole: true }])
  await look()
  await store.sources.setPaused('b', true)
  await look()
  await store.sources.remove('a')
  await look()
  await look()
  assert.deepEqual(slugsOf(told).slice(1), [
    { sources: ['b'], gone: [], whole: false },
    { sources: [], gone: ['a'], whole: false },
  ])
})

test('tells that there are none as well', async (t) => {
  const { told, look } = await bed(t)
  await look()
  assert.deepEqual(told, [{ sources: [], gone: [], whole: true }])
})

test('asks the store at most once a second', async (t) => {
  const { store, told, follower, clock } = await bed(t)
  await follower.look()
  await store.sources.add({ slug: 'a', url: 'https://a.example', strict: false })
  clock.nowMs += 999
  await follower.look()
  assert.equal(told.length, 1)
  clock.nowMs += 1
  await follower.look()
  assert.equal(told.length, 2)
})

test('what could not be told is told the next time', async (t) => {
  const { store, known, told, look, fail } = await bed(t)
  await look()
  await store.sources.add({ slug: 'a', url: 'https://a.example', strict: false })
  fail()
  await assert.rejects(look())
  assert.deepEqual(known.all, [])
  await look()
  assert.deepEqual(known.all, await store.sources.freshness())
  assert.equal(told.length, 2)
})

async function bed(t: Parameters<typeof openTempStore>[0]) {
  const store = await openTempStore(t)
  const clock = { nowMs: 0 }
  const told: SourceChanges[] = []
  const known = new KnownSources()
  let isFailing = false
  const tell = async (changes: SourceChanges) => {
    if (isFailing) {
      isFailing = false
      throw new Error('no room')
    }
    told.push(changes)
    known.apply(changes)
  }
  const follower = new SourceFollower(store, tell, () => clock.nowMs)
  const look = async () => {
    clock.nowMs += 1000
    await follower.look()
  }
  const fail = () => {
    isFailing = true
  }
  return { store, clock, told, known, follower, look, fail }
}

function slugsOf(told: readonly SourceChanges[]) {
  return told.map((changes) => ({ ...changes, sources: changes.sources.map(({ slug }) => slug) }))
}
