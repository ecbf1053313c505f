import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runAtOnce, runInSlices, type Steps, sortInSteps } from './steps.ts'

test('sortInSteps() sorts as a stable sort does, for any length', () => {
  const numbers = fc.oneof(
    fc.array(fc.nat(1000), { maxLength: 300 }),
    fc
      .constantFrom(0, 1, 127, 128, 129, 255, 256, 257, 5000)
      .map((length) => Array.from({ length }, (_, n) => (n * 7919) % 1009)),
  )
  fc.assert(
    fc.property(numbers, fc.constantFrom(1, 10), (given, tied) => {
      const compare = (a: number, b: number) => Math.floor(a / tied) - Math.floor(b / tied)
      assert.deepEqual([...runAtOnce(sortInSteps(Uint32Array.from(given), compare))], given.toSorted(compare))
    }),
  )
})

test('sortInSteps() pauses often', () => {
  let pauses = 0
  for (const _ of sortInSteps(new Uint32Array(100_000), () => 0)) pauses++
  assert.ok(pauses > 1000, `${pauses} pauses`)
})

test('runInSlices() lets other work run after each slice', async () => {
  const seen: number[] = []
  function* work(): Steps<string> {
    for (let n = 0; n < 5; n++) {
      seen.push(n)
      yield
    }
    return 'done'
  }
  const turns: number[] = []
  setImmediate(function turn() {
    turns.push(seen.length)
    if (seen.length < 5) setImmediate(turn)
  })
  assert.equal(await runInSlices(work(), 0), 'done')
  assert.deepEqual(turns, [1, 2, 3, 4, 5])
})
