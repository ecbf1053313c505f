import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SampleFeed } from '../demo/sample-feed.ts'
import { Directory } from '../src/feeds/fhir/directory.ts'
import { readSlot } from '../src/feeds/fhir/read-slot.ts'
import { encodeOffering, encodeSlot, type Slot } from '../src/slot/slot.ts'
import { BENCH_DIRECTORY_TYPES, benchDirectory, formatBenchSlot } from './bench-lines.ts'

/** Reads the feed with the service's strict parser. */
function readFeed(slots: number): Slot[] {
  const feed = new SampleFeed(slots, 1)
  const directory = new Directory('bench', true)
  for (const type of BENCH_DIRECTORY_TYPES) {
    for (const line of benchDirectory(type, feed.states)) directory.put(type, JSON.parse(line))
  }
  const nowMs = Date.parse('2026-11-21T00:40:00Z')
  const lines = feed.states.flatMap(({ state }) => [...feed.slots(state.code, nowMs)].map(formatBenchSlot))
  return lines.map((line) => readSlot(JSON.parse(line), directory)).filter((slot) => slot !== undefined)
}

test('publishes slots of a usual size, 15% of them virtual', () => {
  const slots = readFeed(20_000)
  assert.ok(slots.length >= 20_000)
  const bytes = slots.reduce((sum, slot) => sum + (encodeSlot(slot) + encodeOffering(slot.offering)).length, 0)
  const pageBytes = (bytes / slots.length) * 25
  assert.ok(pageBytes > 14_000 && pageBytes < 16_000, `a page has ${pageBytes} bytes`)
  const virtual = slots.filter(({ offering }) => offering.isVirtual).length / slots.length
  assert.ok(Math.abs(virtual - 0.15) < 0.02, `${virtual} are virtual`)
  assert.ok(slots.every(({ bookingDeepLink }) => bookingDeepLink !== undefined))
  assert.ok(slots.every(({ offering }) => (offering.location?.state ?? offering.serviceStates) !== undefined))
})
