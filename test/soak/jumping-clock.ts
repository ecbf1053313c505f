import { openSync, readSync, renameSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { threadId } from 'node:worker_threads'

// Loaded by --import into each thread and process of a service: lets its clock jump ahead.
//
// The file in CLOCK_FILE has two float64: the milliseconds that the clock is ahead, and the number of the garbage collection that is
// wanted. After a jump, `Date` shows the new time and timers that are due then fire. `performance.now()` and the timers inside Node and
// libraries written in C are not changed, so a jump must not happen while requests or syncs are in progress.
//
// A library that replaces the clock of a process (libfaketime) speeds up everything, so that a sync of half a second takes half an hour,
// and every timeout expires.

const CHECK_EVERY_MS = 5
const COLLECTION = 1

const file = openSync(String(process.env.CLOCK_FILE), 'r')
const values = new Float64Array(2)
const RealDate = Date
const { setTimeout: setRealTimeout, setInterval: setRealInterval, clearTimeout: clearRealTimeout } = globalThis

/**
 * Milliseconds that the clock is ahead. Never cached: a process that gets work after a jump would set timers by the time before it, and
 * they would fire as soon as it notices the jump.
 */
function aheadMs(): number {
  readSync(file, values, 0, values.byteLength, 0)
  return values[0]
}

const nowMs = () => RealDate.now() + aheadMs()

class JumpingDate extends RealDate {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of Date
  constructor(...parts: any[]) {
    if (parts.length === 0) super(nowMs())
    else super(...(parts as [number]))
  }

  static override now = nowMs

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof RealDate
  }
}
globalThis.Date = JumpingDate as DateConstructor

interface Waiting {
  dueMs: number
  readonly fire: () => void
  /** Of an interval. */
  readonly everyMs?: number
}

/** The timers that have not fired. */
const waiting = new Map<NodeJS.Timeout, Waiting>()

// biome-ignore lint/suspicious/noExplicitAny: as setTimeout()
function setJumpingTimeout(callback: (...parts: any[]) => void, ms = 1, ...parts: any[]): NodeJS.Timeout {
  const fire = () => {
    waiting.delete(timer)
    clearRealTimeout(timer)
    callback(...parts)
  }
  const timer = setRealTimeout(fire, ms)
  waiting.set(timer, { dueMs: nowMs() + ms, fire })
  return timer
}

// biome-ignore lint/suspicious/noExplicitAny: as setInterval()
function setJumpingInterval(callback: (...parts: any[]) => void, ms = 1, ...parts: any[]): NodeJS.Timeout {
  const fire = () => callback(...parts)
  const timer = setRealInterval(fire, ms)
  waiting.set(timer, { dueMs: nowMs() + ms, fire, everyMs: ms })
  return timer
}

function clearJumpingTimeout(timer: NodeJS.Timeout | undefined): void {
  if (timer !== undefined) waiting.delete(timer)
  clearRealTimeout(timer)
}

Object.assign(globalThis, {
  setTimeout: setJumpingTimeout,
  setInterval: setJumpingInterval,
  clearTimeout: clearJumpingTimeout,
  clearInterval: clearJumpingTimeout,
})
timers.setTimeout = <Value>(ms?: number, value?: Value, { ref = true, signal }: TimerOptions = {}): Promise<Value> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const abort = () => {
      clearJumpingTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setJumpingTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve(value as Value)
    }, ms)
    if (!ref) timer.unref()
    signal?.addEventListener('abort', abort, { once: true })
  })
syncBuiltinESMExports()

interface TimerOptions {
  readonly ref?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

let jumpedMs = aheadMs()
let collections = values[COLLECTION]
setRealInterval(() => {
  if (aheadMs() !== jumpedMs) {
    jumpedMs = values[0]
    fireDue()
  }
  if (values[COLLECTION] === collections) return
  collections = values[COLLECTION]
  collectGarbage()
  const { used_heap_size: heapBytes, external_memory: externalBytes } = getHeapStatistics()
  const figures = JSON.stringify({ collections, heapBytes, externalBytes, timers: waiting.size })
  const path = `${process.env.CLOCK_FILE}.${process.pid}.${threadId}`
  writeFileSync(`${path}.part`, figures)
  renameSync(`${path}.part`, path)
}, CHECK_EVERY_MS).unref()

function fireDue(): void {
  const now = nowMs()
  const due = [...waiting].filter(([, { dueMs }]) => dueMs <= now).sort(([, a], [, b]) => a.dueMs - b.dueMs)
  for (const [timer, each] of due) {
    // One that fired before may have cleared it.
    if (!waiting.has(timer)) continue
    if (each.everyMs !== undefined) each.dueMs = now + each.everyMs
    each.fire()
  }
}
