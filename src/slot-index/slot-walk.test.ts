import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../test/support/cases.ts'
import { OFFERINGS, slotIn } from '../../test/support/slot-index/index-samples.ts'
import { matches } from '../../test/support/slot-index/naive-index.ts'
import { ReferenceIndex } from '../../test/support/slot-index/reference-index.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { formatCursor } from '../slot/cursor.ts'
import type { Slot } from '../slot/slot.ts'
import { cursorScope, parseSlotQuery } from '../slot/slot-query.ts'

/** What happens between two pages. */
interface Meanwhile {
  readonly put: readonly Slot[]
  readonly remove: readonly number[]
  readonly merges: number
  readonly passMs: number
}

/** A slot stays where it is: what moves on the map has another place in the order of distance. */
const settled = slotIn.map((slot) => ({
  ...slot,
  offering: OFFERINGS[Number(slot.id.slice(-2)) % OFFERINGS.length],
}))

const meanwhile: fc.Arbitrary<Meanwhile> = fc.record({
  put: fc.array(settled, { maxLength: 10 }),
  remove: fc.array(fc.nat(60), { maxLength: 4 }),
  merges: fc.nat(2),
  passMs: fc.constantFrom(0, 0, 0, MINUTE_MS),
})

const SEARCHES = [
  '',
  'state=MA&state=CA',
  'isVirtual=true',
  'startAfter=1970-01-01T00:01:00Z&startBefore=1970-01-01T00:05:00Z',
  'city=boston&minDurationMinutes=2',
  'near=42.3,-71.5&radiusKm=500',
  'near=42.3,-71.5&radiusKm=500&sort=distance',
  'near=52,180&radiusKm=100&sort=distance&startAfter=1970-01-01T00:01:00Z',
  'near=90,0&sort=distance&status=busy',
]

function changeTwin(reference: ReferenceIndex, { put, remove, merges }: Meanwhile): void {
  const ids = [...reference.slots.keys()]
  const gone = remove.map((number) => ids[number % ids.length]).filter((id) => id !== undefined)
  reference.change({ put, remove: gone, merges })
}

test('a walk by cursor returns each slot that matches throughout exactly once, and no slot twice, during changes', () => {
  const property = fc.property(
    fc.constantFrom(...SEARCHES),
    fc.array(settled, { minLength: 10, maxLength: 60 }),
    fc.array(meanwhile, { maxLength: 20 }),
    fc.integer({ min: 1, max: 5 }),
    (search, slots, changes, limit) => {
      const reference = new ReferenceIndex()
      reference.change({ put: slots, remove: [] })
      const first = parseSlotQuery(`${search}&limit=${limit}&cursor=`)
      const given: string[] = []
      const matching = () =>
        [...reference.slots.values()].filter((slot) => matches(slot, first, reference.nowMs)).map(({ id }) => id)
      let lasting = new Set(matching())
      for (let query = first, page = 0; ; page++) {
        const { body, last } = reference.index.select(query, reference.nowMs)
        for (const { id } of JSON.parse(body.toString()).slots) given.push(id)
        if (last === undefined) break
        query = parseSlotQuery(`${search}&limit=${limit}&cursor=${formatCursor(last, cursorScope(query))}`)
        if (page >= changes.length) continue
        reference.nowMs += changes[page].passMs
        changeTwin(reference, changes[page])
        lasting = lasting.intersection(new Set(matching()))
      }
      assert.equal(new Set(given).size, given.length, 'none twice')
      assert.deepEqual(
        [...lasting].filter((id) => !given.includes(id)),
        [],
        'none skipped',
      )
    },
  )
  fc.assert(property, { numRuns: casesOf(500) })
})

test('the pages of a walk by cursor equal the pages by offset while nothing changes', () => {
  const property = fc.property(
    fc.constantFrom(...SEARCHES),
    fc.array(slotIn, { maxLength: 60 }),
    fc.integer({ min: 1, max: 7 }),
    (search, slots, limit) => {
      const reference = new ReferenceIndex()
      reference.change({ put: slots, remove: [] })
      let query = parseSlotQuery(`${search}&limit=${limit}&cursor=`)
      for (let offset = 0; ; offset += limit) {
        const page = reference.index.select(query, 0)
        const same = reference.index.select(parseSlotQuery(`${search}&limit=${limit}&offset=${offset}`), 0)
        assert.deepEqual(page.body, same.body)
        assert.equal(page.last === undefined, offset + limit >= page.total)
        if (page.last === undefined) return
        query = parseSlotQuery(`${search}&limit=${limit}&cursor=${formatCursor(page.last, cursorScope(query))}`)
      }
    },
  )
  fc.assert(property, { numRuns: casesOf(200) })
})
