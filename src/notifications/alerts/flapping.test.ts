import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlertsHarness } from '../../../test/support/alerts/alerts-harness.ts'

test('a flapping source causes a few messages, and its alert stays open', async (t) => {
  const harness = await AlertsHarness.open(t)
  const node = await harness.node()
  const passAndCheck = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      harness.pass(1)
      await node.check()
    }
  }
  for (let turn = 0; turn < 40; turn++) {
    await harness.set('restless', turn % 2 === 0 ? 'failing' : turn % 4 === 1 ? 'healthy' : 'late')
    await passAndCheck(7)
  }
  assert.match(harness.reported.at(-1)?.[0] ?? '', /> failing$/)
  const before = harness.reported.length
  assert.ok(before <= 5, `${before}`)
  await harness.set('restless', 'healthy')
  await passAndCheck(59)
  assert.equal(harness.reported.length, before)
  await passAndCheck(1)
  assert.deepEqual(harness.reported.at(-1), ['restless: failing > healthy'])
  await harness.set('restless', 'failing')
  await passAndCheck(5)
  assert.deepEqual(harness.reported.at(-1), ['restless: healthy > failing'])
})
