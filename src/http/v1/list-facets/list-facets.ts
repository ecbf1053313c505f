import { findTimeZone, TimeZone } from '../../../lib/time-zone.ts'
import { FILTER_PARAMETERS, type FilterDraft, NO_FILTERS, parseFilters } from '../../../slot/filter-parameters.ts'
import { type ParameterTable, parameter, type ValueKind } from '../../../slot/query-parameter.ts'
import { EXAMPLE_FACETS } from '../openapi/examples.ts'
import { INDEX_HEADERS } from '../openapi/headers.ts'
import { jsonContent } from '../openapi/schemas.ts'
import type { Operation } from '../operation.ts'

type FacetDraft = FilterDraft & { timeZone: TimeZone }

const ZONE_FORM = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/

/** Any zone that the ICU data of Node.js knows. */
const TIME_ZONE: ValueKind<TimeZone> = {
  schema: { type: 'string', pattern: ZONE_FORM.source, default: 'UTC' },
  allowed: 'an IANA time zone, such as America/New_York',
  parse: (text) => (ZONE_FORM.test(text) ? findTimeZone(text) : undefined),
}

export const FACET_PARAMETERS: ParameterTable<FacetDraft> = {
  ...FILTER_PARAMETERS,
  timeZone: parameter({
    description: 'IANA time zone of the days in `day`.',
    kind: TIME_ZONE,
    examples: ['America/New_York'],
    put: (draft, value) => {
      draft.timeZone = value
    },
  }),
}

/** GET /v1/scheduling/facets: counts of the matching slots by state, service mode, service type, specialty and day. */
export const listFacets: Operation = {
  path: '/v1/scheduling/facets',
  id: 'listFacets',
  summary: 'Count slots by facet',
  description:
    'Counts the matching slots by state, service mode, service type, specialty and day. Use it for the filters beside a search result.',
  parameters: FACET_PARAMETERS,
  content: jsonContent('Facets', EXAMPLE_FACETS),
  headers: INDEX_HEADERS,
  problems: ['invalid-parameter', 'queue-full'],
  read({ search }, { index, now }) {
    const query = parseFilters(search, FACET_PARAMETERS, { ...NO_FILTERS, timeZone: UTC })
    const calendar = (ms: number) => {
      const [{ date }, next] = query.timeZone.daysFrom(ms, 2)
      return { date, endMs: next.startMs }
    }
    return index.inSteps(now, function* ({ counts, version }) {
      const facets = yield* counts.facets(query, calendar)
      return { body: Buffer.from(JSON.stringify(facets)), headers: '', version }
    })
  },
}

const UTC = new TimeZone('UTC')
