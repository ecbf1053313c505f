import { readdirSync, readFileSync } from 'node:fs'

/** By thread, the milliseconds for which it was ready to run but had no processor. */
export type ProcessorWaits = ReadonlyMap<string, number>

/** The waits of a process since it started, as Linux counts them. Empty on other systems and once the process has ended. */
export function processorWaits(pid: number | undefined): ProcessorWaits {
  const waits = new Map<string, number>()
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [, waitedNs] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
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
