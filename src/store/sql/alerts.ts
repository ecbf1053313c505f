import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { defined } from '../../lib/optional.ts'
import {
  ALERT_RETENTION_MS,
  type AlertChange,
  type AlertChannelState,
  type AlertContent,
  type AlertMessage,
  type AlertNotice,
  type AlertState,
  type AlertStore,
  type DueAlertsQuery,
} from '../contracts/alerts.ts'
import { readCounters } from './counters.ts'
import { LEASE_MS_MAX } from './lease.ts'
import type { AlertMessageRow, Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'

const DUE_MAX = 50

/** Ended messages keep no content. */
const NOTHING = '[]'

/** `AlertStore` over any database. */
export class SqlAlertStore extends SqlStore implements AlertStore {
  /** Reads the revision first: `record()` detects later changes. */
  async state(): Promise<AlertState> {
    const { queries } = this
    const { alert_ids } = await readCounters(queries, ['alert_ids'])
    const open = await queries.selectFrom('open_alerts').selectAll().orderBy('source_id').execute()
    const last = await queries
      .selectFrom('alert_messages')
      .select('created_at_ms')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return {
      revision: alert_ids,
      open: open.map(({ source_id, slug, health }) => ({ sourceId: source_id, slug, health })),
      ...(last && { lastCreatedAtMs: last.created_at_ms }),
    }
  }

  async record(revision: number, { channels, changes, node, atMs }: AlertNotice): Promise<boolean> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const { numUpdatedRows } = await queries
        .updateTable('counters')
        .set({ value: revision + channels.length })
        .where('name', '=', 'alert_ids')
        .where('value', '=', revision)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return false
      for (const change of changes) await note(queries, change)
      await forgetEnded(queries, atMs - ALERT_RETENTION_MS)
      const text = JSON.stringify(node ?? changes)
      for (const [at, channel] of channels.entries()) {
        const row = { id: revision + 1 + at, key: randomUUID(), channel, changes: text }
        await queries
          .insertInto('alert_messages')
          .values({ ...row, created_at_ms: atMs, attempts: 0, next_attempt_at_ms: atMs })
          .execute()
      }
      return true
    })
  }

  async due({ nowMs, channels, createdBeforeMs }: DueAlertsQuery): Promise<AlertMessage[]> {
    const { read, sqlDialect } = this.database
    const oldest = read.queries
      .selectFrom('alert_messages')
      .select(({ fn }) => fn.min('id').as('id'))
      .where('outcome', 'is', null)
      .groupBy('channel')
    const rows = await read.queries
      .selectFrom('alert_messages')
      .selectAll()
      .where('outcome', 'is', null)
      .where((row) =>
        row.or([row('next_attempt_at_ms', '<=', nowMs), row('next_attempt_at_ms', '>', nowMs + LEASE_MS_MAX)]),
      )
      .where((row) =>
        row.or([
          row.and([row('id', 'in', oldest), row('channel', 'in', sqlDialect.anyOf(channels))]),
          row('created_at_ms', '<', createdBeforeMs),
        ]),
      )
      .orderBy('id')
      .limit(DUE_MAX)
      .execute()
    return rows.map(messageOf)
  }

  async beginAttempt({ id, attempts }: Pick<AlertMessage, 'id' | 'attempts'>, againAtMs: number): Promise<boolean> {
    return this.database.transaction('kill', async ({ queries }) => {
      const { numUpdatedRows } = await queries
        .updateTable('alert_messages')
        .set({ attempts: attempts + 1, next_attempt_at_ms: againAtMs })
        .where('id', '=', id)
        .where('attempts', '=', attempts)
        .where('outcome', 'is', null)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    })
  }

  async end(id: number, outcome: 'sent' | 'given-up', atMs: number): Promise<void> {
    await this.database.transaction('power-cut', async ({ queries }) => {
      await queries
        .updateTable('alert_messages')
        .set({ outcome, ended_at_ms: atMs, changes: NOTHING })
        .where('id', '=', id)
        .where('outcome', 'is', null)
        .execute()
    })
  }

  async channels(): Promise<AlertChannelState[]> {
    const { queries } = this
    const ends = await queries
      .selectFrom('alert_messages')
      .select(({ fn }) => [
        'channel',
        'outcome',
        fn.countAll<number>().as('count'),
        fn.max('ended_at_ms').as('last'),
        fn.min('id').as('oldest'),
      ])
      .groupBy(['channel', 'outcome'])
      .execute()
    const oldest = ends.flatMap(({ outcome, oldest }) => (outcome === null ? [oldest] : []))
    const next = await queries
      .selectFrom('alert_messages')
      .select(['channel', 'created_at_ms', 'attempts', 'next_attempt_at_ms'])
      .where('id', 'in', this.database.sqlDialect.anyOf(oldest))
      .execute()
    const names = [...new Set(ends.map(({ channel }) => channel))].toSorted()
    return names.map((channel) =>
      stateOf(
        channel,
        ends.filter((end) => end.channel === channel),
        next.find((message) => message.channel === channel),
      ),
    )
  }
}

type Ends = Pick<AlertMessageRow, 'outcome'> & { count: number; last: number | null }
type Next = Pick<AlertMessageRow, 'created_at_ms' | 'attempts' | 'next_attempt_at_ms'>

function stateOf(channel: string, ends: readonly Ends[], next: Next | undefined): AlertChannelState {
  const lastOf = (outcome: Ends['outcome']) => ends.find((end) => end.outcome === outcome)?.last ?? undefined
  return {
    channel,
    ...defined({ deliveredAtMs: lastOf('sent'), givenUpAtMs: lastOf('given-up') }),
    waiting: Number(ends.find(({ outcome }) => outcome === null)?.count ?? 0),
    ...(next && {
      next: {
        createdAtMs: next.created_at_ms,
        attempts: next.attempts,
        nextAttemptAtMs: next.next_attempt_at_ms,
      },
    }),
  }
}

async function note(queries: Kysely<Schema>, { sourceId, slug, health }: AlertChange): Promise<void> {
  await queries.deleteFrom('open_alerts').where('source_id', '=', sourceId).execute()
  if (health === 'healthy' || health === 'removed') return
  await queries.insertInto('open_alerts').values({ source_id: sourceId, slug, health }).execute()
}

async function forgetEnded(queries: Kysely<Schema>, beforeMs: number): Promise<void> {
  await queries.deleteFrom('alert_messages').where('ended_at_ms', '<', beforeMs).execute()
}

function messageOf(row: AlertMessageRow): AlertMessage {
  const { id, key, channel, attempts } = row
  return { id, key, channel, attempts, ...contentOf(row.changes), createdAtMs: row.created_at_ms }
}

/** Changes of sources are stored as an array, a node as an object. */
function contentOf(text: string): AlertContent {
  const content = JSON.parse(text)
  return Array.isArray(content) ? { changes: content } : { changes: [], node: content }
}
