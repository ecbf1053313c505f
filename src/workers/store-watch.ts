import type { NodeCondition } from '../http/api-context.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { availableMessage, unavailableMessage } from '../lib/retry-until-available.ts'

const AWAY = unavailableMessage('store')
const BACK = availableMessage('store')

/**
 * Whether the database can be asked, as the threads of this node find who wait for it.
 *
 *     ok ── the first thread finds it away ──▶ away ── the last one finds it back ──▶ ok
 *
 * Each thread tells for itself; the log is told once for all of them.
 */
export class StoreWatch {
  readonly #kind: NodeCondition['store']['kind']
  readonly #now: () => number
  readonly #away = new Set<string>()
  #sinceMs: number
  #awayMsBefore = 0

  constructor(databaseUrl: string, now: () => number) {
    this.#kind = databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgres'
    this.#now = now
    this.#sinceMs = now()
  }

  /** Hands on what a thread tells, but for what another one has told before it. */
  listener(thread: string, onEvent: (event: LogEvent) => void): (event: LogEvent) => void {
    return (event) => {
      if (event.message === AWAY) this.#noteAway(thread, event, onEvent)
      else if (event.message === BACK) this.#noteBack(thread, event, onEvent)
      else {
        // The next one will find out for itself.
        if (event.message === 'thread died') this.#noteBack(thread, undefined, onEvent)
        onEvent(event)
      }
    }
  }

  get condition(): NodeCondition['store'] {
    return { kind: this.#kind, status: this.#away.size > 0 ? 'away' : 'ok', sinceMs: this.#sinceMs }
  }

  /** For how long in all, until now. */
  get awayMs(): number {
    return this.#awayMsBefore + (this.#away.size > 0 ? this.#now() - this.#sinceMs : 0)
  }

  #noteAway(thread: string, event: LogEvent, onEvent: (event: LogEvent) => void): void {
    const isFirst = this.#away.size === 0
    this.#away.add(thread)
    if (!isFirst) return
    this.#sinceMs = this.#now()
    onEvent(event)
  }

  #noteBack(thread: string, event: LogEvent | undefined, onEvent: (event: LogEvent) => void): void {
    if (!this.#away.delete(thread) || this.#away.size > 0) return
    const awayMs = this.#now() - this.#sinceMs
    this.#awayMsBefore += awayMs
    this.#sinceMs = this.#now()
    if (event !== undefined) onEvent({ ...event, fields: { awayMs } })
  }
}
