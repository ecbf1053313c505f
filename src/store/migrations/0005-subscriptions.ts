import { type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import { createTable } from './0001-baseline.ts'
import { SUBSCRIPTION_TABLES } from './subscription-tables.ts'

/** Subscriptions to slots, and their deliveries. */
export async function addSubscriptions(queries: Kysely<Schema>, dialect: SqlDialect): Promise<void> {
  for (const [table, definition] of Object.entries(SUBSCRIPTION_TABLES)) {
    await createTable(queries, dialect, table, definition)
  }
  for (const [name, [table, ...columns]] of Object.entries(INDEXES)) {
    await queries.schema.createIndex(name).on(table).columns(columns).execute()
  }
  await queries.schema
    .createIndex('subscription_events_queued')
    .on('subscription_events')
    .columns(['subscription_id', 'sequence'])
    .where(sql.ref('status'), '=', sql.lit('queued'))
    .execute()
  // A new store has it already.
  await queries
    .insertInto('counters')
    .values({ name: 'subscriptions', value: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

const INDEXES: Readonly<Record<string, readonly [table: string, ...columns: string[]]>> = {
  subscriptions_by_organization: ['subscriptions', 'organization_id', 'created_at_ms', 'id'],
  subscriptions_by_revision: ['subscriptions', 'revision'],
  subscriptions_by_expiry: ['subscriptions', 'expires_at_ms'],
  subscription_events_by_subscription: ['subscription_events', 'subscription_id', 'sequence'],
  subscription_events_by_end: ['subscription_events', 'ended_at_ms'],
  delivery_queues_by_due: ['delivery_queues', 'lane', 'due_at_ms'],
  delivery_queues_by_organization: ['delivery_queues', 'organization_id'],
}
