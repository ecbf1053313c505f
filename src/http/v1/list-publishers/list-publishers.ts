// Hot path
import { type ParameterTable, parseParameters } from '../../../slot/query-parameter.ts'
import { SLOT_STATUSES, type SlotStatus } from '../../../slot/slot.ts'
import { FIRST_PAGE, PAGE_PARAMETERS, type PageDraft } from '../../../slot/slot-query.ts'
import type { SourceFreshness, SourceHealth } from '../../../slot/source-freshness.ts'
import type { ApiContext } from '../../api-context.ts'
import type { Answer, Asked, Operation } from '../operation.ts'
import { pageLinks } from '../page-links.ts'

const PUBLISHERS_PATH = '/v1/scheduling/publishers'

/** GET /v1/scheduling/publishers: one page of the publishers, with what we hold of each and how fresh that is. */
export const listPublishers: Operation = { path: PUBLISHERS_PATH, read, isTimely: true }

/** Every parameter of the publishers. */
export const PUBLISHER_PARAMETERS: ParameterTable<PageDraft> = PAGE_PARAMETERS

/** A publisher as it is served. Times are RFC 3339, UTC, and absent where there is none. */
interface PublisherView {
  /** The slug. */
  readonly publisher: string
  /** The slug again, if nobody gave it a name. */
  readonly name: string
  /** Those that have not ended: what the list has in all for this publisher and each status. */
  readonly slots: Readonly<Record<SlotStatus, number>>
  /** When its source could last be read. */
  readonly lastSyncAt: string | undefined
  /** When the publisher says that its feed is from. */
  readonly publishedAt: string | undefined
  /** When what we hold of it last changed. */
  readonly changedAt: string | undefined
  /** When its source is read next: not there while it is paused, nor if it is brought. */
  readonly nextSyncAt: string | undefined
  readonly status: SourceHealth
}

function read({ search, nowMs }: Asked, { index, sources, baseUrl }: ApiContext): Answer {
  const query = parseParameters(search, PUBLISHER_PARAMETERS, { ...FIRST_PAGE })
  const counts = index.counts(nowMs).publishers()
  const { all } = sources
  const publishers = all
    .slice(query.offset, query.offset + query.limit)
    .map((source) => viewOf(source, counts.get(source.slug) ?? []))
  return {
    body: Buffer.from(JSON.stringify({ publishers, total: all.length })),
    headers: ['Link', pageLinks(baseUrl + PUBLISHERS_PATH, search, query, all.length)],
  }
}

/** Nothing else of a source is the caller's: neither where nor how it is read, nor what went wrong. */
function viewOf(source: SourceFreshness, counts: readonly number[]): PublisherView {
  const {
    slug,
    name = slug,
    lastCheckedAtMs: lookedAtMs,
    publishedAtMs,
    changedAtMs,
    nextSyncAtMs,
    paused,
  } = source
  const slots = Object.fromEntries(SLOT_STATUSES.map((status, at) => [status, counts[at] ?? 0]))
  return {
    publisher: slug,
    name,
    slots: slots as Record<SlotStatus, number>,
    lastSyncAt: textOf(lookedAtMs),
    publishedAt: textOf(publishedAtMs),
    changedAt: textOf(changedAtMs),
    nextSyncAt: paused ? undefined : textOf(nextSyncAtMs),
    status: paused ? 'paused' : source.health,
  }
}

/** RFC 3339 knows no years beyond 9999, and a source that was just added is due since 1970. */
function textOf(ms = 0): string | undefined {
  return ms > 0 && ms <= LAST_MS ? new Date(ms).toISOString() : undefined
}

const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')
