import { parseArgs } from 'node:util'
import { SampleFeed, type SampleSlot } from '../demo/sample-feed.ts'
import type { Connector } from '../src/feeds/connector.ts'
import { DAY_MS } from '../src/lib/time.ts'
import type { Offering, Slot } from '../src/slot/slot.ts'
import { openStore } from '../src/store/open-store.ts'
import { syncSource } from '../src/sync/sync-source.ts'
import { connectorThat } from '../test/support/store/temp-store.ts'
import { sampleOffering, sampleSlot } from './sample-slots.ts'

// node bench/fill-store.ts --slots 10000000: syncs sources of at most 1,000,000 slots each into the store of DATABASE_URL, without
// feeds, whose files would need more space than the store. Prints the slots/s of the syncs.
//
// --removed 0.01 leaves out this share of the slots.

const SLOTS_PER_SOURCE = 1_000_000
const SLOTS_PER_FLUSH = 4000

const { values } = parseArgs({
  options: { slots: { type: 'string', default: '1000000' }, removed: { type: 'string', default: '0' } },
})
const slots = Number(values.slots)
const removed = Number(values.removed)
/** The same in both syncs, so that time changes nothing. */
const nowMs = Math.floor(Date.now() / DAY_MS) * DAY_MS

const store = await openStore(process.env.DATABASE_URL ?? '')
let stored = 0
const startedMs = performance.now()
for (let n = 1; stored < slots; n++) {
  const slug = `publisher-${n}`
  const count = Math.min(SLOTS_PER_SOURCE, slots - stored)
  await addSource(slug)
  const dependencies = {
    store,
    connectorOf: () => connectorOfSample(slug, { count, seed: n }),
    clock: Date.now,
    random: Math.random,
    everyMsDefault: 7 * DAY_MS,
  }
  const run = await syncSource(dependencies, slug)
  if (run?.outcome.error !== undefined) throw new Error(`Cannot fill the store: ${run.outcome.error}`)
  stored += count
}
console.log(Math.round(stored / ((performance.now() - startedMs) / 1000)))
await store.close()

async function addSource(slug: string): Promise<void> {
  if ((await store.sources.find(slug)) !== undefined) return
  const url = `https://${slug}.example/`
  await store.sources.add({ slug, url, format: 'smart-links', options: {}, strict: false })
}

function connectorOfSample(slug: string, { count, seed }: { count: number; seed: number }): Connector {
  return connectorThat(async (draft) => {
    let line = 0
    for (const slot of sampleSlots(slug, count, seed)) {
      line++
      if (removed > 0 && line % Math.round(1 / removed) === 0) continue
      draft.put(slot, { file: 'slots.ndjson', line, part: 1, fingerprint: line })
      if (line % SLOTS_PER_FLUSH === 0) await draft.flush()
    }
    await draft.flush()
    return {}
  })
}

/** Exactly `count` slots with links of their own. */
function* sampleSlots(slug: string, count: number, seed: number): Generator<Slot> {
  const feed = new SampleFeed(count, seed)
  for (const { state, quota } of feed.states) {
    let left = quota
    const offerings = new Map<string, Offering>()
    for (const sample of feed.slots(state.code, nowMs)) {
      if (left-- === 0) break
      yield { ...sampleSlot(sample, offeringOf(sample, slug, offerings)), bookingDeepLink: linkOf(sample) }
    }
  }
}

/** One object for all slots of an offering, as connectors do. */
function offeringOf(sample: SampleSlot, publisher: string, offerings: Map<string, Offering>): Offering {
  const offering = { ...sampleOffering(sample), publisher }
  const name = `${offering.scheduleId} ${offering.appointmentType}`
  const known = offerings.get(name) ?? offering
  offerings.set(name, known)
  return known
}

function linkOf({ schedule, day, startMinute }: SampleSlot): string {
  return `https://booking.example.com/book/${schedule.id.slice(9)}-${day.number}-${startMinute}`
}
