import type { Kysely, Selectable } from 'kysely'
import {
  ACTIONS_MAX,
  ACTIONS_PER_KIND_MAX,
  type SourceAction,
  type SourceLog,
} from '../contracts/source-log.ts'
import { advance } from './counters.ts'
import type { Database } from './database.ts'
import type { Schema, SourceActionRow } from './schema.ts'

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
      actor_user_id: actor.userId ?? null,
      actor_name: actor.name,
      actor_address: actor.address ?? null,
      detail: JSON.stringify({ fields, reviewPolicy }),
    })
    .execute()
  await forgetOld(queries, { slug, kind })
  if (kind === 'added') await forgetOldest(queries)
}

/** `SourceLog` over any database: see `../contracts/source-log.ts`. */
export class SqlSourceLog implements SourceLog {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async list({ slug, beforeId, limit }: Parameters<SourceLog['list']>[0]): Promise<SourceAction[]> {
    const rows = await this.#database.read.queries
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

async function forgetOld(
  queries: Kysely<Schema>,
  { slug, kind }: Pick<SourceAction, 'slug' | 'kind'>,
): Promise<void> {
  const oldest = queries
    .selectFrom('source_actions')
    .select('id')
    .where('slug', '=', slug)
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(ACTIONS_PER_KIND_MAX)
  await queries
    .deleteFrom('source_actions')
    .where('slug', '=', slug)
    .where('kind', '=', kind)
    .where('id', '<=', oldest)
    .execute()
}

async function forgetOldest(queries: Kysely<Schema>): Promise<void> {
  const oldest = queries
    .selectFrom('source_actions')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(ACTIONS_MAX)
  await queries.deleteFrom('source_actions').where('id', '<=', oldest).execute()
}

function actionOf(row: Selectable<SourceActionRow>): SourceAction {
  return {
    id: row.id,
    atMs: row.at_ms,
    slug: row.slug,
    kind: row.kind,
    actor: {
      name: row.actor_name,
      ...(row.actor_user_id !== null && { userId: row.actor_user_id }),
      ...(row.actor_address !== null && { address: row.actor_address }),
    },
    ...JSON.parse(row.detail),
  }
}
