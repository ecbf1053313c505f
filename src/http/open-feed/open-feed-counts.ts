import type { LogEvent } from '../../lib/log-event.ts'

/** The message of the event that reports requests to the open feed. */
export const OPEN_FEED_REQUESTS = 'open feed was requested'

const FLUSH_MS = 1000

/** Counts the requests of a thread to the open feed by status class, and reports them once a second. */
export class OpenFeedCounts {
  readonly #onEvent: (event: LogEvent) => void
  #pending = new Map<number, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(onEvent: (event: LogEvent) => void) {
    this.#onEvent = onEvent
  }

  note(status: number): void {
    const hundreds = Math.floor(status / 100)
    this.#pending.set(hundreds, (this.#pending.get(hundreds) ?? 0) + 1)
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS).unref()
  }

  #flush(): void {
    this.#timer = undefined
    for (const [hundreds, count] of this.#pending) {
      this.#onEvent({ level: 'info', message: OPEN_FEED_REQUESTS, fields: { hundreds, count } })
    }
    this.#pending = new Map()
  }
}

/** The requests of all threads of a node by status class: 2 for 200 to 299, and so on. */
export class OpenFeedTotals {
  readonly #counts = new Map<number, number>()

  add({ fields: { hundreds, count } }: LogEvent): void {
    this.#counts.set(Number(hundreds), (this.#counts.get(Number(hundreds)) ?? 0) + Number(count))
  }

  get counts(): ReadonlyMap<number, number> {
    return this.#counts
  }
}
