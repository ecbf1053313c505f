import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTempStore } from '../../test/support/store/temp-store.ts'
import { KnownSources, type SourceChanges } from '../slot-index/known-sources.ts'
import { SourceFollower } from './follow-sources.ts'

test('sends all sources first, then only differences', async (t) => {
  const { store, sent, poll } = await harness(t)
  await store.sources.add({ slug: 'a', url: 'https://a.example', strict: false })
  await store.sources.add({ slug: 'b', url: 'https://b.example', strict: false })
  await poll()
  assert.deepEqual(slugsOf(sent), [{ sources: ['a', 'b'], gone: [], whole: true }])
  await poll()
  await store.sources.setPaused('b', true)
  await poll()
  await store.sources.remove('a')
  await poll()
  await poll()
  assert.deepEqual(slugsOf(sent).slice(1), [
    { sources: ['b'], gone: [], whole: false },
    { sources: [], gone: ['a'], whole: false },
  ])
})

test('sends an empty list if there are no sources', async (t) => {
  const { sent, poll } = await harness(t)
  await poll()
  assert.deepEqual(sent, [{ sources: [], gone: [], whole: true }])
})

test('reads the store at most once per second', async (t) => {
  const { store, sent, follower, clock } = await harness(t)
  await follower.poll()
  await store.sources.add({ slug: 'a', url: 'https://a.example', strict: false })
  clock.nowMs += 999
  await follower.poll()
  assert.equal(sent.length, 1)
  clock.nowMs += 1
  await follower.poll()
  assert.equal(sent.length, 2)
})

test('sends failed changes again in the next poll', async (t) => {
  const { store, known, sent, poll, fail } = await harness(t)
  await poll()
  await store.sources.add({ slug: 'a', url: 'https://a.example', strict: false })
  fail()
  await assert.rejects(poll())
  assert.deepEqual(known.all, [])
  await poll()
  assert.deepEqual(known.all, await store.sources.freshness())
  assert.equal(sent.length, 2)
})

async function harness(t: Parameters<typeof openTempStore>[0]) {
  const store = await openTempStore(t)
  const clock = { nowMs: 0 }
  const sent: SourceChanges[] = []
  const known = new KnownSources()
  let isFailing = false
  const send = async (changes: SourceChanges) => {
    if (isFailing) {
      isFailing = false
      throw new Error('no room')
    }
    sent.push(changes)
    known.apply(changes)
  }
  const follower = new SourceFollower(store, send, () => clock.nowMs)
  const poll = async () => {
    clock.nowMs += 1000
    await follower.poll()
  }
  const fail = () => {
    isFailing = true
  }
  return { store, clock, sent, known, follower, poll, fail }
}

function slugsOf(sent: readonly SourceChanges[]) {
  return sent.map((changes) => ({ ...changes, sources: changes.sources.map(({ slug }) => slug) }))
}
