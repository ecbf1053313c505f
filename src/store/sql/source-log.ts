import type { Kysely } from 'kysely'
import { ACTIONS_MAX, ACTIONS_PER_KIND_MAX, type SourceAction, type SourceLog } from '../contracts/source-log.ts'
import { actorColumns, actorOf } from './audit.ts'
import { deleteBeyondNewest } from './batches.ts'
import { advance } from './counters.ts'
import type { Schema, SourceActionRow } from './schema.ts'
import { SqlStore } from './sql-store.ts'

const LOG = { table: 'source_actions', id: 'id' } as const

/** Writes an action and forgets what is too old, inside the transaction that does it. */
export async function writeAction(
  queries: Kysely<Schema>,
  { atMs, slug, kind, actor, fields, reviewPolicy }: Omit<SourceAction, 'id'>,
): Promise<void> {
  await queries
    .insertInto('source_actions')
    .values({
      id: await advance(queries, 'action_ids'),
      at_ms: atMs,
      slug,
      kind,
      ...actorColumns(actor),
      detail: JSON.stringify({ fields, reviewPolicy }),
    })
    .execute()
  await deleteBeyondNewest(queries, { ...LOG, keep: ACTIONS_PER_KIND_MAX }, { slug, kind })
  if (kind === 'added') await deleteBeyondNewest(queries, { ...LOG, keep: ACTIONS_MAX })
}

/** `SourceLog` over any database. */
export class SqlSourceLog extends SqlStore implements SourceLog {
  async list({ slug, beforeId, limit }: Parameters<SourceLog['list']>[0]): Promise<SourceAction[]> {
    const rows = await this.queries
      .selectFrom('source_actions')
      .selectAll()
      .$if(slug !== undefined, (query) => query.where('slug', '=', slug ?? ''))
      .$if(beforeId !== undefined, (query) => query.where('id', '<', beforeId ?? 0))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(actionOf)
  }
}

function actionOf({ id, at_ms, slug, kind, detail, ...row }: SourceActionRow): SourceAction {
  return { id, atMs: at_ms, slug, kind, actor: actorOf(row), ...JSON.parse(detail) }
}
