import { SlotsError } from './slots-error.ts'

/** Aborts when its time is over, or when the caller does. Holds a timer and a listener until `end()`. */
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

  /** Begins the time anew. */
  extend(): void {
    this.pause()
    const late = () =>
      this.#controller.abort(
        new SlotsError('timeout', `Cannot wait longer: the service must answer within ${this.#ms} ms`),
      )
    this.#timer = setTimeout(late, this.#ms)
  }

  /** Lets no time pass until it begins anew. */
  pause(): void {
    clearTimeout(this.#timer)
  }

  end(): void {
    this.pause()
    this.#caller?.removeEventListener('abort', this.#follow)
  }

  /** What to throw when something under this deadline failed: the caller's reason, the time-out, or a fault of the network. */
  reasonFor(fault: unknown): unknown {
    if (this.signal.aborted) return this.signal.reason
    if (fault instanceof SlotsError) return fault
    return new SlotsError('network', 'Cannot reach the service: the connection failed', { cause: fault })
  }

  readonly #follow = () => this.#controller.abort(this.#caller?.reason)
}
