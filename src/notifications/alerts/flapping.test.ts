import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlertsBed } from '../../../test/support/alerts/alerts-harness.ts'

test('a source that comes and goes all night is a few messages, and the trouble stays told meanwhile', async (t) => {
  const bed = await AlertsBed.open(t)
  const node = await bed.node()
  const passAndLook = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      bed.pass(1)
      await node.look()
    }
  }
  for (let turn = 0; turn < 40; turn++) {
    await bed.set('restless', turn % 2 === 0 ? 'failing' : turn % 4 === 1 ? 'healthy' : 'late')
    await passAndLook(7)
  }
  assert.match(bed.told.at(-1)?.[0] ?? '', /> failing$/)
  const before = bed.told.length
  assert.ok(before <= 5, `${before}`)
  await bed.set('restless', 'healthy')
  await passAndLook(59)
  assert.equal(bed.told.length, before)
  await passAndLook(1)
  assert.deepEqual(bed.told.at(-1), ['restless: failing > healthy'])
  await bed.set('restless', 'failing')
  await passAndLook(5)
  assert.deepEqual(bed.told.at(-1), ['restless: healthy > failing'])
})
