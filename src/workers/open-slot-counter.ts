import { randomUUID } from 'node:crypto'
import type { NodeQuery, OpenSlotCounts } from '../http/node-query.ts'
import type { SerializedResponse } from '../http/serialized-http.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { Periodic } from '../lib/periodic.ts'
import { errorText } from '../lib/text.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { type Store, StoreUnavailable } from '../store/contracts/store.ts'

export interface OpenSlotCounterOptions {
  readonly store: Pick<Store, 'openSlotHistory' | 'jobLocks'>
  readonly query: (query: NodeQuery) => Promise<SerializedResponse>
  readonly now: () => number
  readonly onEvent: (event: LogEvent) => void
}

/** How often it checks whether the current hour has been counted. */
const CHECK_EVERY_MS = MINUTE_MS

/** Only one node counts; another takes over if that one does not finish. */
const JOB = 'open slots'
const JOB_MS = 5 * CHECK_EVERY_MS

/** Counts the open slots of each source once an hour, on one node of the cluster. Retries a minute after a failure. */
export function openSlotCounter(options: OpenSlotCounterOptions): Periodic {
  const owner = randomUUID()
  return new Periodic(() => countOpenSlots(options, owner), {
    everyMs: CHECK_EVERY_MS,
    onError(error) {
      // Reported by the threads that wait for the store.
      if (error instanceof StoreUnavailable) return
      const fields = { error: errorText(error) }
      options.onEvent({ level: 'error', message: 'open slots could not be counted', fields })
    },
  })
}

/** Counts now, unless this hour is counted, another node is counting, or this node is still loading. True if it counted. */
export async function countOpenSlots({ store, query, now }: OpenSlotCounterOptions, owner: string): Promise<boolean> {
  const nowMs = now()
  if (await store.openSlotHistory.has(nowMs)) return false
  const { status, body } = await query({ about: 'open-slots' })
  if (status !== 200 || !(await store.jobLocks.acquire(JOB, owner, JOB_MS))) return false
  const counts: OpenSlotCounts = JSON.parse(Buffer.from(body).toString())
  const bySlug = Object.entries(counts).map(
    ([slug, { all, byState }]) => [slug, new Map([['', all], ...Object.entries(byState)])] as const,
  )
  await store.openSlotHistory.put(nowMs, new Map(bySlug))
  return true
}
