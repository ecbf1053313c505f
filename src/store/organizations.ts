import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Database } from './database.ts'
import type { OrganizationsTable } from './schema.ts'
import { NameTaken, type Organization, type OrganizationStore } from './store.ts'

/** `OrganizationStore` over any database: see `store.ts`. */
export class SqlOrganizationStore implements OrganizationStore {
  readonly #database: Database
  readonly #now: () => number

  constructor(database: Database, now: () => number) {
    this.#database = database
    this.#now = now
  }

  async create(name: string): Promise<Organization> {
    const organization = {
      id: `org_${randomBytes(10).toString('hex')}`,
      name,
      name_folded: fold(name),
      created_at_ms: this.#now(),
    }
    const created = await this.#database.transaction('power-cut', ({ queries }) =>
      queries
        .insertInto('organizations')
        .values(organization)
        .onConflict((conflict) => conflict.column('name_folded').doNothing())
        .returning('id')
        .executeTakeFirst(),
    )
    if (created === undefined) {
      throw new NameTaken(`Cannot create organization: its name must be unused: got "${name}"`)
    }
    return organizationOf(organization)
  }

  async list(): Promise<Organization[]> {
    const rows = await this.#database.read.queries
      .selectFrom('organizations')
      .selectAll()
      .orderBy('name_folded')
      .execute()
    return rows.map(organizationOf)
  }

  async find(idOrName: string): Promise<Organization | undefined> {
    const rows = await this.#database.read.queries
      .selectFrom('organizations')
      .selectAll()
      .where((expression) =>
        expression.or([expression('id', '=', idOrName), expression('name_folded', '=', fold(idOrName))]),
      )
      .execute()
    const row = rows.find((row) => row.id === idOrName) ?? rows[0]
    return row === undefined ? undefined : organizationOf(row)
  }
}

/** Two spellings of one name: another case, or other code points for the same characters. */
function fold(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC')
}

function organizationOf(row: Selectable<OrganizationsTable>): Organization {
  return { id: row.id, name: row.name, createdAtMs: row.created_at_ms }
}
