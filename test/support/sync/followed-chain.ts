import type { TestContext } from 'node:test'
import type { BulkResource } from '../feeds/bulk-publisher.ts'
import { place, schedule, slot } from '../feeds/smart-links-reader.ts'
import { openTempStore, readAll } from '../store/temp-store.ts'
import { BulkFollowing } from './bulk-following.ts'

/** The time of the syncs. */
export const START_MS = Date.UTC(2026, 2, 1, 1)
/** Slot `a<n>`, at an hour of its own. */
export const slotAt = (n: number, status = 'free'): BulkResource =>
  slot(`a${n}`, { status, start: `2030-03-21T${10 + n}:00:00Z`, end: `2030-03-21T${10 + n}:15:00Z` })

/** A chain of a clinic with slots a0 to a4, which was read. */
export async function followChain(t: TestContext, slots = 5, isChain = true): Promise<BulkFollowing> {
  const following = await BulkFollowing.open(await openTempStore(t))
  t.after(() => following[Symbol.asyncDispose]())
  const { publisher, store } = following
  await store.sources.setReviewPolicy('clinic', 'extreme')
  const resources: BulkResource[] = [place('l1'), schedule('s1', 'l1')]
  for (let n = 0; n < slots; n++) resources.push(slotAt(n))
  for (const resource of resources) publisher.resources.set(`${resource.resourceType}/${resource.id}`, resource)
  publisher.publishRoot({ isChain })
  await following.sync(START_MS)
  publisher.asked()
  return following
}

/** The served slots, as `free a0`. */
export async function servedBy({ store }: BulkFollowing): Promise<string[]> {
  const slots = [...(await readAll(store)).values()]
  return slots.map(({ status, startMs }) => `${status} a${new Date(startMs).getUTCHours() - 10}`).sort()
}
