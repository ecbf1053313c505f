import type { Kysely } from 'kysely'
import type { FilterMatches, MatchedSlot, MatchKind } from '../contracts/subscription-matches.ts'
import type { Schema } from './schema.ts'

/** Rows in an insert: below SQLite's bound of 32,766 parameters. */
const ROWS_PER_INSERT = 2000

/** Stores matches, and replaces those of the same filters, revision and kind. */
export async function putMatches(queries: Kysely<Schema>, matches: readonly FilterMatches[]): Promise<void> {
  const rows = matches.map(rowOf)
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    await queries
      .insertInto('subscription_matches')
      .values(rows.slice(at, at + ROWS_PER_INSERT))
      .onConflict((conflict) =>
        conflict
          .columns(['filters_key', 'revision', 'kind'])
          .doUpdateSet((row) => ({ total: row.ref('excluded.total'), ids: row.ref('excluded.ids') })),
      )
      .execute()
  }
}

/** Deletes the matches of filters up to a revision, or what a subscription carries to its next announcement. */
export async function deleteMatches(
  queries: Kysely<Schema>,
  filtersKey: string,
  until = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  await queries
    .deleteFrom('subscription_matches')
    .where('filters_key', '=', filtersKey)
    .where('revision', '<=', until)
    .execute()
}

function rowOf({ filtersKey, revision, kind, sourceId, total, slots }: FilterMatches): Schema['subscription_matches'] {
  return { filters_key: filtersKey, revision, kind, source_id: sourceId, total, ids: JSON.stringify(slots) }
}

/** The matches of a row. */
export function matchesOf(row: Schema['subscription_matches']): FilterMatches {
  const slots: readonly MatchedSlot[] = JSON.parse(row.ids)
  return {
    filtersKey: row.filters_key,
    revision: row.revision,
    kind: row.kind as MatchKind,
    sourceId: row.source_id,
    total: row.total,
    slots,
  }
}
