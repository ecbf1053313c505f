import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { addressesOf } from './addresses.ts'
import { KEEP_ALIVE_MS } from './connections.ts'

/** The channel that commits notify: see `notifyChanges` of the SQL dialect. */
export const CHANNEL = 'scheduling_slots'

/** Reconnection delay; polling continues meanwhile. */
const RECONNECT_MS = 5000

/**
 * Wakes waiting nodes on commits by LISTEN/NOTIFY, so that a change is visible in milliseconds instead of at the next poll.
 *
 * Notifications carry no data and may be lost or repeated (a transaction pooler drops them); waiting nodes also poll. Connects on the
 * first wait.
 */
export class NotificationListener {
  readonly #addresses: readonly string[]
  readonly #waiting = new Set<() => void>()
  #client: pg.Client | undefined
  /** The next host to try: another one after each failure, since a standby does not support LISTEN. */
  #host = 0
  #reconnectAtMs = 0
  #closed = false

  constructor(directUrl: string) {
    this.#addresses = addressesOf(directUrl)
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    this.#listen()
    const woken = new AbortController()
    const wake = () => woken.abort()
    this.#waiting.add(wake)
    await sleep(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => undefined)
    this.#waiting.delete(wake)
  }

  async close(): Promise<void> {
    this.#closed = true
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => undefined)
  }

  #listen(): void {
    if (this.#closed || this.#client !== undefined || performance.now() < this.#reconnectAtMs) return
    this.#reconnectAtMs = performance.now() + RECONNECT_MS
    const client = new pg.Client({
      connectionString: this.#addresses[this.#host % this.#addresses.length],
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      connectionTimeoutMillis: RECONNECT_MS,
      application_name: 'scheduling-slots-listen',
    })
    this.#client = client
    const forget = () => {
      if (this.#client === client) {
        this.#client = undefined
        this.#host++
      }
      client.end().catch(() => undefined)
    }
    client.on('error', forget)
    client.on('end', forget)
    client.on('notification', () => {
      for (const wake of this.#waiting) wake()
    })
    client
      .connect()
      .then(() => client.query(`listen ${CHANNEL}`))
      .catch(forget)
  }
}
