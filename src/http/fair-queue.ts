// Hot path
import type { Steps } from '../lib/steps.ts'
import type { ApiContext, RequestContext } from './api-context.ts'
import { Problem } from './problem.ts'
import { sendError } from './send-error.ts'

/** Whom the time of a thread is shared with: a key and its organization, or a user of the dashboard as both. */
export interface FairCaller {
  readonly id: string
  readonly organizationId: string
}

/** The callbacks of a piece of work. `onError` also gets what `onResult` throws. */
interface FairOutcome<Result> {
  /** `usedMs`: the thread time of the work, without the time that it waited. */
  onResult(result: Result, usedMs: number): void
  onError(error: unknown): void
}

/** Counts the thread time of callers. */
interface TimeAccount {
  /** `nowMs`: `performance.now()`. */
  spend(caller: FairCaller, usedMs: number, nowMs: number): void
}

/** The limits of the queue of a thread. */
interface FairLimits {
  /** Thread time per turn of the event loop, but for the last step: the longest that other requests wait if they are few. */
  readonly turnMs: number
  /** The same if they take so long that `TURN_SHARE` of their time is more: otherwise what waits would starve. */
  readonly turnMsMax: number
  readonly waitingPerKeyMax: number
  readonly waitingPerOrganizationMax: number
}

export const FAIR_LIMITS: FairLimits = {
  turnMs: 0.5,
  turnMsMax: 4,
  waitingPerKeyMax: 100,
  waitingPerOrganizationMax: 200,
}

/** Of the time that other requests took since the turn before. */
const TURN_SHARE = 0.5

/**
 * Shares a thread between callers whose requests take milliseconds: round robin by organization, then by key; the requests of a key in
 * their order. Work that exceeds the time of a turn of the event loop continues in a later one, so that all requests that take
 * microseconds are answered in between.
 *
 *     turn     1     2     3     4     5          key a of organization A has sent two requests, b one; c of C one
 *     slice    a1    c1    b1    c1    a1         c1 ends with its second slice
 *
 * While nothing waits, work begins at once, and cheap work ends in its first slice.
 */
export class FairQueue {
  readonly #limits: FairLimits
  readonly #account: TimeAccount | undefined
  /** The organization and the key whose turn is next come first. None is empty. */
  readonly #organizations = new Map<string, Map<string, Work[]>>()
  #isScheduled = false
  /** Used in this turn, of so much. */
  #usedMs = 0
  #turnMs: number

  /** `account` gets the thread time of each slice but the first, which is part of its request. */
  constructor(limits = FAIR_LIMITS, account?: TimeAccount) {
    this.#limits = limits
    this.#turnMs = limits.turnMs
    this.#account = account
  }

