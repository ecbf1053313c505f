import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlertsHarness } from '../../../test/support/alerts/alerts-harness.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/time.ts'

const YEAR = (365 * DAY_MS) / MINUTE_MS

test('reports new problems after an alert was sent by a clock that was ahead, grouped as usual', async (t) => {
  const harness = await AlertsHarness.open(t)
  const node = await harness.node()
  harness.pass(YEAR)
  await harness.set('clinic', 'failing')
  harness.pass(5)
  await node.check()
  harness.pass(-YEAR)
  await harness.set('harbor', 'failing')
  harness.pass(4)
  await harness.set('pharmacy', 'failing')
  const counts: number[] = []
  for (let minute = 5; minute <= 10; minute++) {
    harness.pass(1)
    await node.check()
    counts.push(harness.reported.length)
  }
  assert.deepEqual(counts, [2, 2, 2, 2, 2, 3])
  assert.deepEqual(harness.reported, [
    ['clinic: healthy > failing'],
    ['harbor: healthy > failing'],
    ['pharmacy: healthy > failing'],
  ])
})

test('reports a problem that began by a clock that was ahead', async (t) => {
  const harness = await AlertsHarness.open(t)
  const node = await harness.node()
  harness.pass(YEAR)
  await harness.set('clinic', 'failing')
  harness.pass(-YEAR)
  await node.check()
  assert.deepEqual(harness.reported, [['clinic: healthy > failing']])
})

test('repeats an alert whose next attempt was planned by a clock that was ahead', async (t) => {
  const harness = await AlertsHarness.open(t)
  const node = await harness.node()
  harness.pass(YEAR)
  await harness.set('clinic', 'failing')
  harness.pass(5)
  harness.receiver.answer = (response) => response.writeHead(500).end()
  await node.check()
  harness.receiver.answer = (response) => response.end()
  harness.pass(-YEAR)
  await node.check()
  assert.equal(harness.reported.length, 2)
  await node.check()
  assert.equal(harness.reported.length, 2)
})

test('reports full memory that was noticed by a clock that was ahead', async (t) => {
  const harness = await AlertsHarness.open(t)
  const node = await harness.node(undefined, { nodeSlots: async () => ({ slots: 1, missingSlots: 1 }) })
  harness.pass(YEAR)
  await node.check()
  harness.pass(-YEAR)
  await node.check()
  assert.equal(harness.receiver.received[0].body.data.node?.memory, 'full')
})
