import { findTimeZone, TimeZone } from '../../../lib/time-zone.ts'
import { FILTER_PARAMETERS, type FilterDraft, parseFilters } from '../../../slot/filter-parameters.ts'
import type { ValueKind } from '../../../slot/query-parameter.ts'
import { type ParameterTable, parameter } from '../../../slot/query-parameter.ts'
import type { ApiContext } from '../../api-context.ts'
import { EXAMPLE_FACETS } from '../openapi/examples.ts'
import { reference } from '../openapi/schemas.ts'
import {
  INDEX_HEADERS,
  type IndexOperation,
  jsonContent,
  type OperationDocs,
  type OperationRequest,
  type OperationResponse,
} from '../operation.ts'

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

const docs: OperationDocs = {
  id: 'listFacets',
  summary: 'Count slots by facet',
  description:
    'Counts the matching slots by state, service mode, service type, specialty and day. Use it for the filters beside a search result.',
  parameters: FACET_PARAMETERS,
  content: jsonContent(reference('Facets'), EXAMPLE_FACETS),
  headers: INDEX_HEADERS,
  problems: ['invalid-parameter'],
}

/** GET /v1/scheduling/facets: counts of the matching slots by state, service mode, service type, specialty and day. */
export const listFacets: IndexOperation = { path: '/v1/scheduling/facets', handler: 'index', docs, read }

const UTC = new TimeZone('UTC')

function read({ search, nowMs }: OperationRequest, { index }: ApiContext): OperationResponse {
  const query = parseFilters(search, FACET_PARAMETERS, { status: 'free', timeZone: UTC })
  const facets = index.counts(nowMs).facets(query, (ms) => {
    const [{ date }, next] = query.timeZone.daysFrom(ms, 2)
    return { date, endMs: next.startMs }
  })
  return { body: Buffer.from(JSON.stringify(facets)), headers: [] }
}
