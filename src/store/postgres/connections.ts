import pg from 'pg'
import { StoreUnavailable } from '../contracts/store.ts'
import { recordUnavailability } from '../sql/store-availability.ts'
import { addressesOf } from './addresses.ts'
import { LivenessCheck } from './liveness-check.ts'

/** Of one store: each thread of a node has its own, so a node takes some ten. */
const CONNECTIONS_MAX = 5

/** A host that takes longer to let one in counts as away. */
export const CONNECT_MS_MAX = 5000

/** A connection that nothing was sent on for this long is asked whether it still is one. */
export const KEEP_ALIVE_MS = 10_000

/** `bigint` as a number. Nothing that we store is beyond 2^53; were it, a failure is better than another number. */
const TYPES = new pg.TypeOverrides()
TYPES.setTypeParser(pg.types.builtins.INT8, exactNumber)

/** A statement and what it is given. */
export interface Statement {
  readonly text: string
  readonly values?: unknown[]
  readonly rowMode?: 'array'
}

/**
 * Connections to whichever host of a URL takes writes, made when they are needed.
 *
 *     host a ── refuses, is silent, or is a standby ──▶ host b ── … ──▶ host a
 *
 * The host that served last is asked first, so that nothing is asked twice while all is well; after a failover each new
 * connection finds the promoted standby by itself. Connections to a primary that was demoted end with it, or
 * with the first statement that it refuses.
 */
export class Primary {
  readonly #pools: readonly pg.Pool[]
  readonly #watches: readonly LivenessCheck[]
  #current = 0
  #ending: Promise<unknown> | undefined

  constructor(databaseUrl: string) {
    const addresses = addressesOf(databaseUrl)
    // What is wrong with the parameters shows here, and not as a host that is away.
    for (const address of addresses) new pg.Client(address)
    this.#pools = addresses.map(openPool)
    this.#watches = this.#pools.map((pool, at) => new LivenessCheck(pool, addresses[at]))
  }

  /** To be released. Throws `StoreUnavailable` if no host takes writes. */
  async connect(): Promise<pg.PoolClient> {
    for (let tried = 1; ; tried++) {
      const at = this.#current
      try {
        return await this.#pools[at].connect()
      } catch (thrown) {
        const fault = asStoreError(thrown)
        if (!(fault instanceof StoreUnavailable)) throw fault
        // Somebody else may have moved on meanwhile.
        if (at === this.#current) this.#current = (at + 1) % this.#pools.length
        if (tried >= this.#pools.length) throw fault
      }
    }
  }

  /** On any connection. Throws `StoreUnavailable`, and the database's own errors. */
  async query(statement: Statement): Promise<pg.QueryResult> {
    const client = await this.connect()
    let fault: unknown
    try {
      return await client.query(statement)
    } catch (thrown) {
      fault = asStoreError(thrown)
      throw fault
    } finally {
      client.release(fault instanceof StoreUnavailable)
    }
  }

  /** Waits for what runs. A second time does nothing. */
  async end(): Promise<void> {
    for (const watch of this.#watches) watch.stop()
    this.#ending ??= Promise.all(this.#pools.map((pool) => pool.end()))
    await this.#ending
  }
}

function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    types: TYPES,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: 'scheduling-slots',
    onConnect: requirePrimary,
  })
  // An idle connection that breaks is replaced by the pool; whoever uses a broken one hears of it from the next statement.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** A standby is read-only, and so is a primary that is about to be one. */
async function requirePrimary(client: pg.ClientBase): Promise<void> {
  const asked = { text: 'show transaction_read_only', query_timeout: CONNECT_MS_MAX }
  const { rows } = await client.query(asked)
  if (rows[0].transaction_read_only === 'off') return
  throw new StoreUnavailable('Cannot use the database: it must take writes: got a standby')
}

/**
 * What a statement throws when nobody answers it, or somebody who may not write, or who waited too long for his turn:
 * by code of the system or class of SQLSTATE.
 */
const AWAY =
  /^(?:E(?:CONN|PIPE|HOST|NET|TIMEDOUT|AI_|NOTFOUND)\w*|08\w{3}|57P0[1235]|53300|25006|25P03|55000|55P03)$/

/** What `pg` says itself when a connection is no more, or could not be had in time. */
const BROKEN = /^(?:Connection terminated|timeout e(?:xceeded|xpired)|Client (?:has|was)|Query read timeout)/

/** The database's own errors as they are, and `StoreUnavailable` for those that say that it cannot be asked now. */
export function asStoreError(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown
  const away = thrown instanceof StoreUnavailable ? thrown : awayBy(thrown)
  if (away !== undefined) recordUnavailability(away)
  return away ?? thrown
}

function awayBy(fault: Error): StoreUnavailable | undefined {
  const code = codeOf(fault)
  if (!AWAY.test(code) && !BROKEN.test(fault.message)) return undefined
  return new StoreUnavailable(`Cannot reach the database: it must answer: got "${code || fault.message}"`, {
    cause: fault,
  })
}

/** Of the system, of `pg`, or SQLSTATE; of a name with several addresses that all failed, the first. */
function codeOf(fault: Error): string {
  if ('code' in fault && typeof fault.code === 'string') return fault.code
  return fault instanceof AggregateError && fault.errors[0] instanceof Error ? codeOf(fault.errors[0]) : ''
}

function exactNumber(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value)) return value
  throw new Error(`Cannot read from the database: an integer must be within 2^53: got "${text}"`)
}
