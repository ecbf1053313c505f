import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../test/eventually.ts'
import type { Connector, Source } from '../sources/connector.ts'
import type { Store } from '../store/store.ts'
import type { LogEvent } from '../threads/log-event.ts'
import { Scheduler, type SchedulerOptions } from './scheduler.ts'
import { connectorOfSlots, connectorThat, slotOf } from './temp-store.test-part.ts'

/** A scheduler that runs, and what it has told. */
export interface Running {
  readonly scheduler: Scheduler
  readonly events: LogEvent[]
  /** Resolves when an event with this message has come for each of these sources. */
  readonly told: (message: string, ...slugs: string[]) => Promise<void>
}

/** Runs a scheduler until the test ends. */
export function run(
  t: TestContext,
  store: Store,
  connectorOf: (source: Source) => Connector,
  options: SchedulerOptions = {},
): Running {
  const events: LogEvent[] = []
  const parts = { store, connectorOf, clock: Date.now, random: Math.random, everyMsDefault: 300_000 }
  const scheduler = new Scheduler(parts, (event) => events.push(event), options)
  t.after(() => scheduler.stop())
  scheduler.start()
  const told = async (message: string, ...slugs: string[]) => {
    const has = (slug: string) =>
      events.some((event) => event.message === message && event.fields.source === slug)
    await eventually(() => slugs.every(has))
  }
  return { scheduler, events, told }
}

/** Adds sources that are due. */
export const addClinics = async (store: Store, ...slugs: string[]) => {
  for (const slug of slugs) await store.sources.add({ slug, url: 'https://clinic.test/', strict: false })
}

/** Publishes one slot. */
export const oneSlot = connectorOfSlots(() => [slotOf(0)])

/** Takes until it is stopped. */
export const endless = connectorThat(async (_draft, signal) => {
  await sleep(60_000, undefined, { signal })
  return {}
})
