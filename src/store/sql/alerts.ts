import { randomUUID } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import {
  ALERT_KEPT_MS,
  type AlertChange,
  type AlertMessage,
  type AlertStore,
  type AlertsDue,
  type AlertsTold,
  type AlertTelling,
  type AlertWayState,
} from '../contracts/alert-store.ts'
import { readCounters } from './counters.ts'
import type { Database } from './database.ts'
import type { AlertMessagesTable, Schema } from './schema.ts'

const DUE_MAX = 50

/** What has ended takes no room: nobody asks any more what it said. */
const NOTHING = '[]'

/** `AlertStore` over any database: see `../contracts/alert-store.ts`. */
export class SqlAlertStore implements AlertStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** The revision is read first: who told something since then is found out by `tell()`. */
  async told(): Promise<AlertsTold> {
    const { queries } = this.#database.read
    const { alert_ids } = await readCounters(queries, ['alert_ids'])
    const open = await queries.selectFrom('alerts').selectAll().orderBy('source_id').execute()
    const { last } = await queries
      .selectFrom('alert_messages')
      .select(({ fn }) => fn.max('made_at_ms').as('last'))
      .executeTakeFirstOrThrow()
    return {
      revision: alert_ids,
      open: open.map(({ source_id, slug, health }) => ({ sourceId: source_id, slug, health })),
      ...(last !== null && { lastMadeAtMs: last }),
    }
  }

  async tell(revision: number, { ways, changes, atMs }: AlertTelling): Promise<boolean> {
    return this.#database.transaction('power-cut', async ({ queries }) => {
      const { numUpdatedRows } = await queries
        .updateTable('counters')
        .set({ value: revision + ways.length })
        .where('name', '=', 'alert_ids')
        .where('value', '=', revision)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return false
      for (const change of changes) await note(queries, change)
      await forgetEnded(queries, atMs - ALERT_KEPT_MS)
      const text = JSON.stringify(changes)
      for (const [at, way] of ways.entries()) {
        const row = { id: revision + 1 + at, key: randomUUID(), way, changes: text }
        await queries
          .insertInto('alert_messages')
          .values({ ...row, made_at_ms: atMs, tries: 0, next_try_ms: atMs })
          .execute()
      }
      return true
    })
  }

  async due({ nowMs, ways, madeBeforeMs }: AlertsDue): Promise<AlertMessage[]> {
    const { read, terms } = this.#database
    const oldest = read.queries
      .selectFrom('alert_messages')
      .select(({ fn }) => fn.min('id').as('id'))
      .where('outcome', 'is', null)
      .groupBy('way')
    const rows = await read.queries
      .selectFrom('alert_messages')
      .selectAll()
      .where('outcome', 'is', null)
      .where('next_try_ms', '<=', nowMs)
      .where((row) =>
        row.or([
          row.and([row('id', 'in', oldest), row('way', 'in', terms.anyOf(ways))]),
          row('made_at_ms', '<', madeBeforeMs),
        ]),
      )
      .orderBy('id')
      .limit(DUE_MAX)
      .execute()
    return rows.map(messageOf)
  }

  async begin({ id, tries }: Pick<AlertMessage, 'id' | 'tries'>, againAtMs: number): Promise<boolean> {
    return this.#database.transaction('kill', async ({ queries }) => {
      const { numUpdatedRows } = await queries
        .updateTable('alert_messages')
        .set({ tries: tries + 1, next_try_ms: againAtMs })
        .where('id', '=', id)
        .where('tries', '=', tries)
        .where('outcome', 'is', null)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    })
  }

  async end(id: number, outcome: 'sent' | 'given-up', atMs: number): Promise<void> {
    await this.#database.transaction('power-cut', async ({ queries }) => {
      await queries
        .updateTable('alert_messages')
        .set({ outcome, ended_at_ms: atMs, changes: NOTHING })
        .where('id', '=', id)
        .where('outcome', 'is', null)
        .execute()
    })
  }

  async ways(): Promise<AlertWayState[]> {
    const { queries } = this.#database.read
    const ends = await queries
      .selectFrom('alert_messages')
      .select(({ fn }) => [
        'way',
        'outcome',
        fn.countAll<number>().as('count'),
        fn.max('ended_at_ms').as('last'),
        fn.min('id').as('oldest'),
      ])
      .groupBy(['way', 'outcome'])
      .execute()
    const oldest = ends.flatMap(({ outcome, oldest }) => (outcome === null ? [oldest] : []))
    const next = await queries
      .selectFrom('alert_messages')
      .select(['way', 'made_at_ms', 'tries', 'next_try_ms'])
      .where('id', 'in', this.#database.terms.anyOf(oldest))
      .execute()
    const names = [...new Set(ends.map(({ way }) => way))].toSorted()
    return names.map((way) =>
      stateOf(
        way,
        ends.filter((end) => end.way === way),
        next.find((message) => message.way === way),
      ),
    )
  }
}

type Ends = Pick<Selectable<AlertMessagesTable>, 'outcome'> & { count: number; last: number | null }
type Next = Pick<Selectable<AlertMessagesTable>, 'made_at_ms' | 'tries' | 'next_try_ms'>

function stateOf(way: string, ends: readonly Ends[], next: Next | undefined): AlertWayState {
  const lastOf = (outcome: Ends['outcome']) => ends.find((end) => end.outcome === outcome)?.last ?? undefined
  const [arrivedAtMs, givenUpAtMs] = [lastOf('sent'), lastOf('given-up')]
  return {
    way,
    ...(arrivedAtMs !== undefined && { arrivedAtMs }),
    ...(givenUpAtMs !== undefined && { givenUpAtMs }),
    waiting: Number(ends.find(({ outcome }) => outcome === null)?.count ?? 0),
    ...(next && { next: { madeAtMs: next.made_at_ms, tries: next.tries, nextTryAtMs: next.next_try_ms } }),
  }
}

async function note(queries: Kysely<Schema>, { sourceId, slug, health }: AlertChange): Promise<void> {
  await queries.deleteFrom('alerts').where('source_id', '=', sourceId).execute()
  if (health === 'healthy' || health === 'removed') return
  await queries.insertInto('alerts').values({ source_id: sourceId, slug, health }).execute()
}

async function forgetEnded(queries: Kysely<Schema>, beforeMs: number): Promise<void> {
  await queries.deleteFrom('alert_messages').where('ended_at_ms', '<', beforeMs).execute()
}

function messageOf(row: Selectable<AlertMessagesTable>): AlertMessage {
  const { id, key, way, tries } = row
  return { id, key, way, tries, changes: JSON.parse(row.changes), madeAtMs: row.made_at_ms }
}
