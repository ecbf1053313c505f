import { FeedFailure } from '../connector.ts'
import { EntryReader, type EntryReaderOptions } from './entry-reader.ts'
import { readSearch } from './search.ts'
import type { ServerClient } from './server-client.ts'

interface ScheduleSearchOptions {
  readonly client: ServerClient
  readonly base: URL
  /** The operator's search parameters. */
  readonly filters: URLSearchParams
  readonly entries: EntryReaderOptions
}

/** The Schedules to search one by one, and the operator's other parameters. */
interface FoundSchedules {
  /** As values of the parameter `schedule`. */
  readonly schedules: readonly string[]
  readonly filters: URLSearchParams
  /** They changed while they were read. */
  readonly isMixed: boolean
}

/** Each is a separate search at every sync. */
const SCHEDULES_MAX = 5000

const PAGE_ENTRIES = 500

/** `schedule.actor`, `schedule:Schedule.actor` */
const CHAINED = /^schedule(?::Schedule)?\./

/**
 * Finds the Schedules for a server whose Slot search requires one: those that the operator's parameter `schedule` lists, else those that a
 * search with the operator's chained parameters finds (`schedule.actor=…` becomes `actor=…`). Throws `FeedFailure` for too many.
 */
export async function findSchedules(options: ScheduleSearchOptions): Promise<FoundSchedules> {
  const given = [...options.filters]
  const listed = given.flatMap(([name, value]) => (name === 'schedule' ? value.split(',') : []))
  const others = given.filter(([name]) => name !== 'schedule' && !CHAINED.test(name))
  const { found, isMixed } = listed.length > 0 ? { found: listed, isMixed: false } : await searchSchedules(options)
  const schedules = new Set(found)
  if (schedules.size > SCHEDULES_MAX) {
    throw new FeedFailure(
      `Cannot read ${options.base.href}: there must be at most ${SCHEDULES_MAX} Schedules: got ${schedules.size}. Restrict them in the address: ?schedule.actor=…`,
    )
  }
  return { schedules: [...schedules], filters: new URLSearchParams(others), isMixed }
}

async function searchSchedules({ client, base, filters, entries }: ScheduleSearchOptions) {
  const found: string[] = []
  const reader = new EntryReader({
    ...entries,
    noteResource: (type, id) => {
      if (type === 'Schedule') found.push(`Schedule/${id}`)
    },
  })
  const url = new URL('Schedule', base)
  const query = new URLSearchParams([...filters].filter(([name]) => CHAINED.test(name)).map(withoutChain))
  query.append('_count', String(PAGE_ENTRIES))
  url.search = query.toString()
  const handler = { take: reader.take.bind(reader), finishPage: () => Promise.resolve() }
  const { isMixed } = await readSearch(client, await client.open(url), handler)
  return { found, isMixed }
}

function withoutChain([name, value]: readonly [string, string]): [string, string] {
  return [name.replace(CHAINED, ''), value]
}
