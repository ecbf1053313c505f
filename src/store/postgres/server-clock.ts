/** The server's time in whole milliseconds since 1970, as the column `now_ms`. Not that of the transaction's beginning. */
export const SERVER_TIME = 'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms'

/**
 * The clock of the database server, which all nodes share: a node whose clock is wrong must not end the leases of others.
 *
 *     sent ── server reads its time ── received      offset: between time − received and time − sent
 *
 * Each sample moves the offset into these bounds, so a slow response does not distort it. Between samples, the monotonic
 * clock of this machine counts, which nothing sets.
 */
export class ServerClock {
  readonly #monotonic: () => number
  #offsetMs: number

  /** The first offset is only a guess. */
  constructor(monotonic = () => performance.now(), offsetMs = performance.timeOrigin) {
    this.#monotonic = monotonic
    this.#offsetMs = offsetMs
  }

  /** The server read this time after `sentMs` of the monotonic clock. */
  note(serverMs: number, sentMs: number): void {
    const [min, max] = [serverMs - this.#monotonic(), serverMs - sentMs]
    this.#offsetMs = Math.min(max, Math.max(min, this.#offsetMs))
  }

  now(): number {
    return Math.floor(this.#monotonic() + this.#offsetMs)
  }
}
