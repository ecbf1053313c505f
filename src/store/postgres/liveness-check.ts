import pg from 'pg'

/** A connection in use without incoming data for this long is checked. Longer than nearly every statement takes. */
const SILENT_MS = 5000

const CHECK_MS = 1000

/** Connection timeout of the probe. */
const PROBE_MS_MAX = 5000

/**
 * Closes connections to a host that stopped responding: a power failure, a network partition.
 *
 * TCP gives up on unacknowledged data after 15 minutes, and a statement timeout cannot distinguish a long statement from a lost one.
 * Therefore, while a statement waits for long, a probe opens another connection: if there is no answer either, all connections in
 * use are closed, and their statements fail with `StoreUnavailable`.
 */
export class LivenessCheck {
  readonly #address: string
  /** Bytes received on each connection in use, and since when the number is unchanged. */
  readonly #inUse = new Map<pg.PoolClient, { bytes: number; sinceMs: number }>()
  readonly #timer: NodeJS.Timeout
  #probing = false

  constructor(pool: pg.Pool, address: string) {
    this.#address = address
    pool.on('acquire', (client) => this.#inUse.set(client, { bytes: -1, sinceMs: performance.now() }))
    pool.on('release', (_error, client) => this.#inUse.delete(client))
    this.#timer = setInterval(() => this.#check(), CHECK_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #check(): void {
    const nowMs = performance.now()
    let isSilent = false
    for (const [client, state] of this.#inUse) {
      const bytes = bytesFrom(client)
      if (bytes !== state.bytes) this.#inUse.set(client, { bytes, sinceMs: nowMs })
      else if (nowMs - state.sinceMs >= SILENT_MS) isSilent = true
    }
    if (isSilent && !this.#probing) void this.#probe()
  }

  async #probe(): Promise<void> {
    this.#probing = true
    const client = new pg.Client({
      connectionString: this.#address,
      connectionTimeoutMillis: PROBE_MS_MAX,
      application_name: 'scheduling-slots-probe',
    })
    client.on('error', () => undefined)
    // A refusal, such as of too many connections, is an answer as well.
    const isAlive = await client.connect().then(
      () => true,
      (error: unknown) => error instanceof pg.DatabaseError,
    )
    // The statement is slow: probe again after the same time.
    if (isAlive) for (const state of this.#inUse.values()) state.sinceMs = performance.now()
    else for (const silent of this.#inUse.keys()) silent.connection.stream.destroy()
    client.end().catch(() => undefined)
    this.#probing = false
  }
}

function bytesFrom({ connection: { stream } }: pg.PoolClient): number {
  return 'bytesRead' in stream && typeof stream.bytesRead === 'number' ? stream.bytesRead : 0
}
