import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Slot } from '../../../src/slot/slot.ts'
import { arbitrarySlot } from '../arbitrary-slot.ts'
import type { Scope, StorePlace } from '../store/changing-store.ts'
import { DirectoryReader, DirectoryService } from './directory-service.ts'

/** A service and an instance that follows its updates. */
interface Following {
  readonly service: DirectoryService
  readonly reader: DirectoryReader
}

/** Publishes slots and reads them for the first time. `place`: where both stores are. */
export async function follow(scope: Scope, slots: readonly Slot[], place?: StorePlace): Promise<Following> {
  const service = await DirectoryService.start(scope, place)
  await service.publish(slots)
  const reader = await DirectoryReader.open(scope, service, place)
  await reader.sync()
  return { service, reader }
}

/** Syncs, and compares the slots with those of an instance that reads the feed for the first time. */
export async function assertSame(scope: Scope, { service, reader }: Following): Promise<void> {
  await reader.sync()
  const fresh = await DirectoryReader.open(scope, service)
  await fresh.sync()
  assert.deepEqual(await reader.slots(), await fresh.slots())
}

/** What may happen to either instance besides publishing. */
const EVENTS = {
  sync: ({ reader }) => reader.sync(),
  restart: ({ service }) => service.restart(),
  'back up': async (following) => {
    following.backup = await following.service.backUp()
  },
  restore: ({ service, backup }) => service.restore(backup),
  // The chain is then closed to readers that have not caught up.
  purge: ({ service }) => service.store.revisionFeed.purge(0, service.nowMs + 60_000, 0),
  'reader restarts': ({ reader }) => reader.restart(),
  'reader is backed up': async (following) => {
    following.readerBackup = await following.reader.backUp()
  },
  'reader is restored': ({ reader, readerBackup }) => reader.restore(readerBackup),
} satisfies Record<string, (following: Following & { backup: string; readerBackup: string }) => Promise<unknown>>

/**
 * Publishes, and restarts, restores and purges both instances at random; then the copy is equal. Returns how often the chain was closed.
 */
export async function staysEqual(numRuns: number, place?: StorePlace): Promise<number> {
  const slots = fc.uniqueArray(arbitrarySlot, { selector: ({ id }) => id, maxLength: 12 })
  const { sync: _, ...rare } = EVENTS
  const step = fc.oneof(
    { weight: 6, arbitrary: slots },
    { weight: 3, arbitrary: fc.constant('sync' as const) },
    { weight: 3, arbitrary: fc.constantFrom(...(Object.keys(rare) as (keyof typeof EVENTS)[])) },
  )
  let closed = 0
  const property = fc.asyncProperty(slots, fc.array(step, { maxLength: 12 }), async (first, steps) => {
    await using stack = new AsyncDisposableStack()
    const scope: Scope = { after: (end) => stack.defer(async () => end()) }
    const { service, reader } = await follow(scope, first, place)
    const following = {
      service,
      reader,
      backup: await service.backUp(),
      readerBackup: await reader.backUp(),
    }
    for (const each of [...steps, 'sync' as const]) {
      service.asked = []
      await (typeof each === 'string' ? EVENTS[each](following) : service.publish(each))
      if (each === 'sync' && service.asked.includes(new URL(service.manifestUrl).pathname)) closed++
    }
    await assertSame(scope, following)
  })
  await fc.assert(property, { numRuns })
  return closed
}
