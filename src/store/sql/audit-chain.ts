import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { AuditLink, AuditVerification } from '../contracts/audit.ts'
import type { AuditRow, Schema } from './schema.ts'

/** The place before the first entry. */
const GENESIS: AuditLink = { id: 0, hash: '0'.repeat(64) }

/** The head is the newest entry. The anchor is the newest entry that retention deleted. */
type ChainEnd = 'head' | 'anchor'

const COLUMNS = [
  'id',
  'at_ms',
  'organization_id',
  'kind',
  'actor_user_id',
  'actor_name',
  'actor_address',
  'actor_request',
  'actor_folded',
  'subject',
  'detail',
  'previous_hash',
] as const satisfies readonly (keyof AuditRow)[]

/** SHA-256 of the JSON array of an entry's columns, in the order of `COLUMNS`: 64 hexadecimal digits. */
export function auditHash(row: AuditRow): string {
  return hash('sha256', JSON.stringify(COLUMNS.map((column) => row[column])))
}

/** The head or the anchor. Inside a transaction, call it after `advance()`, which locks out concurrent writers. */
export async function readChainEnd(queries: Kysely<Schema>, name: ChainEnd): Promise<AuditLink> {
  const row = await queries.selectFrom('audit_chain').selectAll().where('name', '=', name).executeTakeFirst()
  return row === undefined ? GENESIS : { id: row.entry_id, hash: row.hash }
}

export async function putChainEnd(queries: Kysely<Schema>, name: ChainEnd, { id, hash }: AuditLink): Promise<void> {
  const place = { entry_id: id, hash }
  await queries
    .insertInto('audit_chain')
    .values({ name, ...place })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(place))
    .execute()
}

/** Walks the chain from its anchor to its head. */
export class ChainWalk {
  readonly #anchor: AuditLink
  #last: AuditLink
  #entries = 0
  #fault: { id: number; reason: string } | undefined
  #trim: AuditLink | undefined

  constructor(anchor: AuditLink) {
    this.#anchor = anchor
    this.#last = anchor
  }

  get entries(): number {
    return this.#entries
  }

  /** Takes the next entry in the order of ids. False if the chain is broken there. */
  take(row: AuditRow): boolean {
    const { id, hash } = this.#last
    if (row.id !== id + 1) this.#fault = { id: id + 1, reason: 'the entry is missing' }
    else if (row.previous_hash !== hash) this.#fault = alteredBefore(this.#last, this.#anchor, row)
    if (this.#fault !== undefined) return false
    this.#entries++
    this.#last = { id: row.id, hash: auditHash(row) }
    if (row.kind === 'audit.trimmed') this.#trim = trimOf(row)
    return true
  }

  /** Call it after the last entry, or the first that is broken. */
  end(head: AuditLink): AuditVerification {
    const fault = this.#fault ?? this.#endFault(head)
    if (fault !== undefined) return { intact: false, ...fault }
    return { intact: true, entries: this.#entries, head: this.#last, anchor: this.#anchor }
  }

  #endFault(head: AuditLink): { id: number; reason: string } | undefined {
    const last = this.#last
    if (last.id < head.id) return { id: last.id + 1, reason: 'the entry is missing' }
    if (last.id > head.id) return { id: head.id + 1, reason: 'the entry was inserted outside the service' }
    if (last.hash !== head.hash) return { id: last.id, reason: 'the entry was changed' }
    const { id, hash } = this.#trim ?? GENESIS
    if (this.#anchor.id !== id || this.#anchor.hash !== hash) {
      return { id: id + 1, reason: 'older entries were deleted, but not by retention' }
    }
    return undefined
  }
}

/** Of an entry whose hash does not match what its successor recorded, or of the successor of an unchanged anchor. */
function alteredBefore(last: AuditLink, anchor: AuditLink, row: AuditRow): { id: number; reason: string } {
  if (last.id === anchor.id) return { id: row.id, reason: 'the entry does not follow the anchor of the chain' }
  return { id: last.id, reason: 'the entry was changed' }
}

function trimOf({ detail }: AuditRow): AuditLink {
  const { lastId, lastHash } = JSON.parse(detail)
  return { id: Number(lastId), hash: String(lastHash) }
}
