import { TIMER_MS_MAX } from './back-off.ts'
import { SlotsError } from './slots-error.ts'

/** Aborts when its time is over or the caller's signal aborts. Holds a timer and a listener until `end()`. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #ms: number
  readonly #caller: AbortSignal | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(ms: number, caller: AbortSignal | undefined) {
    this.#ms = ms
    this.#caller = caller
    if (caller?.aborted) this.#follow()
    caller?.addEventListener('abort', this.#follow, { once: true })
    this.extend()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Restarts the time. */
  extend(): void {
    this.pause()
    const late = () =>
      this.#controller.abort(new SlotsError('timeout', `The service did not respond within ${this.#ms} ms`))
    this.#timer = setTimeout(late, Math.min(this.#ms, TIMER_MS_MAX))
  }

  /** Stops the time until `extend()`. */
  pause(): void {
    clearTimeout(this.#timer)
  }

  end(): void {
    this.pause()
    this.#caller?.removeEventListener('abort', this.#follow)
  }

  /** Ends, and closes the connection of a response that was not read to its end. */
  abandon(): void {
    this.end()
    this.#controller.abort()
  }

  /** The error to throw for a failure under this deadline: the caller's reason, the timeout, or a network error. */
  reasonFor(error: unknown): unknown {
    if (this.signal.aborted) return this.signal.reason
    if (error instanceof SlotsError) return error
    return new SlotsError('network', 'Cannot reach the service: the connection failed', { cause: error })
  }

  readonly #follow = () => this.#controller.abort(this.#caller?.reason)
}

/** Items that were received before; throws the reason of the signal once it is aborted. */
export function* untilAborted<Item>(
  items: Iterable<Item>,
  signal: AbortSignal | undefined,
): Generator<Item, void, undefined> {
  for (const item of items) {
    signal?.throwIfAborted()
    yield item
  }
}
