import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { PostgresServer } from '../test/postgres/postgres-server.ts'

/** Empty databases of one kind, and the size of the filled ones. */
export interface Databases extends AsyncDisposable {
  readonly kind: 'SQLite' | 'PostgreSQL'
  /** Goals for measurements with this kind of database. */
  readonly goals: { readonly firstSync: number; readonly secondSync: number; readonly restartSeconds: number }
  /** Idempotent per name. */
  url(name: string): Promise<string>
  /** Size on disk with indexes, without logs. */
  bytes(name: string): Promise<number>
  /** Number of transactions; NaN if not counted. */
  transactions(name: string): Promise<number>
}

export function sqliteDatabases(folder: string): Databases {
  const path = (name: string) => join(folder, `${name}.db`)
  return {
    kind: 'SQLite',
    goals: { firstSync: 100_000, secondSync: 200_000, restartSeconds: 4 },
    url: async (name) => `sqlite:${path(name)}`,
    bytes: async (name) => (await stat(path(name))).size,
    transactions: async () => Number.NaN,
    async [Symbol.asyncDispose]() {},
  }
}

/** Production durability (fsync on); defaults otherwise, except for memory and WAL size. */
export const POSTGRES_SETTINGS = { fsync: 'on', full_page_writes: 'on', shared_buffers: '1GB', max_wal_size: '4GB' }

export async function postgresDatabases(): Promise<Databases> {
  const server = await PostgresServer.start(POSTGRES_SETTINGS)
  const urls = new Map<string, Promise<string>>()
  const url = (name: string) => {
    const known = urls.get(name) ?? server.createDatabase()
    urls.set(name, known)
    return known
  }
  const ask = async (name: string, sql: string) => {
    const client = new pg.Client(await url(name))
    await client.connect()
    try {
      return Number((await client.query(sql)).rows[0].answer)
    } finally {
      await client.end()
    }
  }
  return {
    kind: 'PostgreSQL',
    goals: { firstSync: 50_000, secondSync: 100_000, restartSeconds: 8 },
    url,
    bytes: (name) => ask(name, 'select pg_database_size(current_database()) as answer'),
    transactions: (name) =>
      ask(name, 'select xact_commit as answer from pg_stat_database where datname = current_database()'),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
