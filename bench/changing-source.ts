import { setTimeout as pause } from 'node:timers/promises'
import { SampleFeed } from '../demo/sample-feed.ts'
import { DAY_MS } from '../src/lib/time.ts'
import type { Offering } from '../src/slot/slot.ts'
import { openStore } from '../src/store/open-store.ts'
import { syncSource } from '../src/sync/sync-source.ts'
import { connectorOfSlots } from '../test/support/store/temp-store.ts'
import { sampleOffering, sampleSlot } from './sample-slots.ts'

// A source in the store of DATABASE_URL whose 1,000 slots, of all states, all change every second.

const SLUG = 'changing'
const EVERY_MS = 1000

const offerings = new Map<string, Offering>()
const feed = new SampleFeed(1000, 2)
const samples = feed.states.flatMap(({ state, quota }) => [...feed.slots(state.code, Date.now())].slice(0, quota))
let changes = 0

/** A slot is free in every other state of the source. */
function slots() {
  changes++
  return samples.map((sample, n) => {
    const offering = { ...sampleOffering(sample), publisher: SLUG }
    const name = `${offering.scheduleId} ${offering.appointmentType}`
    const shared = offerings.get(name) ?? offering
    offerings.set(name, shared)
    return sampleSlot({ ...sample, status: (changes + n) % 2 === 0 ? 'free' : 'busy' }, shared)
  })
}

const store = await openStore(process.env.DATABASE_URL ?? '')
// A measurement before this one may have left it there.
if ((await store.sources.find(SLUG)) === undefined)
  await store.sources.add({
    slug: SLUG,
    url: 'https://changing.example/',
    format: 'smart-links',
    options: {},
    strict: false,
  })
const dependencies = {
  store,
  connectorOf: () => connectorOfSlots(slots),
  clock: Date.now,
  random: Math.random,
  everyMsDefault: DAY_MS,
}
for (;;) {
  const startedMs = Date.now()
  const run = await syncSource(dependencies, SLUG)
  if (changes === 1) console.log(`changing ${run?.outcome.read} slots`)
  await pause(Math.max(0, startedMs + EVERY_MS - Date.now()))
}
