import pg from 'pg'

/** A connection in use on which nothing has come for this long is suspected. Longer than nearly every statement takes. */
const SILENT_MS = 5000

const LOOK_MS = 1000

/** How long a host may take to let in whoever asks whether it is still there. */
const PROBE_MS_MAX = 5000

/**
 * Breaks connections to a host that fell silent without a word: a machine that lost its power, a network that was cut.
 *
 * TCP itself gives up on what was sent and not confirmed only after a quarter of an hour, and a limit on statements cannot tell
 * a long one from a lost one. So while somebody waits for long, the host is asked for another connection: if that fails
 * too, all of those in use are broken off, and whoever waits hears that the database is away.
 */
export class LivenessCheck {
  readonly #address: string
  /** How much has come on each connection that is in use, and since when it is no more. */
  readonly #inUse = new Map<pg.PoolClient, { bytes: number; sinceMs: number }>()
  readonly #looking: NodeJS.Timeout
  #probing = false

  constructor(pool: pg.Pool, address: string) {
    this.#address = address
    pool.on('acquire', (client) => this.#inUse.set(client, { bytes: -1, sinceMs: performance.now() }))
    pool.on('release', (_error, client) => this.#inUse.delete(client))
    this.#looking = setInterval(() => this.#look(), LOOK_MS).unref()
  }

  stop(): void {
    clearInterval(this.#looking)
  }

  #look(): void {
    const nowMs = performance.now()
    let isSilent = false
    for (const [client, heard] of this.#inUse) {
      const bytes = bytesFrom(client)
      if (bytes !== heard.bytes) this.#inUse.set(client, { bytes, sinceMs: nowMs })
      else if (nowMs - heard.sinceMs >= SILENT_MS) isSilent = true
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
    try {
      await client.connect()
      // It takes its time; it is asked again after as long as this.
      for (const heard of this.#inUse.values()) heard.sinceMs = performance.now()
    } catch {
      for (const silent of this.#inUse.keys()) silent.connection.stream.destroy()
    } finally {
      client.end().catch(() => undefined)
      this.#probing = false
    }
  }
}

function bytesFrom({ connection: { stream } }: pg.PoolClient): number {
  return 'bytesRead' in stream && typeof stream.bytesRead === 'number' ? stream.bytesRead : 0
}
