import type { Kysely } from 'kysely'
import { DAY_MS } from '../../lib/time.ts'
import type { AuditKind } from '../../shared/audit-kinds.ts'
import type {
  AuditActor,
  AuditDetail,
  AuditEntry,
  AuditFilter,
  AuditLog,
  AuditVerification,
  ChainedAuditEntry,
  ServiceEvent,
} from '../contracts/audit.ts'
import { auditHash, ChainWalk, putChainEnd, readChainEnd } from './audit-chain.ts'
import { deleteInBatches, READ_ROWS_MAX } from './batches.ts'
import { advance, readCounters } from './counters.ts'
import { noteActivity } from './note-activity.ts'
import type { AuditRow, Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'
import { likePattern } from './text-search.ts'

/** An entry that is not yet written: the event, its time and its actor. */
export interface AuditDraft {
  readonly atMs: number
  /** `null`: the service's log. */
  readonly organizationId: string | null
  readonly kind: AuditKind
  readonly by: AuditActor
  readonly subject?: string | undefined
  readonly detail?: AuditDetail | undefined
}

/** Writes an entry at the head of the chain, in the same transaction as the change it describes. */
export async function writeAudit(queries: Kysely<Schema>, draft: AuditDraft): Promise<void> {
  // Locks the counter until the commit, so that no other transaction reads the same head.
  const id = await advance(queries, 'audit_ids')
  const head = await readChainEnd(queries, 'head')
  const row = {
    id,
    at_ms: draft.atMs,
    organization_id: draft.organizationId,
    kind: draft.kind,
    ...actorColumns(draft.by),
    actor_folded: draft.by.name.toLowerCase(),
    subject: draft.subject ?? null,
    detail: JSON.stringify(draft.detail ?? {}),
    previous_hash: head.hash,
  }
  await queries.insertInto('audit').values(row).execute()
  await putChainEnd(queries, 'head', { id, hash: auditHash(row) })
}

/**
 * Writes what happened to an account, an organization or the service, in the same transaction as the change: in the service's
 * log and in those of the organizations concerned. Call it before memberships or the account are deleted.
 */
export async function writeServiceAudit(
  queries: Kysely<Schema>,
  { userId, organizationId, subject, ...event }: ServiceEvent & { readonly atMs: number },
): Promise<void> {
  const email = userId === undefined ? undefined : await findEmail(queries, userId)
  const detail = {
    ...(email !== undefined && email !== event.by.name && { email }),
    ...event.detail,
  }
  const draft = { ...event, subject: subject ?? userId ?? organizationId, detail }
  const concerned = userId === undefined ? [] : await organizationsOf(queries, userId)
  if (organizationId !== undefined) concerned.push(organizationId)
  await writeAudit(queries, { ...draft, organizationId: null })
  if (userId !== undefined) await noteActivity(queries, { ...event, userId })
  for (const id of concerned) await writeAudit(queries, { ...draft, organizationId: id })
}

/** `AuditLog` over any database. */
export class SqlAuditLog extends SqlStore implements AuditLog {
  /**
   * A filter may match few of very many entries: they are searched in windows of `WINDOW_ROWS`, each a short read, so that no other
   * query of the thread waits for the whole log. Indexes find the entries of a kind, and those of the service's log about one subject.
   */
  async list(filter: AuditFilter): Promise<AuditEntry[]> {
    const rows: AuditRow[] = []
    let { beforeId } = filter
    for (;;) {
      const window = isSelective(filter) ? await this.#windowEnd({ ...filter, beforeId }) : undefined
      const limit = filter.limit - rows.length
      rows.push(...(await selectMatching(this.queries, { ...filter, beforeId, limit }, window?.id).execute()))
      if (window === undefined || rows.length >= filter.limit) return rows.map(auditEntryOf)
      // Clocks of nodes differ, but not by a day.
      if (filter.fromMs !== undefined && window.at_ms < filter.fromMs - DAY_MS) return rows.map(auditEntryOf)
      beforeId = window.id
    }
  }

  /** The oldest entry of a window; undefined if the rest of the log is smaller. */
  #windowEnd(filter: AuditFilter): Promise<Pick<AuditRow, 'id' | 'at_ms'> | undefined> {
    return selectLog(this.queries, filter)
      .select(['id', 'at_ms'])
      .orderBy('id', 'desc')
      .offset(WINDOW_ROWS - 1)
      .limit(1)
      .executeTakeFirst()
  }

  async record(event: ServiceEvent): Promise<void> {
    await this.database.transaction('power-cut', ({ queries }) =>
      writeServiceAudit(queries, { atMs: this.now(), ...event }),
    )
  }

  async after(id: number, limit: number): Promise<ChainedAuditEntry[]> {
    const rows = await selectAfter(this.queries, id, limit).execute()
    return rows.map((row) => ({ ...auditEntryOf(row), previousHash: row.previous_hash, hash: auditHash(row) }))
  }

  async streamed(): Promise<number> {
    return (await readCounters(this.queries, ['audit_streamed'])).audit_streamed
  }

  async putStreamed(id: number): Promise<void> {
    await this.database.transaction('power-cut', ({ queries }) =>
      queries
        .updateTable('counters')
        .set({ value: id })
        .where('name', '=', 'audit_streamed')
        .where('value', '<', id)
        .execute(),
    )
  }

  async verify(onProgress?: (entries: number) => void): Promise<AuditVerification> {
    // One snapshot: entries are written and deleted meanwhile.
    const reading = await this.database.beginRead()
    const { queries } = reading
    try {
      const anchor = await readChainEnd(queries, 'anchor')
      const walk = new ChainWalk(anchor)
      let rows: AuditRow[]
      let lastId = anchor.id
      do {
        rows = await selectAfter(queries, lastId, READ_ROWS_MAX).execute()
        if (!rows.every((row) => walk.take(row))) break
        lastId = rows.at(-1)?.id ?? lastId
        onProgress?.(walk.entries)
      } while (rows.length === READ_ROWS_MAX)
      return walk.end(await readChainEnd(queries, 'head'))
    } finally {
      await reading.close()
    }
  }

  deleteBefore(ms: number): Promise<number> {
    return this.#deleteUpTo(async (queries, anchor) => {
      // Clocks may differ: only a whole beginning of the chain is deleted.
      const kept = await selectAfter(queries, anchor, 1).where('at_ms', '>=', ms).executeTakeFirst()
      return kept === undefined ? (await readChainEnd(queries, 'head')).id : kept.id - 1
    })
  }

  deleteStreamed(entriesMax: number): Promise<number> {
    return this.#deleteUpTo(async (queries, anchor) => {
      const { id: head } = await readChainEnd(queries, 'head')
      if (head - anchor <= entriesMax) return anchor
      const { audit_streamed: streamed } = await readCounters(queries, ['audit_streamed'])
      return Math.min(head - Math.floor(entriesMax * KEPT_SHARE), streamed)
    })
  }

  async #deleteUpTo(lastOf: LastDeleted): Promise<number> {
    const deleted = await this.#moveAnchor(lastOf)
    // The database allows deletions up to the anchor only. An interrupted deletion is completed by the next.
    const { id } = await readChainEnd(this.queries, 'anchor')
    await deleteInBatches(this.database, 'audit', ['id'], (entry) => entry('id', '<=', id))
    return deleted
  }

  /** Moves the anchor to the last entry to delete, and records that. Returns the number of entries that it passed. */
  #moveAnchor(lastOf: LastDeleted): Promise<number> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const anchor = await readChainEnd(queries, 'anchor')
      const lastId = await lastOf(queries, anchor.id)
      if (lastId <= anchor.id) return 0
      const last = await queries.selectFrom('audit').selectAll().where('id', '=', lastId).executeTakeFirstOrThrow()
      const moved = { id: last.id, hash: auditHash(last) }
      await putChainEnd(queries, 'anchor', moved)
      const entries = last.id - anchor.id
      const detail = { entries, lastId: moved.id, lastHash: moved.hash }
      await writeAudit(queries, {
        atMs: this.now(),
        organizationId: null,
        kind: 'audit.trimmed',
        by: RETENTION,
        detail,
      })
      return entries
    })
  }
}

