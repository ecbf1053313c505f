import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Names of the threads that run JavaScript. Others, such as those that collect garbage, may wait without delaying a change. */
const NAMES = new Set(['MainThread', 'WorkerThread'])

/** By thread, the milliseconds for which it was ready to run but had no processor. */
export type ProcessorWaits = ReadonlyMap<string, number>

/** The waits of a Node.js process since it started, as Linux counts them. Empty on other systems and once the process has ended. */
export function processorWaits(pid: number | undefined): ProcessorWaits {
  const waits = new Map<string, number>()
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const folder = `/proc/${pid}/task/${thread}`
      if (!NAMES.has(readFileSync(join(folder, 'comm'), 'utf8').trim())) continue
      const [, waitedNs] = readFileSync(join(folder, 'schedstat'), 'utf8').split(' ')
      waits.set(thread, Number(waitedNs) / 1e6)
    }
  } catch {
    // A thread has ended, or the system has no such files.
  }
  return waits
}

/** The longest that one thread waited between the two. */
export function longestWaitMs(before: ProcessorWaits, after: ProcessorWaits): number {
  const waits = [...after].map(([thread, waitedMs]) => waitedMs - (before.get(thread) ?? waitedMs))
  return Math.max(0, ...waits)
}
