import assert from 'node:assert/strict'
import { type CompiledQuery, sql } from 'kysely'
import type { ListPosition } from '../../../../src/store/contracts/page.ts'
import type { SnapshotWriter } from '../../../../src/store/contracts/snapshots.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { openDatabase, storeOn } from '../../../../src/store/open-store.ts'
import { REMOVE_RESOURCES } from '../../../../src/store/postgres/bulk-writer.ts'
import { type Database, queriesBy } from '../../../../src/store/sql/database.ts'
import { REMOVE_RESOURCE } from '../../../../src/store/sqlite/bulk-writer.ts'
import { type Guarantees, HARNESS_STARTS_MS, type StoreHarness } from './harness.ts'
import { addSource, begin, END } from './samples.ts'

const ORG = 'org_1'
const AFTER: ListPosition = { rank: HARNESS_STARTS_MS, atMs: 1, id: 'a' }
const LOG_PAGE = { beforeEntry: 1000, limit: 10 }
const ACCOUNT_LOG = { organizationId: null, subject: 'user' }
const SPAN = { organizationId: ORG, fromMs: 0, toMs: HARNESS_STARTS_MS }

/** Lists of which a page must be a range of an index, in its order, however many rows the organization has. */
const PAGED: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'the first keys': ({ keys }) => keys.list(ORG, { limit: 10 }),
  'more keys': ({ keys }) => keys.list(ORG, { limit: 10, after: AFTER }),
  'the number of active keys': ({ keys }) => keys.countActive(ORG),
  'the first invitations': ({ invitations }) => invitations.list(ORG, { limit: 10 }),
  'more invitations': ({ invitations }) => invitations.list(ORG, { limit: 10, after: AFTER }),
  'the first members': ({ memberships }) => memberships.list(ORG, { limit: 10 }),
  'more members': ({ memberships }) => memberships.list(ORG, { limit: 10, after: AFTER }),
  'the audit log': ({ audit }) => audit.list({ organizationId: ORG, limit: 10, beforeId: 1000 }),
  'the audit log by kind': ({ audit }) =>
    audit.list({ organizationId: null, kind: 'account.deleted', limit: 10, beforeId: 1000 }),
  'the security log of an account': ({ audit }) => audit.list({ ...ACCOUNT_LOG, limit: 10, beforeId: 1000 }),
  'the source log': ({ sourceLog }) => sourceLog.list({ slug: 'a', limit: 10, beforeId: 1000 }),
  'the log of all sources': ({ sourceLog }) => sourceLog.list({ limit: 10, beforeId: 1000 }),
  'the newest requests': ({ requestLog }) => requestLog.list({ organizationId: ORG }, LOG_PAGE),
  'the newest requests of a key': ({ requestLog }) => requestLog.list({ organizationId: ORG, keyId: 'k1' }, LOG_PAGE),
  'requests by id': ({ requestLog }) => requestLog.list({ organizationId: ORG, requestId: 'r' }, LOG_PAGE),
}

/** Lists with a bound by other means, of which each table but a small one is searched by an index. */
const INDEXED: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'the names of keys': ({ keys }) => keys.names(ORG, ['k1', 'k2']),
  'the organizations of a person': ({ memberships }) => memberships.listOfUser('user'),
  'hours of usage': ({ usage }) => usage.hours(SPAN),
  'hours of usage of a key': ({ usage }) => usage.hours({ ...SPAN, keyId: 'k1' }),
  'requests left out': ({ requestLog }) => requestLog.leftOut(SPAN),
  'addresses of a key': ({ requestLog }) => requestLog.addresses({ organizationId: ORG, keyId: 'k1' }, 0),
  'second factors': ({ accountActivity }) => accountActivity.secondFactors(['user']),
  'members without a second factor': ({ memberships }) => memberships.withoutSecondFactor(ORG, 10),
  'last sign-ins': ({ accountActivity }) => accountActivity.lastSignIns(['user']),
  'notices of an account': ({ accountActivity }) => accountActivity.notices('user'),
  latencies: ({ usage }) => usage.latencies(SPAN),
  'sync history': ({ sources }) => sources.syncHistory(1),
  rejections: ({ sources }) => sources.rejections(1),
  'health events': ({ health }) => health.ofSource(1),
  'open slots over time': ({ openSlotHistory }) => openSlotHistory.read(1, 'days', HARNESS_STARTS_MS),
}

const RESOURCE_KEYS = [
  { type: 'Slot', id: 'a' },
  { type: 'Location', id: 'l' },
]

