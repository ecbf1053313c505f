import { type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import { createSignInTables } from './0002-sign-in.ts'
import { createTable } from './create-table.ts'

/** People, what they may do and did, what was counted. `account-schema.ts` says what the columns mean. */
export async function accounts(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  await addCounters(queries)
  await addColumns(queries, terms)
  await createSignInTables(queries, terms)
  await createMemberships(queries, terms)
  await createInvitations(queries, terms)
  await createAudit(queries, terms)
  await createUsage(queries, terms)
  await createRecentRequests(queries, terms)
  await createSyncHistory(queries, terms)
  await createOperators(queries, terms)
  await createThrottles(queries, terms)
}

/** A store that begins with this version has them from the first step on. */
async function addCounters(queries: Kysely<Schema>): Promise<void> {
  await queries
    .insertInto('counters')
    .values([
      { name: 'audit_ids', value: 0 },
      { name: 'recent_ids', value: 0 },
    ])
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

async function addColumns(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  await queries.schema.alterTable('organizations').addColumn('deleted_at_ms', terms.integer).execute()
  await queries.schema.alterTable('api_keys').addColumn('created_by', 'text').execute()
  await queries.schema.alterTable('api_keys').addColumn('replaced_by', 'text').execute()
  await queries.schema
    .alterTable('sources')
    .addColumn('paused', terms.integer, (column) => column.notNull().defaultTo(0))
    .execute()
}

async function createMemberships(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  await createTable(
    queries.schema
      .createTable('memberships')
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organizations.id'))
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('joined_at_ms', terms.integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('memberships_key', ['organization_id', 'user_id'])
      .addCheckConstraint('memberships_role', sql`role in ('owner', 'admin', 'member')`),
    terms,
  )
  await queries.schema.createIndex('memberships_by_user').on('memberships').column('user_id').execute()
  await queries.schema
    .createIndex('memberships_one_owner')
    .on('memberships')
    .column('organization_id')
    .unique()
    .where(sql.ref('role'), '=', sql.lit('owner'))
    .execute()
}

async function createInvitations(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  await createTable(
    queries.schema
      .createTable('invitations')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organizations.id'))
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('email', 'text')
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at_ms', terms.integer, (column) => column.notNull())
      .addColumn('expires_at_ms', terms.integer, (column) => column.notNull())
      .addColumn('accepted_at_ms', terms.integer)
      .addColumn('accepted_by', 'text')
      .addColumn('revoked_at_ms', terms.integer)
      .addCheckConstraint('invitations_role', sql`role in ('admin', 'member')`),
    terms,
  )
  await queries.schema
    .createIndex('invitations_by_organization')
    .on('invitations')
    .column('organization_id')
    .execute()
}

async function createAudit(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  await createTable(
    queries.schema
      .createTable('audit')
      .addColumn('id', terms.integer, (column) => column.primaryKey())
      .addColumn('at_ms', terms.integer, (column) => column.notNull())
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('actor_user_id', 'text')
      .addColumn('actor_name', 'text', (column) => column.notNull())
      .addColumn('actor_folded', 'text', (column) => column.notNull())
      .addColumn('actor_address', 'text')
      .addColumn('subject', 'text')
      .addColumn('detail', 'text', (column) => column.notNull()),
    terms,
  )
  await queries.schema
    .createIndex('audit_by_organization')
    .on('audit')
    .columns(['organization_id', 'id'])
    .execute()
  for (const statement of terms.appendOnly('audit')) await sql.raw(statement).execute(queries)
}

/** No foreign keys: what is added looks first whether its key is there, and keys are never deleted. */
async function createUsage(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  for (const [table, kind] of [
    ['usage_hours', 'status'],
    ['usage_latencies', 'bucket'],
  ]) {
    await createTable(
      queries.schema
        .createTable(table)
        .addColumn('key_id', 'text', (column) => column.notNull())
        .addColumn('hour_ms', terms.integer, (column) => column.notNull())
        .addColumn(kind, terms.integer, (column) => column.notNull())
        .addColumn('requests', terms.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint(`${table}_key`, ['key_id', 'hour_ms', kind]),
      terms,
    )
    await queries.schema.createIndex(`${table}_by_hour`).on(table).column('hour_ms').execute()
  }
}

async function createRecentRequests(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  await createTable(
    queries.schema
      .createTable('recent_requests')
      .addColumn('id', terms.integer, (column) => column.primaryKey())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('at_ms', terms.integer, (column) => column.notNull())
      .addColumn('method', 'text', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('status', terms.integer, (column) => column.notNull())
      .addColumn('duration_us', terms.integer, (column) => column.notNull())
      .addColumn('request_id', 'text', (column) => column.notNull()),
    terms,
  )
  await queries.schema
    .createIndex('recent_requests_by_key')
    .on('recent_requests')
    .columns(['key_id', 'at_ms', 'id'])
    .execute()
}

async function createSyncHistory(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  await createTable(
    queries.schema
      .createTable('sync_history')
      .addColumn('sync_id', terms.integer, (column) => column.primaryKey())
      .addColumn('source_id', terms.integer, (column) =>
        column.notNull().references('sources.id').onDelete('cascade'),
      )
      .addColumn('outcome', 'text', (column) => column.notNull())
      .addColumn('slot_count', terms.integer, (column) => column.notNull()),
    terms,
  )
  await queries.schema
    .createIndex('sync_history_by_source')
    .on('sync_history')
    .columns(['source_id', 'sync_id'])
    .execute()
}

async function createOperators(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  await createTable(
    queries.schema
      .createTable('operators')
      .addColumn('user_id', 'text', (column) =>
        column.primaryKey().notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('added_at_ms', terms.integer, (column) => column.notNull()),
    terms,
  )
  await createTable(
    queries.schema
      .createTable('secrets')
      .addColumn('name', 'text', (column) => column.primaryKey().notNull())
      .addColumn('value', 'text', (column) => column.notNull()),
    terms,
  )
}

async function createThrottles(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  await createTable(
    queries.schema
      .createTable('throttles')
      .addColumn('name', 'text', (column) => column.primaryKey().notNull())
      .addColumn('failures', terms.integer, (column) => column.notNull())
      .addColumn('refused_until_ms', terms.integer, (column) => column.notNull())
      .addColumn('forget_at_ms', terms.integer, (column) => column.notNull()),
    terms,
  )
  await queries.schema.createIndex('throttles_by_end').on('throttles').column('forget_at_ms').execute()
}
