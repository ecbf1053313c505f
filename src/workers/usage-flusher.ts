import type { UsageBatch } from '../keys/usage-batch.ts'
import type { UsageMeter } from '../keys/usage-meter.ts'
import type { LogEvent } from '../lib/log-event.ts'
import type { UsageResult } from './dashboard-messages.ts'

/** The time that `close()` waits for the last counts to be stored. */
const CLOSE_MS_MAX = 5000

export interface UsageFlusherOptions {
  readonly meter: UsageMeter
  /** Rejects if the dashboard thread is not running or dies: the batch was probably not stored. */
  readonly addUsage: (batch: UsageBatch) => Promise<UsageResult>
  readonly onEvent: (event: LogEvent) => void
}

/**
 * Stores the counts of a meter, one batch at a time. A batch that cannot be stored goes back to the meter and into the next batch,
 * so a store that rejects writes loses nothing; it only costs the memory of the counts.
 *
 *     idle ── flush() ──▶ storing ── stored ──▶ idle
 *                            └── not stored ──▶ meter.giveBack(), idle
 */
export class UsageFlusher {
  readonly #options: UsageFlusherOptions
  #storing: { readonly batch: UsageBatch; readonly done: Promise<void> } | undefined
  #isFailing = false

  constructor(options: UsageFlusherOptions) {
    this.#options = options
  }

  /** Starts to store what was counted, unless the previous batch is still being stored. */
  flush(): void {
    if (this.#storing !== undefined) return
    const batch = this.#options.meter.drain()
    if (batch === undefined) return
    const storing = { batch, done: Promise.resolve() }
    this.#storing = storing
    storing.done = this.#store(batch).then((isStored) => {
      if (this.#storing !== storing) return
      this.#storing = undefined
      if (!isStored) this.#options.meter.giveBack(batch)
    })
  }

  /** Stores the last counts. Those that cannot be stored in time are lost, and logged. */
  async close(): Promise<void> {
    const timeout = AbortSignal.timeout(CLOSE_MS_MAX)
    await this.#settled(timeout)
    this.flush()
    await this.#settled(timeout)
    if (this.#storing !== undefined) this.#options.meter.giveBack(this.#storing.batch)
    this.#storing = undefined
    const left = this.#options.meter.drain()?.requests ?? []
    const requests = left.reduce((sum, { count }) => sum + count, 0)
    if (requests > 0)
      this.#options.onEvent({ level: 'error', message: 'usage was lost', fields: { requests } })
  }

  async #store(batch: UsageBatch): Promise<boolean> {
    const result = await this.#options
      .addUsage(batch)
      .catch(() => ({ stored: false, error: undefined }) as const)
    if (result.stored) this.#noteStored()
    else if (result.error !== undefined) this.#noteFailing(result.error)
    return result.stored
  }

  #noteStored(): void {
    if (this.#isFailing)
      this.#options.onEvent({ level: 'info', message: 'usage storing recovered', fields: {} })
    this.#isFailing = false
  }

  #noteFailing(error: string): void {
    if (!this.#isFailing)
      this.#options.onEvent({ level: 'error', message: 'usage could not be stored', fields: { error } })
    this.#isFailing = true
  }

  async #settled(timeout: AbortSignal): Promise<void> {
    const { promise: timedOut, resolve } = Promise.withResolvers<void>()
    timeout.addEventListener('abort', () => resolve())
    if (!timeout.aborted) await Promise.race([this.#storing?.done, timedOut])
  }
}