/** What an update of a feed asks, and by which columns: the table has the resources of all feeds. */
const UPDATES: Readonly<Record<string, readonly [columns: RegExp, (writer: SnapshotWriter) => Promise<unknown>]>> = {
  'resources by id': [/set_id.*type.*\bid\b/, ({ resources }) => resources.find(RESOURCE_KEYS)],
  'resources of a type': [/set_id.*type/, ({ resources }) => readToEnd(resources.readType('Location'))],
  'slots of a Schedule': [/set_id.*schedule/, ({ resources }) => readToEnd(resources.readSlotsOf('s1'))],
  'resources of a file': [
    /(rowid|key) ?>.*(rowid|key) ?</,
    ({ resources }) => readToEnd(resources.readFile({ file: '1.ndjson', firstKey: 1, lastKey: 100 })),
  ],
  'slots by id': [/\(id ?=/, (writer) => writer.findIndexed(['a', 'b'])],
}

/** The query plans of the lists in the dashboard API. */
export const QUERY_PLAN_GUARANTEES: Guarantees = {
  'reads each page as a range of an index, without sorting': (harness) =>
    checkPlans(harness, PAGED, /^SCAN|TEMP B-TREE|Seq Scan|Sort/),
  'searches each list by an index': (harness) => checkPlans(harness, INDEXED, /^SCAN (?!json_each)|Seq Scan/),
  'searches the resources of an update by an index': async (harness) => {
    const source = await addSource(harness.store)
    const first = await begin(harness.store, source)
    await first.resources.startOver()
    await first.resources.write({
      puts: RESOURCE_KEYS.map((key) => ({ ...key, file: '', line: 1, json: '{}' })),
      removes: [],
    })
    await first.commit({ ...END, connectorState: {}, resources: 'new' })
    for (const [name, [columns, read]] of Object.entries(UPDATES)) {
      const reads = { [name]: async (store: Store) => read(await begin(store, source)) }
      await checkPlans(harness, reads, /^SCAN (?!json_each)|Seq Scan/, columns)
    }
  },
  'finds the resources that an update deletes by an index': async ({ url }) => {
    const database = await openDatabase(url)
    try {
      const isPostgres = database.kind === 'postgres'
      const parameters = isPostgres ? [1, ['Slot'], ['a']] : [1, 'Slot', 'a']
      const statement = sql.raw<never>(isPostgres ? REMOVE_RESOURCES : REMOVE_RESOURCE).compile(database.read.queries)
      const plan = await explain(database, { ...statement, parameters })
      assert.doesNotMatch(plan.join('\n'), /SCAN|Seq Scan/)
      assert.match(plan.join('\n'), /set_id.*type.*\bid\b/)
    } finally {
      await database.close()
    }
  },
}

async function readToEnd(batches: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of batches);
}

/** Fails if a line of a plan is `refused`, or no index of one table is searched by columns that match `searched`. */
async function checkPlans(
  { url }: StoreHarness,
  lists: Readonly<Record<string, (store: Store) => Promise<unknown>>>,
  refused: RegExp,
  searched?: RegExp,
): Promise<void> {
  const database = await openDatabase(url)
  try {
    for (const [name, read] of Object.entries(lists)) {
      for (const query of await queriesOf(database, read)) {
        if (searched !== undefined && !/ from "(resources|slots)"/.test(query.sql)) continue
        const plan = await explain(database, query)
        const found = plan.filter((line) => refused.test(line))
        assert.deepEqual(found, [], `${name}: ${query.sql}\n${plan.join('\n')}`)
        const conditions = plan.filter((line) => /^SEARCH|^Index Cond/.test(line)).join('\n')
        if (searched !== undefined) assert.match(conditions, searched, `${name}: ${query.sql}`)
      }
    }
  } finally {
    await database.close()
  }
}

async function queriesOf(database: Database, read: (store: Store) => Promise<unknown>): Promise<CompiledQuery[]> {
  const queries: CompiledQuery[] = []
  const recorded = queriesBy(database.kyselyDialect, <Row>(query: CompiledQuery) => {
    queries.push(query)
    return database.read.queries.executeQuery<Row>(query as CompiledQuery<Row>)
  })
  const recording: Database = {
    kind: database.kind,
    kyselyDialect: database.kyselyDialect,
    sqlDialect: database.sqlDialect,
    now: database.now,
    read: {
      queries: recorded,
      arrays(query) {
        queries.push(query)
        return database.read.arrays(query)
      },
    },
    transaction: (durability, work) => database.transaction(durability, work),
    epoch: (reader) => database.epoch(reader),
    ...(database.dataVersion && { dataVersion: () => database.dataVersion?.() ?? 0 }),
    waitForChange: (pause, signal) => database.waitForChange(pause, signal),
    beginRead: () => database.beginRead(),
    close: () => database.close(),
  }
  await read(storeOn(recording, () => HARNESS_STARTS_MS))
  assert.notEqual(queries.length, 0)
  return queries
}

/** The lines of a plan. PostgreSQL scans and sorts small tables unless that is forbidden; where it has no choice, it still does. */
async function explain(database: Database, query: CompiledQuery): Promise<string[]> {
  const reading = await database.beginRead()
  try {
    if (database.kind === 'postgres') {
      await sql`set local enable_seqscan = off`.execute(reading.queries)
      await sql`set local enable_sort = off`.execute(reading.queries)
      await sql`set local enable_incremental_sort = off`.execute(reading.queries)
      await sql`set local enable_bitmapscan = off`.execute(reading.queries)
    }
    const prefix = database.kind === 'postgres' ? 'explain (costs off)' : 'explain query plan'
    const rows = await reading.arrays({ ...query, sql: `${prefix} ${query.sql}` })
    return rows.map((row) => String(row.at(-1)).trim())
  } finally {
    await reading.close()
  }
}
