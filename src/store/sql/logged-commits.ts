import type { Kysely, NotNull } from 'kysely'
import { defined } from '../../lib/optional.ts'
import type { LoggedCommit } from '../contracts/change-log.ts'
import type { SyncOutcome } from '../contracts/sources.ts'
import type { Schema } from './schema.ts'

/** The commits after a revision, up to another, in order. One statement, and one or two for each of the commits. */
export async function readCommits(
  queries: Kysely<Schema>,
  { after, until }: { readonly after: number; readonly until: number },
): Promise<LoggedCommit[]> {
  const commits = await queries
    .selectFrom('syncs')
    .select(['id', 'source_id', 'revision', 'committed_at_ms'])
    .where('revision', '>', after)
    .where('revision', '<=', until)
    .orderBy('revision')
    .$narrowType<{ revision: NotNull; committed_at_ms: NotNull }>()
    .execute()
  const logged: LoggedCommit[] = []
  for (const { id, source_id: sourceId, revision, committed_at_ms: committedAtMs } of commits) {
    logged.push({ revision, sourceId, committedAtMs, ...(await readBefore(queries, sourceId, id)) })
  }
  return logged
}

/** The last revision committed at a time or before; 0 if there is none. */
export async function lastRevisionAt(queries: Kysely<Schema>, atMs: number): Promise<number> {
  const row = await queries
    .selectFrom('syncs')
    .select((sync) => sync.fn.max('revision').as('revision'))
    .where('committed_at_ms', '<=', atMs)
    .executeTakeFirst()
  return row?.revision ?? 0
}

/** The snapshots of a source before a sync. A failed sync leaves the number of slots as it was. */
async function readBefore(
  queries: Kysely<Schema>,
  sourceId: number,
  syncId: number,
): Promise<Pick<LoggedCommit, 'slotsBefore' | 'slotsOnce'>> {
  const history = queries
    .selectFrom('sync_history')
    .select(['slot_count', 'outcome'])
    .where('source_id', '=', sourceId)
    .where('sync_id', '<', syncId)
    .orderBy('sync_id', 'desc')
  const last = await history.limit(1).executeTakeFirst()
  if (last === undefined) return {}
  if (last.slot_count > 0) return { slotsBefore: last.slot_count }
  const all = await history.execute()
  const slotsOnce = all.find((row) => row.slot_count > 0)?.slot_count ?? 0
  const isRead = slotsOnce > 0 || all.some(({ outcome }) => isGood(JSON.parse(outcome)))
  return isRead ? defined({ slotsBefore: 0, slotsOnce }) : {}
}

function isGood({ outcome }: SyncOutcome): boolean {
  return outcome === 'ok' || outcome === 'partial'
}
