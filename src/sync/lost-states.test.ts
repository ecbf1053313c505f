import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { manifest, ndjson } from '../../test/support/feeds/publisher.ts'
import { BULK, place, schedule } from '../../test/support/feeds/smart-links-reader.ts'
import { servedSlots } from '../../test/support/store/temp-store.ts'
import { followChain, START_MS as SYNC_MS, slotAt } from '../../test/support/sync/followed-chain.ts'
import { openSyncedSource } from '../../test/support/sync/synced-source.ts'
import { DAY_MS } from '../lib/time.ts'
import { ongoingAnomalies } from './anomaly-rules.ts'

const START_MS = Date.UTC(2030, 0, 7, 8)
const LISTED = { '/l': 'Location', '/s': 'Schedule', '/x': 'Slot' }

const LOCATIONS = ndjson({ resourceType: 'Location', id: 'l', name: 'Clinic', address: { state: 'MA' } })

const slots = (count: number) =>
  ndjson(
    ...Array.from({ length: count }, (_, n) => ({
      resourceType: 'Slot',
      id: `slot-${n}`,
      schedule: { reference: 'Schedule/s' },
      status: 'free',
      start: new Date(START_MS + n * 900_000).toISOString(),
      end: new Date(START_MS + (n + 1) * 900_000).toISOString(),
    })),
  )

/** A source with twelve slots of one Schedule. */
async function open(t: TestContext, locations: string, more: object = {}) {
  let publications = 0
  const listed = (types: object = LISTED) =>
    manifest({ ...types }, { transactionTime: new Date(START_MS + publications++).toISOString(), ...more })
  const { publisher, store, sync } = await openSyncedSource(t, {
    '/$bulk-publish': listed(),
    '/l': locations,
    '/s': ndjson({ resourceType: 'Schedule', id: 's', actor: [{ reference: 'Location/l' }] }),
    '/x': slots(12),
  })
  /** `states`: of all slots that are served. */
  const publish = async (files: Readonly<Record<string, string>>, types?: object) => {
    Object.assign(publisher.files, files, { '/$bulk-publish': listed(types) })
    publisher.asked()
    const { outcome } = (await sync()) ?? assert.fail()
    const source = (await store.sources.find('clinic')) ?? assert.fail()
    const { anomalies } = source.watch.held ?? source.watch
    const served = (await servedSlots(store)).map((json) => JSON.parse(json))
    return {
      outcome: outcome.outcome,
      isReported: anomalies.some(({ kind }) => kind === 'no-states'),
      states: [...new Set(served.map(({ location }) => location?.state))],
      source,
    }
  }
  assert.equal((await publish({})).outcome, 'ok')
  return { store, publish }
}

for (const [generation, more] of Object.entries({ 'SMART Scheduling Links': {}, 'Bulk Publish': BULK })) {
  test(`${generation}: holds a snapshot without any state until an operator approves it`, async (t) => {
    const { store, publish } = await open(t, LOCATIONS, more)
    const held = await publish({ '/l': '' })
    assert.deepEqual([held.outcome, held.isReported, held.states], ['held', true, ['MA']])
    assert.deepEqual(held.source.watch.held?.comparison?.held.states, [])
    const mended = await publish({ '/l': LOCATIONS })
    assert.deepEqual([mended.outcome, mended.states, mended.source.watch.held], ['ok', ['MA'], undefined])
    const withoutLocations = { '/s': 'Schedule', '/x': 'Slot' }
    assert.equal((await publish({}, withoutLocations)).outcome, 'held')
    await store.sources.approve('clinic', true)
    const approved = await publish({}, withoutLocations)
    assert.deepEqual([approved.outcome, approved.states], ['ok', [undefined]])
  })

  test(`${generation}: reports slots without states for a day, or until one has a state`, async (t) => {
    const { store, publish } = await open(t, LOCATIONS, more)
    await store.sources.setReviewPolicy('clinic', 'nothing')
    const { outcome, isReported, source } = await publish({ '/l': '' })
    assert.deepEqual([outcome, isReported], ['ok', true])
    const ongoing = (nowMs: number) => ongoingAnomalies(source, nowMs).some(({ kind }) => kind === 'no-states')
    assert.deepEqual([ongoing(Date.now()), ongoing(Date.now() + DAY_MS)], [true, false])
    assert.equal((await publish({ '/x': slots(13) })).isReported, true)
    assert.equal((await publish({ '/l': LOCATIONS })).isReported, false)
  })

  test(`${generation}: takes slots that never had states, those of which one has a state, and a few without`, async (t) => {
    const withoutState = (name: string) => ndjson({ resourceType: 'Location', id: 'l', name })
    const { publish } = await open(t, withoutState('One'), more)
    assert.equal((await publish({ '/l': withoutState('Other') })).isReported, false)
    assert.deepEqual((await publish({ '/l': LOCATIONS })).states, ['MA'])
    assert.equal((await publish({ '/x': slots(11) })).isReported, false)
    assert.equal((await publish({ '/l': withoutState('Other'), '/x': slots(9) })).isReported, false)
  })
}

test('holds an update after which no slot has a state, but none that leaves a state', async (t) => {
  const following = await followChain(t, 11)
  const { publisher, store } = following
  const nowhere = { resourceType: 'Location', id: 'l2', name: 'Somewhere' }
  publisher.update([nowhere, schedule('s2', 'l2'), { ...slotAt(0), schedule: { reference: 'Schedule/s2' } }])
  assert.equal((await following.sync(SYNC_MS)).outcome.outcome, 'ok')
  publisher.update(['Location/l1'])
  const { held } = await following.sync(SYNC_MS)
  assert.deepEqual(
    held?.map(({ kind }) => kind),
    ['no-states'],
  )
  await store.sources.approve('clinic', true)
  await following.sync(SYNC_MS)
  const reported = async () => (await store.sources.find('clinic'))?.watch.anomalies.map(({ kind }) => kind)
  assert.ok((await reported())?.includes('no-states'))
  publisher.update([place('l2')])
  await following.sync(SYNC_MS)
  assert.equal((await reported())?.includes('no-states'), false)
})
