import type { Kysely } from 'kysely'
import type { SqlDialect } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import { createTable } from './create-table.ts'

/** What a column holds; a mark at the end: `?` may be absent, `!` unique. */
type ColumnKind = `${'text' | 'integer' | 'truth' | 'date' | 'user'}${'' | '?' | '!'}`

/**
 * The tables of the sign-in library, under its own column names. Each has an `id` besides.
 * Indices bear the names that the library would give them, so that it finds nothing to add.
 */
const TABLES: Readonly<Record<string, Readonly<Record<string, ColumnKind>>>> = {
  users: {
    name: 'text',
    email: 'text!',
    emailVerified: 'truth',
    image: 'text?',
    createdAt: 'date',
    updatedAt: 'date',
    twoFactorEnabled: 'truth?',
  },
  sessions: {
    expiresAt: 'date',
    token: 'text!',
    createdAt: 'date',
    updatedAt: 'date',
    ipAddress: 'text?',
    userAgent: 'text?',
    userId: 'user',
  },
  credentials: {
    accountId: 'text',
    providerId: 'text',
    userId: 'user',
    accessToken: 'text?',
    refreshToken: 'text?',
    idToken: 'text?',
    accessTokenExpiresAt: 'date?',
    refreshTokenExpiresAt: 'date?',
    scope: 'text?',
    password: 'text?',
    createdAt: 'date',
    updatedAt: 'date',
  },
  verifications: {
    identifier: 'text',
    value: 'text',
    expiresAt: 'date',
    createdAt: 'date',
    updatedAt: 'date',
  },
  passkeys: {
    name: 'text?',
    publicKey: 'text',
    userId: 'user',
    credentialID: 'text',
    counter: 'integer',
    deviceType: 'text',
    backedUp: 'truth',
    transports: 'text?',
    createdAt: 'date?',
    aaguid: 'text?',
  },
  two_factors: {
    secret: 'text',
    backupCodes: 'text',
    userId: 'user',
    verified: 'truth?',
    failedVerificationCount: 'integer?',
    lockedUntil: 'date?',
  },
  rate_limits: { key: 'text!', count: 'integer', lastRequest: 'integer' },
}

const INDICES: ReadonlyArray<readonly [table: string, column: string]> = [
  ['sessions', 'userId'],
  ['credentials', 'userId'],
  ['verifications', 'identifier'],
  ['passkeys', 'userId'],
  ['passkeys', 'credentialID'],
  ['two_factors', 'userId'],
  ['two_factors', 'secret'],
]

/** Part of `0002-accounts.ts`. */
export async function createSignInTables(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  for (const [table, columns] of Object.entries(TABLES)) {
    let creating = queries.schema
      .createTable(table)
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    for (const [name, kind] of Object.entries(columns)) creating = addColumn(creating, name, kind)
    await createTable(creating, terms)
  }
  for (const [table, column] of INDICES) {
    await queries.schema.createIndex(`${table}_${column}_idx`).on(table).column(column).execute()
  }

  function addColumn(creating: Creating, name: string, kind: ColumnKind): Creating {
    const what = kind.replace(/[?!]$/, '')
    return creating.addColumn(name, columnType(what, terms), (column) => {
      let built = kind.endsWith('?') ? column : column.notNull()
      if (kind.endsWith('!')) built = built.unique()
      return what === 'user' ? built.references('users.id').onDelete('cascade') : built
    })
  }
}

type Creating = ReturnType<Kysely<Schema>['schema']['createTable']>

function columnType(
  what: string,
  terms: SqlDialect,
): 'text' | 'integer' | 'bigint' | 'boolean' | 'timestamptz' {
  if (what === 'integer') return terms.integer
  if (what === 'truth') return terms.boolean
  if (what === 'date') return terms.date
  return 'text'
}