  /** Number of requests that wait. */
  get size(): number {
    return [...this.#organizations.values()].reduce((sum, keys) => sum + sizeOf(keys), 0)
  }

  /**
   * Runs steps to their end. Returns what cancels them if they have not ended yet. Throws `Problem('queue-full')` if too many of the
   * caller's wait.
   */
  run<Result>(caller: FairCaller, steps: Steps<Result>, outcome: FairOutcome<Result>): (() => void) | undefined {
    const work: Work = { steps, outcome: outcome as FairOutcome<unknown>, usedMs: 0 }
    const isFirst = !this.#isScheduled
    if (isFirst) this.#schedule()
    const isNext = isFirst || (this.#organizations.size === 0 && this.#usedMs < this.#turnMs)
    if (isNext && this.#runSlice(work)) return undefined
    this.#add(caller, work)
    return () => {
      if (this.#remove(caller, work)) steps.return(undefined as Result)
    }
  }

  /** As `run()`; rejects with what the steps throw, or with the reason of the signal, which cancels them. */
  finish<Result>(caller: FairCaller, steps: Steps<Result>, signal?: AbortSignal): Promise<Result> {
    return new Promise((onResult, onError) => {
      signal?.throwIfAborted()
      const cancel = this.run(caller, steps, { onResult, onError })
      if (cancel === undefined) return
      signal?.addEventListener('abort', () => {
        cancel()
        onError(signal.reason)
      })
    })
  }

  #schedule(): void {
    this.#isScheduled = true
    this.#turnMs = this.#limits.turnMs
    this.#nextTurn()
  }

  #nextTurn(): void {
    const endedMs = performance.now()
    setImmediate(() => this.#turn(performance.now() - endedMs))
  }

  /** `othersMs`: since the end of the turn before. */
  #turn(othersMs: number): void {
    const { turnMs, turnMsMax } = this.#limits
    this.#usedMs = 0
    this.#turnMs = Math.max(turnMs, Math.min(turnMsMax, othersMs * TURN_SHARE))
    if (this.#organizations.size === 0) {
      this.#isScheduled = false
      return
    }
    do this.#runNext()
    while (this.#organizations.size > 0 && this.#usedMs < this.#turnMs)
    this.#nextTurn()
  }

  #runNext(): void {
    const [organizationId, keys] = this.#organizations.entries().next().value as [string, Map<string, Work[]>]
    const [id, [work]] = keys.entries().next().value as [string, Work[]]
    rotate(this.#organizations, organizationId)
    rotate(keys, id)
    const before = work.usedMs
    if (this.#runSlice(work)) this.#remove({ id, organizationId }, work)
    this.#account?.spend({ id, organizationId }, work.usedMs - before, performance.now())
  }

  /** True if the work has ended. */
  #runSlice(work: Work): boolean {
    const startedMs = performance.now()
    const untilMs = startedMs + this.#turnMs - this.#usedMs
    try {
      let step = work.steps.next()
      while (step.done !== true && performance.now() < untilMs) step = work.steps.next()
      work.usedMs += performance.now() - startedMs
      if (step.done !== true) return false
      work.outcome.onResult(step.value, work.usedMs)
    } catch (error) {
      work.outcome.onError(error)
    } finally {
      this.#usedMs += performance.now() - startedMs
    }
    return true
  }

  #add({ id, organizationId }: FairCaller, work: Work): void {
    const { waitingPerKeyMax, waitingPerOrganizationMax } = this.#limits
    const keys = this.#organizations.get(organizationId) ?? new Map<string, Work[]>()
    const waiting = keys.get(id) ?? []
    if (waiting.length >= waitingPerKeyMax) throw queueFull(work, `This caller has ${waitingPerKeyMax}`)
    if (sizeOf(keys) >= waitingPerOrganizationMax)
      throw queueFull(work, `This organization has ${waitingPerOrganizationMax}`)
    waiting.push(work)
    keys.set(id, waiting)
    this.#organizations.set(organizationId, keys)
  }

  /** False if it is not in the queue. */
  #remove({ id, organizationId }: FairCaller, work: Work): boolean {
    const keys = this.#organizations.get(organizationId)
    const waiting = keys?.get(id)
    const at = waiting?.indexOf(work) ?? -1
    if (keys === undefined || waiting === undefined || at === -1) return false
    waiting.splice(at, 1)
    if (waiting.length === 0) keys.delete(id)
    if (keys.size === 0) this.#organizations.delete(organizationId)
    return true
  }
}

/** Runs the steps of a request; a request whose connection closes leaves the queue. Throws `Problem('queue-full')`. */
export function runFairly<Result>(
  context: RequestContext,
  api: ApiContext,
  { caller, steps }: { caller: FairCaller; steps: Steps<Result> },
  onResult: FairOutcome<Result>['onResult'],
): void {
  const onError = (error: unknown) => sendError(error, context, api)
  const cancel = api.queue.run(caller, steps, { onResult, onError })
  if (cancel !== undefined) context.response.once('close', cancel)
}

interface Work {
  readonly steps: Steps<unknown>
  readonly outcome: FairOutcome<unknown>
  usedMs: number
}

function sizeOf(keys: ReadonlyMap<string, readonly Work[]>): number {
  let size = 0
  for (const waiting of keys.values()) size += waiting.length
  return size
}

/** Moves an entry behind the others. */
function rotate<Value>(map: Map<string, Value>, key: string): void {
  const value = map.get(key) as Value
  map.delete(key)
  map.set(key, value)
}

function queueFull({ steps }: Work, who: string): Problem {
  steps.return(undefined)
  const message = `${who} requests waiting whose answers take long. Wait for answers before you send more.`
  return new Problem('queue-full', message, { headers: { 'retry-after': '1' } })
}
