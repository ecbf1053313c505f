import { randomUUID } from 'node:crypto'
import type { NodeQuery, OpenSlotCounts } from '../http/node-query.ts'
import type { SerializedResponse } from '../http/serialized-http.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { errorText } from '../lib/text.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { type Store, StoreUnavailable } from '../store/contracts/store.ts'

/** What counts the open slots. */
export interface CounterParts {
  readonly store: Pick<Store, 'openSlotHistory' | 'jobLocks'>
  readonly ask: (question: NodeQuery) => Promise<SerializedResponse>
  readonly now: () => number
  readonly onEvent: (event: LogEvent) => void
}

/** How often it looks whether the hour was counted. */
const LOOK_MS = MINUTE_MS

/** Of several nodes one counts, and another if that one does not come to an end. */
const CHORE = 'open slots'
const CHORE_MS = 5 * LOOK_MS

/** Has the open slots of each source counted once an hour, by whichever node comes first. What fails is tried again a minute later. */
export function startOpenSlotCounter(parts: CounterParts): { stop(): Promise<void> } {
  const owner = randomUUID()
  let running = run()
  const timer = setInterval(() => {
    running = running.then(run)
  }, LOOK_MS)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }

  async function run(): Promise<void> {
    try {
      await countOpenSlots(parts, owner)
    } catch (error) {
      // That the store is away is told by those who wait for it.
      if (error instanceof StoreUnavailable) return
      const fields = { error: errorText(error) }
      parts.onEvent({ level: 'error', message: 'open slots could not be counted', fields })
    }
  }
}

/** Counts now, unless this hour was counted, somebody else is at it, or this node has not loaded its slots yet. True if it did. */
export async function countOpenSlots({ store, ask, now }: CounterParts, owner: string): Promise<boolean> {
  const nowMs = now()
  if (await store.openSlotHistory.has(nowMs)) return false
  const { status, body } = await ask({ about: 'open-slots' })
  if (status !== 200 || !(await store.jobLocks.acquire(CHORE, owner, CHORE_MS))) return false
  const counts: OpenSlotCounts = JSON.parse(Buffer.from(body).toString())
  const bySlug = Object.entries(counts).map(
    ([slug, { all, byState }]) => [slug, new Map([['', all], ...Object.entries(byState)])] as const,
  )
  await store.openSlotHistory.put(nowMs, new Map(bySlug))
  return true
}
