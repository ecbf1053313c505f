import pg from 'pg'
import { errorCode } from '../../lib/text.ts'
import { StoreUnavailable } from '../contracts/store.ts'
import { recordUnavailability } from '../sql/store-availability.ts'
import { addressesOf } from './addresses.ts'
import { LivenessCheck } from './liveness-check.ts'
import { SERVER_TIME, ServerClock } from './server-clock.ts'

/** Per store: each thread of a node opens its own, so a node uses about ten connections. */
const CONNECTIONS_MAX = 5

/** A host that takes longer to connect counts as unavailable. */
const CONNECT_MS_MAX = 5000

/** TCP keepalive starts after this idle time. */
export const KEEP_ALIVE_MS = 10_000

/** `bigint` as a number. No stored value exceeds 2^53; one that does is an error rather than a wrong number. */
const TYPES = new pg.TypeOverrides()
TYPES.setTypeParser(pg.types.builtins.INT8, exactNumber)

/** A statement and its parameters. */
export interface Statement {
  readonly text: string
  readonly values?: unknown[]
  readonly rowMode?: 'array'
}

/**
 * Connections to the host of the URL that accepts writes, opened on demand.
 *
 *     host a ── refuses, is silent, or is a standby ──▶ host b ── … ──▶ host a
 *
 * The last working host is tried first. After a failover, new connections find the promoted standby. Connections to a demoted
 * primary end with it, or with the first statement that it rejects.
 */
export class Primary {
  readonly #pools: readonly pg.Pool[]
  readonly #hosts: readonly string[]
  readonly #watches: readonly LivenessCheck[]
  readonly clock = new ServerClock()
  #current = 0
  #hasConnected = false
  #ending: Promise<unknown> | undefined

  constructor(databaseUrl: string) {
    const addresses = addressesOf(databaseUrl)
    // Reports invalid parameters here instead of as an unavailable host.
    this.#hosts = addresses.map((address) => hostOf(new pg.Client(address)))
    this.#pools = addresses.map((address) => openPool(address, this.clock))
    this.#watches = this.#pools.map((pool, at) => new LivenessCheck(pool, addresses[at]))
  }

  /**
   * Release it after use. Throws `StoreUnavailable` if no host accepts writes, or once a connection was open, if they refuse another:
   * a password is being changed, or the database restored. Before, a refusal is an error of the configuration.
   */
  async connect(): Promise<pg.PoolClient> {
    for (let tried = 1; ; tried++) {
      const at = this.#current
      try {
        const client = await this.#pools[at].connect()
        this.#hasConnected = true
        return client
      } catch (error) {
        const isRefusal = this.#hasConnected && this.#ending === undefined && error instanceof Error
        const host = this.#hosts[at]
        const storeError = asStoreError(isRefusal ? outage(error, host) : error, host)
        if (!(storeError instanceof StoreUnavailable)) throw storeError
        this.leaveHost(at)
        if (tried >= this.#pools.length) throw storeError
      }
    }
  }

  /** Runs a statement on any connection. Throws `StoreUnavailable` and the database's errors. */
  async query(statement: Statement): Promise<pg.QueryResult> {
    const client = await this.connect()
    let unavailable = false
    try {
      return await client.query(statement)
    } catch (error) {
      const storeError = asStoreError(error)
      unavailable = storeError instanceof StoreUnavailable
      throw storeError
    } finally {
      client.release(unavailable)
    }
  }

  /** The host that is tried first, as an index. */
  get host(): number {
    return this.#current
  }

  /** If this host is tried first, the next one is from now on. A concurrent call may have left it already. */
  leaveHost(host: number): void {
    if (host === this.#current) this.#current = (host + 1) % this.#pools.length
  }

  /** Waits for running statements. Idempotent. */
  async end(): Promise<void> {
    for (const watch of this.#watches) watch.stop()
    this.#ending ??= Promise.all(this.#pools.map((pool) => pool.end()))
    await this.#ending
  }
}

function openPool(connectionString: string, clock: ServerClock): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    types: TYPES,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: 'scheduling-slots',
    onConnect: (client) => requirePrimary(client, clock),
  })
  // The pool replaces broken idle connections; a broken connection in use fails its next statement.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** As in a URL, with the port, or the folder of a Unix socket. */
function hostOf({ host, port }: pg.Client): string {
  if (host.startsWith('/')) return host
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** A standby is read-only, and so is a primary that is being demoted. */
async function requirePrimary(client: pg.ClientBase, clock: ServerClock): Promise<void> {
  const statement = { text: `show transaction_read_only; ${SERVER_TIME}`, query_timeout: CONNECT_MS_MAX }
  const sentMs = performance.now()
  const [{ rows }] = noteServerTime(clock, await client.query(statement), sentMs)
  if (rows[0].transaction_read_only === 'off') return
  throw new StoreUnavailable('Cannot use the database: the host is a read-only standby')
}

/** Sets the clock by the last of several statements, `SERVER_TIME`, and returns the results of all. */
export function noteServerTime(clock: ServerClock, result: pg.QueryResult, sentMs: number): pg.QueryResult[] {
  // `pg` returns an array for several statements, and its types do not tell.
  const results = [result].flat()
  clock.note(results.at(-1)?.rows[0].now_ms, sentMs)
  return results
}

/**
 * Errors that mean no answer, a read-only host, a full disk, or a timeout: system error codes and SQLSTATE.
 */
const UNAVAILABLE =
  /^(?:E(?:CONN|PIPE|HOST|NET|TIMEDOUT|AI_|NOTFOUND)\w*|08\w{3}|57014|57P0[1235]|53[13]00|25006|25P0[34]|55000|55P03)$/

/** Messages of `pg` for a closed connection or a connection timeout. */
const BROKEN = /^(?:Connection terminated|timeout e(?:xceeded|xpired)|Client (?:has|was)|Query read timeout)/

/** Turns errors that mean the database is unavailable into `StoreUnavailable`; returns others unchanged. `host`: if it refused to connect. */
export function asStoreError(error: unknown, host?: string): unknown {
  if (!(error instanceof Error) || !isOutage(error)) return error
  const unavailable = outage(error, host)
  recordUnavailability(unavailable)
  return unavailable
}

function isOutage(error: Error): boolean {
  const code = codeOf(error)
  // A server that stops removes its Unix socket. Other files, such as that of `sslrootcert`, must exist.
  const hasNoSocket = code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect'
  return error instanceof StoreUnavailable || hasNoSocket || UNAVAILABLE.test(code) || BROKEN.test(error.message)
}

function outage(error: Error, host?: string): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error
  const code = codeOf(error)
  const reason = error instanceof pg.DatabaseError ? `${error.message} (${code})` : code || error.message
  const at = host === undefined ? '' : ` at ${host}`
  return new StoreUnavailable(`Cannot reach the database${at}: ${reason}`, { cause: error })
}

/** The error code of the operating system, `pg` or SQL; for an aggregate of failed addresses, the first. */
function codeOf(error: Error): string {
  return errorCode(error) ?? errorCode(error instanceof AggregateError && error.errors[0]) ?? ''
}

function exactNumber(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value)) return value
  throw new Error(`Cannot read from the database: an integer must be within 2^53: got "${text}"`)
}
