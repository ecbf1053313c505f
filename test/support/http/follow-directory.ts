import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import type { Slot } from '../../../src/slot/slot.ts'
import { arbitrarySlot } from '../arbitrary-slot.ts'
import { DirectoryReader, DirectoryService } from './directory-service.ts'

/** A service and an instance that follows its updates. */
interface Following {
  readonly service: DirectoryService
  readonly reader: DirectoryReader
}

/** Publishes slots and reads them for the first time. */
export async function follow(t: TestContext, slots: readonly Slot[]): Promise<Following> {
  const service = await DirectoryService.start(t)
  await service.publish(slots)
  const reader = await DirectoryReader.open(t, service)
  await reader.sync()
  return { service, reader }
}

/** Syncs, and compares the slots with those of an instance that reads the feed for the first time. */
export async function assertSame(t: TestContext, { service, reader }: Following): Promise<void> {
  await reader.sync()
  const fresh = await DirectoryReader.open(t, service)
  await fresh.sync()
  assert.deepEqual(await reader.slots(), await fresh.slots())
}

/** Publishes, restarts, restores and purges at random; then the copy is equal. */
export async function staysEqual(t: TestContext, numRuns: number): Promise<void> {
  const slots = fc.uniqueArray(arbitrarySlot, { selector: ({ id }) => id, maxLength: 12 })
  const step = fc.oneof(
    { weight: 6, arbitrary: slots },
    { weight: 3, arbitrary: fc.constant('sync' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('restart' as const, 'back up' as const, 'restore' as const, 'purge' as const),
    },
  )
  const property = fc.asyncProperty(slots, fc.array(step, { maxLength: 12 }), async (first, steps) => {
    const { service, reader } = await follow(t, first)
    let backup = await service.backUp()
    for (const each of steps) {
      if (typeof each !== 'string') await service.publish(each)
      else if (each === 'sync') await reader.sync()
      else if (each === 'restart') await service.restart()
      else if (each === 'back up') backup = await service.backUp()
      else if (each === 'purge') await service.store.revisionFeed.purge(0, service.nowMs + 60_000, 0)
      else {
        await service.restore(t, backup)
        backup = await service.backUp()
      }
    }
    await assertSame(t, { service, reader })
  })
  await fc.assert(property, { numRuns })
}
