import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Offering } from '../../slot/slot.ts'
import { advance } from './counters.ts'
import type { Database, Writer } from './database.ts'
import type { Schema } from './schema.ts'

const OFFERINGS_PER_INSERT = 500

/**
 * Returns the ids of these offerings in the order given, and stores those that the source does not have yet.
 * Offerings with equal JSON are equal. `before` runs first in the transaction, if one is needed.
 */
export async function putOfferings(
  database: Database,
  offerings: readonly Offering[],
  sourceId: number,
  before: (writer: Writer) => Promise<void>,
): Promise<number[]> {
  const encoded = offerings.map((offering) => JSON.stringify(offering))
  const jsonByHash = new Map(encoded.map((json) => [contentHash(json), json]))
  let ids = await findIds(database, database.read.queries, sourceId, [...jsonByHash.keys()])
  if (ids.size < jsonByHash.size) {
    ids = await database.transaction('kill', async (writer) => {
      await before(writer)
      return insertMissing(database, writer.queries, sourceId, jsonByHash)
    })
  }
  return encoded.map((json) => ids.get(contentHash(json)) ?? 0)
}

async function insertMissing(
  database: Database,
  queries: Kysely<Schema>,
  sourceId: number,
  jsonByHash: ReadonlyMap<string, string>,
): Promise<Map<string, number>> {
  const ids = await findIds(database, queries, sourceId, [...jsonByHash.keys()])
  const missing = [...jsonByHash].filter(([hash]) => !ids.has(hash))
  const firstId = (await advance(queries, 'offering_ids', missing.length)) - missing.length + 1
  const rows = missing.map(([hash, json], at) => ({ id: firstId + at, source_id: sourceId, hash, json }))
  for (let at = 0; at < rows.length; at += OFFERINGS_PER_INSERT) {
    await queries
      .insertInto('offerings')
      .values(rows.slice(at, at + OFFERINGS_PER_INSERT))
      .execute()
  }
  for (const row of rows) ids.set(row.hash, row.id)
  return ids
}

async function findIds(
  database: Database,
  queries: Kysely<Schema>,
  sourceId: number,
  hashes: readonly string[],
): Promise<Map<string, number>> {
  const rows = await queries
    .selectFrom('offerings')
    .select(['id', 'hash'])
    .where('source_id', '=', sourceId)
    .where('hash', 'in', database.sqlDialect.anyOf(hashes))
    .execute()
  return new Map(rows.map((row) => [row.hash, row.id]))
}

function contentHash(json: string): string {
  return hash('sha256', json, 'base64url')
}
