import pg from 'pg'
import { StoreAway } from '../store.ts'

/** Of one store: each thread of a node has its own, so a node takes some ten. */
const CONNECTIONS_MAX = 5

const CONNECT_MS_MAX = 5000

/** `bigint` as a number: nothing that we store is beyond 2^53. */
const TYPES = new pg.TypeOverrides()
TYPES.setTypeParser(pg.types.builtins.INT8, Number)

/** A pool of connections, made when the first is needed. `application` is what the server's lists show. */
export function openPool(databaseUrl: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    types: TYPES,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    // A dead server is noticed by the next statement, however silent the network is.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'scheduling-slots',
  })
  // An idle connection that breaks is replaced by the pool; whoever uses a broken one hears of it there.
  pool.on('error', () => undefined)
  return pool
}

/** What a statement throws when there is nobody to answer it, or somebody who may not write: by code of the system or class of SQLSTATE. */
const AWAY = /^(?:E(?:CONN|PIPE|HOST|NET|TIMEDOUT|AI_|NOTFOUND)\w*|08\w{3}|57P0[123]|53300|25006|55000)$/

/** The database's own errors as they are, and `StoreAway` for those that say that it cannot be asked now. */
export function asStoreError(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown
  const code = 'code' in thrown ? String(thrown.code) : ''
  const isBroken = /^(?:Connection terminated|timeout e(?:xceeded|xpired)|Client (?:has|was))/.test(
    thrown.message,
  )
  if (!AWAY.test(code) && !isBroken) return thrown
  return new StoreAway(`Cannot reach the database: it must answer: got "${code || thrown.message}"`, {
    cause: thrown,
  })
}
