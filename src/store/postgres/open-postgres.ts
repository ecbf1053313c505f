import type { Pool } from 'pg'
import type { Database } from '../database.ts'
import { asStoreError, openPool } from './connections.ts'
import { PostgresDatabase } from './postgres-database.ts'

/** Opens a PostgreSQL database, which must exist; our tables are made in the first schema of its search path. */
export async function openPostgres(databaseUrl: string): Promise<Database> {
  const pool = openPool(databaseUrl)
  try {
    await createTurns(pool)
  } catch (thrown) {
    await pool.end()
    throw asStoreError(thrown)
  }
  return new PostgresDatabase(pool)
}

/** Two who create the same table at once: one is refused by the catalogue's own unique index, and finds it there at the second try. */
const CREATED_MEANWHILE = new Set(['23505', '42P07', 'XX000'])

/** The one table that must be there before the first transaction of ours. */
async function createTurns(pool: Pool, triesLeft = 5): Promise<void> {
  try {
    const { rows } = await pool.query(`select to_regclass('turns') is not null as exists`)
    if (!rows[0].exists) await pool.query('create table if not exists turns (id integer primary key)')
    await pool.query('insert into turns (id) values (1) on conflict do nothing')
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
    if (triesLeft === 0 || !CREATED_MEANWHILE.has(code)) throw thrown
    await createTurns(pool, triesLeft - 1)
  }
}
