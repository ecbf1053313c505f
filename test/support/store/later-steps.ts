import type { Database } from '../../../src/store/sql/database.ts'

type Queries = Database['read']['queries']

/** A step of a later version that only adds: a table, and a column to each table. */
export const ADDITIVE_STEP = {
  name: '9998-later+',
  async up(queries: Queries): Promise<void> {
    // Transactions of running nodes wait for the row of this one, and hold it: changing it would be a deadlock.
    const tables = (await queries.introspection.getTables()).filter(({ name }) => name !== 'write_lock')
    for (const { name } of tables) await queries.schema.alterTable(name).addColumn('later', 'text').execute()
    await queries.schema.createTable('later_table').addColumn('name', 'text').execute()
  },
}

/** A step of a later version whose store this version cannot use. */
export const BREAKING_STEP = {
  name: '9999-breaking',
  async up(queries: Queries): Promise<void> {
    await queries.schema.alterTable('sources').dropColumn('later').execute()
  },
}
