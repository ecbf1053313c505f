import type { Kysely, Selectable } from 'kysely'
import type { Organization } from '../contracts/organizations.ts'
import { LimitReached } from '../contracts/store.ts'
import type { OrganizationRow } from './account-schema.ts'
import type { Schema } from './schema.ts'

/** The row as the rooms outside of the store see it. */
export function organizationOf(
  row: Pick<Selectable<OrganizationRow>, 'id' | 'name' | 'created_at_ms'>,
): Organization {
  return { id: row.id, name: row.name, createdAtMs: row.created_at_ms }
}

/** The organization of an id, unless it is deleted. */
export async function findOrganization(
  queries: Kysely<Schema>,
  id: string,
): Promise<Organization | undefined> {
  const row = await queries
    .selectFrom('organizations')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at_ms', 'is', null)
    .executeTakeFirst()
  return row && organizationOf(row)
}

/** Throws if there is none, or it is deleted: foreign keys alone would let its row have new things. */
export async function requireOrganization(queries: Kysely<Schema>, id: string): Promise<Organization> {
  const organization = await findOrganization(queries, id)
  if (organization === undefined) {
    throw new Error(`Cannot add to organization: it must exist: got "${id}"`)
  }
  return organization
}

/** Throws `LimitReached` if `count` is `max` or more. To be called inside the transaction that inserts one more. */
export function requireBelow(max: number, count: number | bigint | string, what: string): void {
  if (Number(count) < max) return
  throw new LimitReached(`Cannot store another ${what}: at most ${max} are allowed`)
}
