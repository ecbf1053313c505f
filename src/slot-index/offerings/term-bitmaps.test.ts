import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import { lasting, OFFERINGS } from '../../../test/support/slot-index/index-samples.ts'
import { runAtOnce } from '../../lib/steps.ts'
import { OfferingTable } from './offering-table.ts'
import { intersects, numbersIn, TermBitmaps, withoutBits } from './term-bitmaps.ts'

const offerings = fc.array(fc.constantFrom(...OFFERINGS), { maxLength: 80 })
/** Places in the list of all terms. */
const terms = fc.array(fc.nat(), { maxLength: 3 })

test('a union has the offerings with any of its terms, as offerings are added, also while it is computed', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(offerings, fc.array(terms, { maxLength: 5 }), offerings)), (steps) => {
      const table = new OfferingTable()
      const bitmaps = new TermBitmaps(table)
      for (const [before, unions, meanwhile] of steps) {
        runAtOnce(table.put(table.pack(lasting(30, before))))
        for (const places of unions) {
          const numbers = table.terms.end === 1 ? [] : places.map((place) => 1 + (place % (table.terms.end - 1)))
          const expected = naiveUnion(table, numbers)
          const known = table.end
          const steps = bitmaps.union(numbers)
          let step = steps.next()
          if (step.done !== true) runAtOnce(table.put(table.pack(lasting(30, meanwhile))))
          while (step.done !== true) step = steps.next()
          assert.deepEqual(
            [...numbersIn(step.value)].filter((number) => number < known),
            expected,
          )
          assert.deepEqual([...numbersIn(runAtOnce(bitmaps.union(numbers)))], naiveUnion(table, numbers))
        }
      }
    }),
    { numRuns: casesOf(100) },
  )
})

test('has the offerings of a minimum duration, as offerings are added, also while it is computed', () => {
  const durations = fc.array(fc.constantFrom(0, 15, 30, 1440), { maxLength: 80 })
  fc.assert(
    fc.property(fc.array(fc.tuple(durations, fc.constantFrom(1, 30, 1440), durations)), (steps) => {
      const table = new OfferingTable()
      const bitmaps = new TermBitmaps(table)
      const put = (added: readonly number[]) =>
        runAtOnce(table.put(table.pack(added.flatMap((minutes) => lasting(minutes, [OFFERINGS[0]])))))
      const all: number[] = []
      for (const [before, minimum, meanwhile] of steps) {
        put(before)
        all.push(...before)
        const known = [...all.keys()].filter((number) => all[number] >= minimum)
        const steps = bitmaps.atLeast(minimum)
        let step = steps.next()
        if (step.done !== true) put(meanwhile)
        while (step.done !== true) step = steps.next()
        assert.deepEqual([...numbersIn(step.value)], known)
      }
    }),
    { numRuns: casesOf(100) },
  )
})

test('keeps a bounded number of unions, and finds the others again', () => {
  const table = new OfferingTable()
  runAtOnce(table.put(table.pack(lasting(30, OFFERINGS))))
  const bitmaps = new TermBitmaps(table)
  const union = (numbers: readonly number[]) => runAtOnce(bitmaps.union(numbers))
  const first = union([1])
  assert.equal(union([1]), first)
  for (let n = 0; n < 600; n++) union([1 + (n % 20), 1 + Math.floor(n / 20)])
  assert.notEqual(union([1]), first)
  assert.deepEqual(union([1]), first)
})

test('bits are the numbers of offerings', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(99)), fc.uniqueArray(fc.nat(99)), (some, others) => {
      const table = new OfferingTable()
      runAtOnce(table.put(table.pack(lasting(30, Array(100).fill(OFFERINGS[0])))))
      const bitmaps = new TermBitmaps(table)
      const [a, b] = [some, others].map((numbers) => bitmaps.of(Uint32Array.from(numbers)))
      assert.deepEqual(
        [...numbersIn(a)],
        some.toSorted((one, other) => one - other),
      )
      assert.equal(
        intersects(a, b),
        some.some((number) => others.includes(number)),
      )
      const rest = [...numbersIn(withoutBits(a))].filter((number) => number < table.end)
      assert.deepEqual(
        rest,
        Array.from({ length: 100 }, (_, number) => number).filter((number) => !some.includes(number)),
      )
    }),
  )
})

function naiveUnion({ groups, end }: OfferingTable, numbers: readonly number[]): number[] {
  const { terms, ends } = groups
  return Array.from({ length: end }, (_, number) => number).filter((number) =>
    terms.subarray(number === 0 ? 0 : ends[number - 1], ends[number]).some((term) => numbers.includes(term)),
  )
}