/** The ID of the last entry to delete; the anchor's, or an earlier one, for none. */
type LastDeleted = (queries: Kysely<Schema>, anchorId: number) => Promise<number>

/** The share of the maximum that is kept, so that not every new entry deletes one and records that. */
const KEPT_SHARE = 0.99

/** Entries per read: about ten milliseconds. */
const WINDOW_ROWS = 5_000

/** The log of an organization or of the service before an entry; of a kind, if one is asked for. */
function selectLog(queries: Kysely<Schema>, { organizationId, kind, beforeId }: AuditFilter) {
  let log = queries.selectFrom('audit').where('organization_id', organizationId === null ? 'is' : '=', organizationId)
  if (kind !== undefined) log = log.where('kind', '=', kind)
  return beforeId === undefined ? log : log.where('id', '<', beforeId)
}

/** Newest first, from an id on. */
function selectMatching(queries: Kysely<Schema>, filter: AuditFilter, fromId: number | undefined) {
  let query = selectLog(queries, filter).selectAll()
  if (fromId !== undefined) query = query.where('id', '>=', fromId)
  if (filter.signIns === false) query = query.where('kind', 'not like', 'sign-in.%')
  if (filter.subject !== undefined) query = query.where('subject', '=', filter.subject)
  if (filter.fromMs !== undefined) query = query.where('at_ms', '>=', filter.fromMs)
  if (filter.toMs !== undefined) query = query.where('at_ms', '<', filter.toMs)
  if (filter.actor !== undefined) {
    query = query.where('actor_folded', 'like', likePattern(filter.actor.toLowerCase()))
  }
  return query.orderBy('id', 'desc').limit(filter.limit)
}

