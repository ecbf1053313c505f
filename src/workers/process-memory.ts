import { readFileSync } from 'node:fs'
import { MIB } from './memory-budget.ts'

const WATCH_EVERY_MS = 200

/** Calls `onExceeded` once when the process has more private memory. Returns the end of the watch. On Linux only. */
export function watchProcessMemory(pid: number | undefined, mbMax: number, onExceeded: () => void): () => void {
  if (pid === undefined || process.platform !== 'linux') return () => undefined
  const timer = setInterval(() => {
    if (ownBytesOf(pid) <= mbMax * MIB) return
    clearInterval(timer)
    onExceeded()
  }, WATCH_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** Memory that no file backs. 0 if the process has ended. */
function ownBytesOf(pid: number): number {
  try {
    return Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
