import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Column } from './column.ts'

const step = fc.record({ pushed: fc.nat({ max: 3000 }), reserved: fc.nat({ max: 3000 }) })

test('has the numbers that were pushed, and another thread those that were there when it was shared', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
      const column = new Column<Uint16Array>(Uint16Array)
      const pushed: number[] = []
      const shown = steps.map((step) => {
        column.reserve(step.reserved)
        for (let n = 0; n < step.pushed; n++) column.push((pushed.push(pushed.length % 65_536) - 1) % 65_536)
        const other = new Column<Uint16Array>(Uint16Array)
        other.show(structuredClone(column.share()))
        return { other, length: pushed.length }
      })
      for (const { other, length } of [...shown, { other: column, length: pushed.length }]) {
        assert.equal(other.length, length)
        assert.deepEqual([...other.values.subarray(0, length)], pushed.slice(0, length))
      }
    }),
    { numRuns: 50 },
  )
})
