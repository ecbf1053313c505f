import { type Kysely, sql } from 'kysely'
import {
  changedHorizons,
  decodeHorizons,
  type PublishedHorizons,
  type ScheduleHorizons,
} from '../../slot/planning-horizon.ts'
import type { HorizonChange } from '../contracts/change-log.ts'
import { readCounters } from './counters.ts'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'

/** A publisher and its source. */
interface HorizonOwner {
  readonly publisher: string
  readonly sourceId: number
}

/** As of a revision: empty without any. */
export async function readHorizons(
  queries: Kysely<Schema>,
  publisher: string,
  asOf = Number.MAX_SAFE_INTEGER,
): Promise<string> {
  const row = await queries
    .selectFrom('planning_horizons')
    .select('content')
    .where('publisher', '=', publisher)
    .where('revision', '<=', asOf)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.content ?? ''
}

/** Stores the horizons from a revision on, in the transaction that advances to it. */
export async function writeHorizons(
  queries: Kysely<Schema>,
  { publisher, sourceId }: HorizonOwner,
  { revision, content }: Pick<PublishedHorizons, 'revision' | 'content'>,
): Promise<void> {
  const { offering_ids } = await readCounters(queries, ['offering_ids'])
  await queries
    .insertInto('planning_horizons')
    .values({ publisher, revision, source_id: sourceId, content, offerings_end: offering_ids + 1 })
    .execute()
}

/** Those of a removed source end with it. */
export async function endHorizons(queries: Kysely<Schema>, owner: HorizonOwner, revision: number): Promise<void> {
  if ((await readHorizons(queries, owner.publisher)) !== '') {
    await writeHorizons(queries, owner, { revision, content: '' })
  }
}

/** The newest of each publisher, if it is newer than a revision. */
export function newestHorizons(queries: Kysely<Schema>, after: number): Promise<PublishedHorizons[]> {
  return queries
    .selectFrom('planning_horizons as newest')
    .select(['publisher', 'revision', 'content'])
    .where('revision', '>', after)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('planning_horizons as later')
            .select(sql.lit(1).as('one'))
            .whereRef('later.publisher', '=', 'newest.publisher')
            .whereRef('later.revision', '>', 'newest.revision'),
        ),
      ),
    )
    .orderBy('publisher')
    .execute()
}

/** The changes after a revision, up to another, by publisher. */
export async function readHorizonChanges(
  queries: Kysely<Schema>,
  { after, until }: { readonly after: number; readonly until: number },
): Promise<HorizonChange[]> {
  const rows = await queries
    .selectFrom('planning_horizons')
    .select(({ fn }) => ['publisher', 'source_id', fn.max('offerings_end').as('end')])
    .where('revision', '>', after)
    .where('revision', '<=', until)
    .groupBy(['publisher', 'source_id'])
    .orderBy('publisher')
    .execute()
  const changes: HorizonChange[] = []
  for (const { publisher, source_id, end } of rows) {
    const asOf = async (revision: number): Promise<ScheduleHorizons> =>
      decodeHorizons(await readHorizons(queries, publisher, revision))
    const schedules = changedHorizons(await asOf(after), await asOf(until))
    if (schedules.size > 0) changes.push({ publisher, schedules, sourceId: source_id, offeringsEnd: Number(end) })
  }
  return changes
}

/** Deletes what no revision after the purged ones has. */
export async function purgeHorizons(database: Database, purged: number): Promise<void> {
  await database.transaction('kill', ({ queries }) =>
    queries
      .deleteFrom('planning_horizons')
      .where('revision', '<=', purged)
      .where(({ or, eb, exists, selectFrom }) =>
        or([
          eb('content', '=', ''),
          exists(
            selectFrom('planning_horizons as later')
              .select(sql.lit(1).as('one'))
              .whereRef('later.publisher', '=', 'planning_horizons.publisher')
              .whereRef('later.revision', '>', 'planning_horizons.revision')
              .where('later.revision', '<=', purged),
          ),
        ]),
      )
      .execute(),
  )
}
