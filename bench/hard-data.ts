import { parseArgs } from 'node:util'
import { runAtOnce } from '../src/lib/steps.ts'
import type { Slot } from '../src/slot/slot.ts'
import { parseSlotQuery } from '../src/slot/slot-query.ts'
import { SlotIndex } from '../src/slot-index/slot-index.ts'
import { firstTimeMs } from './aggregates.ts'
import { entryOf, sampleBuilder } from './sample-index.ts'

// node --expose-gc bench/hard-data.ts --data 'one city' [--slots 1000000]: an index of slots that are distributed unlike those of real
// feeds, in process. Prints a row of a Markdown table.

const CHANGED = 1000

const DATA: Readonly<Record<string, (slot: Slot, n: number) => Slot>> = {
  usual: (slot) => slot,
  'an offering for each slot': (slot, n) => ({
    ...slot,
    offering: { ...slot.offering, scheduleId: `${slot.offering.scheduleId}-${n}` },
  }),
  'a duration for each slot': (slot, n) => {
    const endMs = slot.startMs + (1 + (n % 1440)) * 60_000
    return { ...slot, endMs, end: new Date(endMs).toISOString() }
  },
  'one city': (slot) => ({
    ...slot,
    offering: {
      ...slot.offering,
      location: { ...slot.offering.location, city: 'New York', state: 'NY', latitude: 40.7, longitude: -74 },
    },
  }),
  'one instant': (slot) => ({ ...slot, ...INSTANT }),
}

const nowMs = Math.floor(Date.now() / 86_400_000) * 86_400_000
const [startMs, endMs] = [1, 1.5].map((days) => nowMs + days * 86_400_000)
const INSTANT = { startMs, endMs, start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() }
const DAY = `startAfter=${new Date(nowMs + 8.64e7).toISOString()}&startBefore=${new Date(nowMs + 2 * 8.64e7).toISOString()}`

const QUESTIONS: Readonly<Record<string, string>> = {
  'a state': 'state=NY',
  'a city and a service type': 'city=New%20York&serviceTypeCode=124',
  'a state, a day, at least 30 minutes': `state=NY&minDurationMinutes=30&${DAY}`,
  'new patients and virtual': 'acceptingPatients=newpt&isVirtual=true',
  'near 25 km': 'near=40.71,-74.01',
}

const { values } = parseArgs({
  options: { data: { type: 'string', default: 'usual' }, slots: { type: 'string', default: '1000000' } },
})
const bytesBefore = usedBytes()
const builder = sampleBuilder(Number(values.slots), nowMs, DATA[values.data])
const index = new SlotIndex()
index.show(builder.content)
index.advance(nowMs)
const bytes = (usedBytes() - bytesBefore) / index.length
const times = Object.values(QUESTIONS).map((search) => {
  const query = parseSlotQuery(search)
  return firstTimeMs(index, nowMs, 3, () => index.select(query, nowMs))
})
const cells = [values.data, bytes.toFixed(0), ...[...times, changeMs()].map((ms) => ms.toPrecision(2))]
console.log(`| data | bytes per slot | ${Object.keys(QUESTIONS).join(' | ')} | a change of ${CHANGED} slots |`)
console.log(`| ${cells.join(' | ')} |`)

/** Adds slots that are like those of the index. */
function changeMs(): number {
  const { slots } = JSON.parse(index.select(parseSlotQuery('limit=100'), nowMs).body.toString())
  const offering = { ...slots[0], scheduleId: 'changed' }
  const startedMs = performance.now()
  builder.begin(false)
  builder.putOfferings([{ id: 2 ** 31, offering }])
  builder.put(
    Array.from({ length: CHANGED }, (_, n) =>
      entryOf({ ...slots[0], ...INSTANT, id: String(n).padStart(24, 'v'), offering }, 2 ** 31),
    ),
  )
  runAtOnce(builder.commit({ store: 1, revision: 2, atMs: 2 }))
  return performance.now() - startedMs
}

function usedBytes(): number {
  for (let n = 0; n < 3; n++) global.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
