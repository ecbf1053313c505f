import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SCHEMAS } from '../src/http/v1/openapi/schemas.ts'
import { encodeOffering, encodeSlot, type Slot } from '../src/slot/slot.ts'
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

test('these slots have every field of a slot in the OpenAPI document, and every value of an enumeration', () => {
  const found = new Map<string, Set<unknown>>()
  for (const slot of fc.sample(arbitrarySlot, { numRuns: 500, seed: 1 })) {
    const { details: _, ...offering } = slot.offering
    for (const [path, value] of leavesOf(JSON.parse(encodeSlot(slot) + encodeOffering(offering))))
      found.set(path, (found.get(path) ?? new Set()).add(value))
  }
  for (const [path, values] of fieldsOf(SCHEMAS.Slot)) {
    const generated = found.get(path) ?? new Set()
    assert.ok(generated.size > 1, `${path} must vary`)
    for (const value of values) assert.ok(generated.has(value), `${path} must be ${value} at times`)
  }
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

/** Each value with its path: `location.phone[]`. */
function leavesOf(value: unknown, path = ''): [path: string, value: unknown][] {
  if (Array.isArray(value)) return value.flatMap((each) => leavesOf(each, `${path}[]`))
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, path === '' ? name : `${path}.${name}`))
}

// biome-ignore lint/suspicious/noExplicitAny: a schema is walked
function fieldsOf(schema: any, path = ''): [path: string, values: readonly unknown[]][] {
  const name = schema.$ref?.split('/').at(-1) as keyof typeof SCHEMAS | undefined
  if (name !== undefined) return fieldsOf(SCHEMAS[name], path)
  if (schema.type === 'array') return fieldsOf(schema.items, `${path}[]`)
  if (schema.properties === undefined) return [[path, schema.enum ?? []]]
  return Object.entries(schema.properties).flatMap(([each, own]) =>
    fieldsOf(own, path === '' ? each : `${path}.${each}`),
  )
}

/** Every slot as text, sorted, without the ids, which a new publisher changes. */
function contents(slots: readonly Slot[]): string[] {
  return slots
    .map(({ id: _id, offering, ...own }) => {
      const { publisher: _publisher, scheduleId: _schedule, details, ...shared } = offering
      const { resources: _resources, ...said } = details ?? {}
      return JSON.stringify(sortedByName({ ...own, ...shared, ...said }))
    })
    .sort()
}
