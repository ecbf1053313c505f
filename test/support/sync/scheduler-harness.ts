import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connector, Source } from '../../../src/feeds/connector.ts'
import type { LogEvent } from '../../../src/lib/log-event.ts'
import { MINUTE_MS } from '../../../src/lib/time.ts'
import type { Store } from '../../../src/store/contracts/store.ts'
import { Scheduler, type SchedulerDependencies, type SchedulerOptions } from '../../../src/sync/scheduler.ts'
import { type SyncDependencies, syncSource } from '../../../src/sync/sync-source.ts'
import { eventually } from '../eventually.ts'
import { connectorOfSlots, connectorThat, slotOf } from '../store/temp-store.ts'

/** A scheduler that runs, and what it has logged. */
export interface Running {
  readonly scheduler: Scheduler
  readonly events: LogEvent[]
  /** Resolves when an event with this message was logged for each of these sources. */
  readonly logged: (message: string, ...slugs: string[]) => Promise<void>
}

/** Deleted row versions stay for longer than a test runs. */
export const SCHEDULER_OPTIONS: SchedulerOptions = { retentionMs: 10 * MINUTE_MS }

/** Runs a scheduler until the test ends. */
export function run(
  t: TestContext,
  store: Store,
  connectorOf: (source: Source) => Connector,
  { clock = Date.now, ...options }: Partial<SchedulerOptions> & { readonly clock?: () => number } = {},
): Running {
  const events: LogEvent[] = []
  const dependencies = { store, connectorOf, clock, random: Math.random, everyMsDefault: 300_000 }
  const scheduler = new Scheduler(inThisProcess(dependencies), (event) => events.push(event), {
    ...SCHEDULER_OPTIONS,
    ...options,
  })
  t.after(() => scheduler.stop())
  scheduler.start()
  const logged = async (message: string, ...slugs: string[]) => {
    const has = (slug: string) => events.some((event) => event.message === message && event.fields.source === slug)
    await eventually(() => slugs.every(has))
  }
  return { scheduler, events, logged }
}

/** The dependencies of a scheduler that syncs in this process instead of others. */
export function inThisProcess(parts: SyncDependencies): SchedulerDependencies {
  return { ...parts, sync: (slug, signal) => syncSource(parts, slug, { signal }) }
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