function isSelective({ organizationId, kind: _, limit: __, beforeId: ___, ...filter }: AuditFilter): boolean {
  if (organizationId === null && filter.subject !== undefined) return false
  return Object.values(filter).some((each) => each !== undefined)
}

const RETENTION: AuditActor = { name: 'retention' }

async function findEmail(queries: Kysely<Schema>, userId: string): Promise<string | undefined> {
  const user = await queries.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  return user?.email
}

async function organizationsOf(queries: Kysely<Schema>, userId: string): Promise<string[]> {
  const rows = await queries
    .selectFrom('memberships')
    .select('organization_id')
    .where('user_id', '=', userId)
    .orderBy('organization_id')
    .execute()
  return rows.map((row) => row.organization_id)
}

function selectAfter(queries: Kysely<Schema>, id: number, limit: number) {
  return queries.selectFrom('audit').selectAll().where('id', '>', id).orderBy('id').limit(limit)
}

/** The entry of a row. */
export function auditEntryOf(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    atMs: row.at_ms,
    ...(row.organization_id !== null && { organizationId: row.organization_id }),
    kind: row.kind as AuditKind,
    actor: actorOf(row),
    ...(row.subject !== null && { subject: row.subject }),
    detail: JSON.parse(row.detail),
  }
}

/** The columns of an actor, in the audit log and in the log of sources. */
type ActorColumns = Pick<AuditRow, 'actor_user_id' | 'actor_name' | 'actor_address' | 'actor_request'>

export function actorColumns({ userId, name, address, requestId }: AuditActor): ActorColumns {
  return {
    actor_user_id: userId ?? null,
    actor_name: name,
    actor_address: address ?? null,
    actor_request: requestId ?? null,
  }
}

/** The actor of a row. */
export function actorOf({ actor_user_id, actor_name, actor_address, actor_request }: ActorColumns): AuditActor {
  return {
    name: actor_name,
    ...(actor_user_id !== null && { userId: actor_user_id }),
    ...(actor_address !== null && { address: actor_address }),
    ...(actor_request !== null && { requestId: actor_request }),
  }
}
