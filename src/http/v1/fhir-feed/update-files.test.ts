import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slotOf } from '../../../../test/support/store/temp-store.ts'
import { encodeSlot, type Offering } from '../../../slot/slot.ts'
import { KnownSources } from '../../../slot-index/known-sources.ts'
import type { InsertedSlot } from '../../../store/contracts/revision-feed.ts'
import { FeedProvenance } from './feed-provenance.ts'
import { writeUpdateFiles } from './update-files.ts'

test('a page pauses after each offering, slot and Bundle', () => {
  const offerings = new Map(Array.from({ length: 300 }, (_, n) => [n, JSON.stringify(offeringOf(n))]))
  const put = Array.from({ length: 300 }, (_, n) => [`put${n}`, slotStored(n)] as const)
  const deleted = Array.from({ length: 2500 }, (_, n) => [`deleted${n}`, undefined] as const)
  const steps = writeUpdateFiles(
    { slots: new Map([...put, ...deleted]), offerings, moved: [], dropped: new Set() },
    provenance(),
  )
  let pauses = 0
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) pauses++
  assert.ok(pauses >= 603, `${pauses} pauses`)
  const counts = [...step.value].map(([type, { count, body }]) => [type, count, body.toString().split('\n').length - 1])
  assert.deepEqual(counts, [
    ['Location', 1, 1],
    ['Schedule', 300, 300],
    ['Slot', 300, 300],
    ['deleted', 3, 3],
  ])
})

function offeringOf(n: number): Offering {
  return { publisher: 'north', scheduleId: String(n), isVirtual: false, location: { state: 'MA' } }
}

function slotStored(n: number): InsertedSlot {
  const slot = slotOf(n)
  return { ...slot, offeringId: n, json: encodeSlot(slot) }
}

function provenance(): FeedProvenance {
  return new FeedProvenance('https://slots.example', new KnownSources())
}
