import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Suspension } from '../../shared/contract/suspension.ts'
import type { Organization } from '../contracts/organizations.ts'
import { LimitReached } from '../contracts/store.ts'
import { countRows } from './count-rows.ts'
import type { OrganizationRow, Schema, SuspensionColumns } from './schema.ts'

/** The organization of a row. */
export function organizationOf(
  row: Pick<OrganizationRow, 'id' | 'name' | 'created_at_ms'> & Partial<OrganizationRow>,
): Organization {
  return {
    id: row.id,
    name: row.name,
    createdAtMs: row.created_at_ms,
    ...(row.second_factor === 1 && { requiresSecondFactor: true }),
    ...suspensionOf(row),
  }
}

/** The suspension in a row of an organization or an account. */
export function suspensionOf(row: Partial<SuspensionColumns>): { suspension?: Suspension } {
  const { suspended_at_ms: atMs, suspended_by: by, suspended_reason: reason } = row
  return atMs == null ? {} : { suspension: { atMs, by: by ?? '', reason: reason ?? '' } }
}

/** The columns of a suspension; without one, those of none. */
export function suspensionColumns(suspension?: Suspension): SuspensionColumns {
  return {
    suspended_at_ms: suspension?.atMs ?? null,
    suspended_by: suspension?.by ?? null,
    suspended_reason: suspension?.reason ?? null,
  }
}

/** Undefined if the organization does not exist or is deleted. */
export async function findOrganization(queries: Kysely<Schema>, id: string): Promise<Organization | undefined> {
  const row = await queries
    .selectFrom('organizations')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at_ms', 'is', null)
    .executeTakeFirst()
  return row && organizationOf(row)
}

/** Throws if the organization does not exist or is deleted: foreign keys alone would accept a deleted one. */
export async function requireOrganization(queries: Kysely<Schema>, id: string): Promise<Organization> {
  const organization = await findOrganization(queries, id)
  if (organization === undefined) {
    throw new Error(`Cannot add to organization: it must exist: got "${id}"`)
  }
  return organization
}

/** Throws `LimitReached` if a query finds `max` rows or more. Call it in the transaction that inserts another one. */
export async function requireBelow<Table extends keyof Schema>(
  max: number,
  query: SelectQueryBuilder<Schema, Table, object>,
  what: string,
): Promise<void> {
  if ((await countRows(query)) < max) return
  throw new LimitReached(`Cannot store another ${what}: at most ${max} are allowed`)
}

/** Throws `LimitReached` if a person owns `max` organizations or more. Call it in the transaction that adds another one. */
export function requireOwnedBelow(queries: Kysely<Schema>, userId: string, max: number): Promise<void> {
  const owned = queries.selectFrom('memberships').where('user_id', '=', userId).where('role', '=', 'owner')
  return requireBelow(max, owned, 'owned organization')
}

/** Equal for two spellings of a name: another case, or other code points for the same characters. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC')
}
