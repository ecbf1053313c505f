import { parseParameters } from '../../../slot/query-parameter.ts'
import { SLOT_STATUSES } from '../../../slot/slot.ts'
import { FIRST_PAGE, PAGE_PARAMETERS } from '../../../slot/slot-query.ts'
import type { SourceFreshness } from '../../../slot/source-freshness.ts'
import { EXAMPLE_PUBLISHER } from '../openapi/examples.ts'
import { INDEX_HEADERS } from '../openapi/headers.ts'
import { jsonContent } from '../openapi/schemas.ts'
import type { Operation } from '../operation.ts'
import { pageLinks } from '../page-links.ts'

const PUBLISHERS_PATH = '/v1/scheduling/publishers'

/** GET /v1/scheduling/publishers: one page of the publishers, with their slot counts and freshness. */
export const listPublishers: Operation = {
  path: PUBLISHERS_PATH,
  id: 'listPublishers',
  summary: 'List publishers',
  description: 'Returns one page of the publishers, with the number of their slots and how fresh these are.',
  parameters: PAGE_PARAMETERS,
  content: jsonContent('PublisherPage', { publishers: [EXAMPLE_PUBLISHER], total: 1 }),
  headers: [...INDEX_HEADERS, 'Link'],
  problems: ['invalid-parameter', 'queue-full'],
  isTimely: true,
  read({ search }, { index, now, sources, baseUrl }) {
    const query = parseParameters(search, PAGE_PARAMETERS, { ...FIRST_PAGE })
    return index.inSteps(now, function* (view) {
      const counts = yield* view.counts.publishers()
      const { all } = sources
      const publishers = all
        .slice(query.offset, query.offset + query.limit)
        .map((source) => viewOf(source, counts.get(source.slug) ?? []))
      return {
        body: Buffer.from(JSON.stringify({ publishers, total: all.length })),
        headers: `Link: ${pageLinks(baseUrl + PUBLISHERS_PATH, search, query, all.length)}\r\n`,
      }
    })
  },
}

/**
 * Callers never see the URL of a source, its settings, or its errors. `slots` counts those that have not ended, by status: the totals
 * of the list for this publisher. `nextSyncAt` is absent while the source is paused, and for imported files.
 */
function viewOf(source: SourceFreshness, counts: readonly number[]): object {
  const { slug, name = slug, lastCheckedAtMs, publishedAtMs, changedAtMs, nextSyncAtMs, paused } = source
  return {
    publisher: slug,
    name,
    slots: Object.fromEntries(SLOT_STATUSES.map((status, at) => [status, counts[at] ?? 0])),
    lastSyncAt: formatTime(lastCheckedAtMs),
    publishedAt: formatTime(publishedAtMs),
    changedAt: formatTime(changedAtMs),
    nextSyncAt: paused ? undefined : formatTime(nextSyncAtMs),
    status: paused ? 'paused' : source.health,
  }
}

/** RFC 3339 ends with the year 9999; a new source is due since 1970, which means no time. */
function formatTime(ms = 0): string | undefined {
  return ms > 0 && ms <= LAST_MS ? new Date(ms).toISOString() : undefined
}

const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')
