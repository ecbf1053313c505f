import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'
import { draftOf, sync } from '../../../../test/support/store/conformance/samples.ts'
import type { BatchAction } from '../../../shared/source-vocabulary.ts'

async function openThree(t: TestContext) {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('op', { operator: true })
  for (const slug of ['a', 'b']) {
    const source = await harness.store.sources.add({ slug, url: `https://${slug}.example/`, strict: false })
    await sync(harness.store, source, { inserted: [draftOf(`${slug}1`), draftOf(`${slug}2`)] })
  }
  await harness.store.sources.add({ slug: 'file', url: '', format: 'files', strict: false })
  const act = (action: BatchAction, slugs: string[]) =>
    harness.get('POST', '/api/operator/source-batches', { as, body: { action, slugs } })
  const find = (slug: string) => harness.store.sources.find(slug)
  return { harness, as, act, find }
}

test('pauses, resumes and syncs many sources, and tells which could not be changed', async (t) => {
  const { act, find, harness } = await openThree(t)
  assert.deepEqual(await act('pause', ['a', 'file', 'gone']), {
    done: ['a', 'file'],
    failed: [{ slug: 'gone', message: 'This source does not exist.' }],
  })
  assert.deepEqual([(await find('a'))?.paused, (await find('b'))?.paused], [true, false])
  const { done, failed } = await act('sync', ['a', 'b', 'file'])
  assert.deepEqual([done, failed.length], [['b'], 2])
  assert.equal((await find('b'))?.nextSyncAtMs, harness.nowMs)
  await act('resume', ['a'])
  assert.equal((await find('a'))?.paused, false)
  const actions = await harness.store.sourceLog.list({ limit: 10 })
  assert.deepEqual(
    actions.map(({ slug, kind, actor }) => [slug, kind, actor.name]),
    [
      ['a', 'resumed', 'op@example.org'],
      ['file', 'paused', 'op@example.org'],
      ['a', 'paused', 'op@example.org'],
    ],
  )
})

test('checks the manifests of many sources', async (t) => {
  const { act, harness } = await openThree(t)
  assert.deepEqual((await act('check', ['a', 'b'])).done, ['a', 'b'])
  harness.check = { ok: false, message: 'HTTP status 404', files: [] }
  const { done, failed } = await act('check', ['a', 'file'])
  assert.deepEqual(done, [])
  assert.deepEqual(failed, [
    { slug: 'a', message: 'HTTP status 404' },
    { slug: 'file', message: 'This source has no feed to check. Check its file before the next import.' },
  ])
})

test('counts what a removal removes, and removes it', async (t) => {
  const { act, find, harness, as } = await openThree(t)
  const totals = (slugs: string[]) => harness.get('POST', '/api/operator/source-totals', { as, body: { slugs } })
  assert.deepEqual(await totals(['a', 'b', 'file', 'gone']), { sources: 3, slots: 4, syncs: 2 })
  assert.deepEqual((await act('remove', ['a', 'gone'])).done, ['a'])
  assert.deepEqual([await find('a'), await totals(['a'])], [undefined, { sources: 0, slots: 0, syncs: 0 }])
  assert.ok(await find('b'))
})

test('a batch has 1 to 100 sources, and viewers cannot change any', async (t) => {
  const { harness, as } = await openThree(t)
  const ask = (body: object, who = as) => harness.ask('POST', '/api/operator/source-batches', { as: who, body })
  const slugs = Array.from({ length: 101 }, (_, n) => `s${n}`)
  for (const wrong of [
    { action: 'pause', slugs: [] },
    { action: 'pause', slugs },
    { action: 'eat', slugs: ['a'] },
  ])
    assert.equal((await ask(wrong)).status, 400)
  const viewer = await harness.addPerson('vera', { operator: 'viewer' })
  assert.equal((await ask({ action: 'remove', slugs: ['a'] }, viewer)).status, 403)
})
