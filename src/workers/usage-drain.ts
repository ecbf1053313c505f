import type { UsageBatch } from '../keys/usage-batch.ts'
import type { UsageMeter } from '../keys/usage-meter.ts'
import type { LogEvent } from '../lib/log-event.ts'
import type { ToAccountThread } from './dashboard-messages.ts'

/** At the end, the last counts get this long to be written. */
const FINISH_MS_MAX = 5000

export interface DrainParts {
  readonly meter: UsageMeter
  /** Posts to the account thread; false if it is away. */
  readonly post: (message: ToAccountThread) => boolean
  readonly onEvent: (event: LogEvent) => void
}

/**
 * Has written what the meter counted, one batch at a time.
 *
 *     drain() ──▶ underway ── counted ──▶ done
 *                    └────── uncounted, or the thread is gone ──▶ back to the meter, and into the next batch
 *
 * A store that refuses to write therefore loses nothing and ends nothing; it only costs the memory of the counts.
 */
export class UsageDrain {
  readonly #parts: DrainParts
  #underway: { readonly id: number; readonly batch: UsageBatch } | undefined
  #lastId = 0
  #isFailing = false
  #settled = () => {}

  constructor(parts: DrainParts) {
    this.#parts = parts
  }

  /** Posts what was counted, unless the batch before is still underway. */
  drain(): void {
    if (this.#underway !== undefined) return
    const batch = this.#parts.meter.drain()
    if (batch === undefined) return
    const id = ++this.#lastId
    this.#underway = { id, batch }
    if (!this.#parts.post({ kind: 'usage', id, batch })) this.lost()
  }

  counted(id: number): void {
    if (this.#underway?.id !== id) return
    this.#underway = undefined
    if (this.#isFailing)
      this.#parts.onEvent({ level: 'info', message: 'usage was written again', fields: {} })
    this.#isFailing = false
    this.#settled()
  }

  /** `reason`: to be told, once for each time that it cannot be written. */
  uncounted(id: number, reason: string | undefined): void {
    if (this.#underway?.id !== id) return
    if (reason !== undefined) this.#tellFailing(reason)
    this.lost()
  }

  /** Nobody will say what became of the batch that is underway. */
  lost(): void {
    if (this.#underway !== undefined) this.#parts.meter.giveBack(this.#underway.batch)
    this.#underway = undefined
    this.#settled()
  }

  /** Has the last counts written; what cannot be is told, and lost. */
  async finish(): Promise<void> {
    const deadlineMs = performance.now() + FINISH_MS_MAX
    await this.#untilSettled(deadlineMs)
    this.drain()
    await this.#untilSettled(deadlineMs)
    this.lost()
    const requests = this.#parts.meter.drain()?.requests.reduce((sum, { count }) => sum + count, 0) ?? 0
    if (requests > 0) this.#parts.onEvent({ level: 'error', message: 'usage was lost', fields: { requests } })
  }

  #tellFailing(reason: string): void {
    if (!this.#isFailing) {
      const message = 'usage could not be written, and is kept'
      this.#parts.onEvent({ level: 'error', message, fields: { error: reason } })
    }
    this.#isFailing = true
  }

  async #untilSettled(deadlineMs: number): Promise<void> {
    if (this.#underway === undefined) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, deadlineMs - performance.now()))
      this.#settled = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
