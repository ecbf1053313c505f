import { type Expression, type Kysely, sql } from 'kysely'
import type { AuditKind } from '../../shared/audit-kinds.ts'
import type { AuditActor, AuditEntry, AuditFilter, AuditLog } from '../contracts/audit.ts'
import { advance } from './counters.ts'
import type { AuditRow, Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'

/** What happened, when and by whom: an entry that is not yet written. */
export interface AuditDraft {
  readonly atMs: number
  readonly organizationId: string
  readonly kind: AuditKind
  readonly by: AuditActor
  readonly subject?: string
  readonly detail?: AuditEntry['detail']
}

/** Writes an entry, in the same transaction as the change it describes. */
export async function writeAudit(queries: Kysely<Schema>, draft: AuditDraft): Promise<void> {
  await queries
    .insertInto('audit')
    .values({
      id: await advance(queries, 'audit_ids'),
      at_ms: draft.atMs,
      organization_id: draft.organizationId,
      kind: draft.kind,
      ...actorColumns(draft.by),
      actor_folded: draft.by.name.toLowerCase(),
      subject: draft.subject ?? null,
      detail: JSON.stringify(draft.detail ?? {}),
    })
    .execute()
}

/** `AuditLog` over any database. */
export class SqlAuditLog extends SqlStore implements AuditLog {
  async list(filter: AuditFilter): Promise<AuditEntry[]> {
    let query = this.queries.selectFrom('audit').selectAll().where('organization_id', '=', filter.organizationId)
    if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind)
    if (filter.subject !== undefined) query = query.where('subject', '=', filter.subject)
    if (filter.fromMs !== undefined) query = query.where('at_ms', '>=', filter.fromMs)
    if (filter.toMs !== undefined) query = query.where('at_ms', '<', filter.toMs)
    if (filter.beforeId !== undefined) query = query.where('id', '<', filter.beforeId)
    if (filter.actor !== undefined) {
      query = query.where('actor_folded', 'like', likePattern(filter.actor.toLowerCase()))
    }
    const rows = await query.orderBy('id', 'desc').limit(filter.limit).execute()
    return rows.map(entryOf)
  }

  async recordSignIn(
    kind: Extract<AuditKind, `sign-in.${string}`>,
    userId: string,
    { by, detail }: { by: AuditActor; detail: AuditEntry['detail'] },
  ): Promise<void> {
    await this.database.transaction('power-cut', async ({ queries }) => {
      const memberships = await queries
        .selectFrom('memberships')
        .select('organization_id')
        .where('user_id', '=', userId)
        .execute()
      for (const { organization_id: organizationId } of memberships) {
        await writeAudit(queries, { atMs: this.now(), organizationId, kind, by, subject: userId, detail })
      }
    })
  }
}

function entryOf(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    atMs: row.at_ms,
    organizationId: row.organization_id,
    kind: row.kind as AuditKind,
    actor: actorOf(row),
    ...(row.subject !== null && { subject: row.subject }),
    detail: JSON.parse(row.detail),
  }
}

/** The columns of an actor, in the audit log and in the log of sources. */
type ActorColumns = Pick<AuditRow, 'actor_user_id' | 'actor_name' | 'actor_address'>

export function actorColumns({ userId, name, address }: AuditActor): ActorColumns {
  return { actor_user_id: userId ?? null, actor_name: name, actor_address: address ?? null }
}

/** The actor of a row. */
export function actorOf({ actor_user_id, actor_name, actor_address }: ActorColumns): AuditActor {
  return {
    name: actor_name,
    ...(actor_user_id !== null && { userId: actor_user_id }),
    ...(actor_address !== null && { address: actor_address }),
  }
}

/** The right side of `like` that finds a text anywhere, whatever characters it has. */
export function likePattern(text: string): Expression<string> {
  const literal = text.replace(/[\\%_]/g, (character) => `\\${character}`)
  return sql<string>`${`%${literal}%`} escape '\\'`
}
