import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Slot } from '../src/slot/slot.ts'
import { arbitrarySlot } from './support/arbitrary-slot.ts'
import { casesOf } from './support/cases.ts'
import { RecordedDraft } from './support/feeds/recorded-draft.ts'
import { Republisher } from './support/feeds/republisher.ts'
import { sampleSlots } from './support/feeds/sample-slots.ts'
import { sortedByName } from './support/sorted-by-name.ts'

test('the SMART Scheduling Links connector reads back every slot with every field', async (t) => {
  const harness = await Republisher.start(t)
  await fc.assert(
    fc.asyncProperty(fc.array(arbitrarySlot, { maxLength: 40 }), async (slots) => {
      const held = [...new Map(slots.map((slot) => [slot.id, slot])).values()]
      harness.hold(held)
      const draft = new RecordedDraft()
      await harness.read(draft)
      assert.deepEqual(draft.rejected, [])
      assert.deepEqual(contents(draft.slots), contents(held))
    }),
    { numRuns: casesOf(60) },
  )
})

test('the sample feed round-trips unchanged', async (t) => {
  const harness = await Republisher.start(t)
  const held = sampleSlots(4000)
  assert.ok(held.length >= 4000 && new Set(held.map(({ status }) => status)).size === 3)
  harness.hold(held)
  for (const strict of [false, true]) {
    const draft = new RecordedDraft()
    await harness.read(draft, strict)
    assert.deepEqual(draft.rejected, [])
    assert.deepEqual(contents(draft.slots), contents(held))
  }
})

test('a repeated sync requests only changed files and keeps the rest', async (t) => {
  const harness = await Republisher.start(t)
  const held = sampleSlots(1000)
  harness.hold(held)
  const first = new RecordedDraft()
  const publication = await harness.read(first)
  const again = first.next(publication)
  assert.equal((await harness.read(again)).unchanged, true)
  assert.deepEqual([...new Set(harness.statuses)], [304])
})

test('republished schedules keep the ids of their publishers as identifiers, with their origin', async (t) => {
  const harness = await Republisher.start(t)
  const [slot] = sampleSlots(100)
  harness.hold([slot])
  const resources = await harness.resources()
  const first = (type: string) => resources.find(({ resourceType }) => resourceType === type)
  const schedule = first('Schedule')
  const source = `${harness.origin}/v1/scheduling/slots?publisher=sample`
  assert.deepEqual(schedule?.identifier, [{ system: source, value: slot.offering.scheduleId }])
  assert.deepEqual(schedule?.meta, { source })
  assert.deepEqual([first('Slot')?.id, first('Slot')?.meta], [slot.id, { source }])
})

/** Every slot but for what a new publisher gives it, which includes the identity of resources: sorted, as text. */
function contents(slots: readonly Slot[]): string[] {
  return slots
    .map(({ id: _id, offering, ...own }) => {
      const { publisher: _publisher, scheduleId: _schedule, details, ...shared } = offering
      const { resources: _resources, ...said } = details ?? {}
      return JSON.stringify(sortedByName({ ...own, ...shared, ...said }))
    })
    .sort()
}
