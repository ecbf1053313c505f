// Hot path

import { findTimeZone, TimeZone } from '../../../lib/time-zone.ts'
import { FILTER_PARAMETERS, type FilterDraft, parseFilters } from '../../../slot/filter-parameters.ts'
import { type ParameterTable, parameter } from '../../../slot/query-parameter.ts'
import type { ValueKind } from '../../../slot/value-kind.ts'
import type { ApiContext } from '../../api-context.ts'
import type { Answer, Asked, Operation } from '../operation.ts'

/** GET /v1/scheduling/facets: how the slots that match are spread over states, modes, service types, specialties and days. */
export const listFacets: Operation = { path: '/v1/scheduling/facets', read }

/** What facets are asked for, in the making. */
type FacetDraft = FilterDraft & { timeZone: TimeZone }

const ZONE_FORM = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/

/** Any name of a zone that this machine knows: there are more than are listed anywhere. */
const TIME_ZONE: ValueKind<TimeZone> = {
  schema: { type: 'string', pattern: ZONE_FORM.source, default: 'UTC' },
  allowed: 'an IANA time zone, such as America/New_York',
  parse: (text) => (ZONE_FORM.test(text) ? findTimeZone(text) : undefined),
}

/** Every parameter of the facets. */
export const FACET_PARAMETERS: ParameterTable<FacetDraft> = {
  ...FILTER_PARAMETERS,
  timeZone: parameter({
    description: 'Whose days the slots are counted by: an IANA time zone.',
    kind: TIME_ZONE,
    examples: ['America/New_York'],
    put: (draft, value) => {
      draft.timeZone = value
    },
  }),
}

const UTC = new TimeZone('UTC')

function read({ search, nowMs }: Asked, { index }: ApiContext): Answer {
  const query = parseFilters(search, FACET_PARAMETERS, { status: 'free', timeZone: UTC })
  const facets = index.counts(nowMs).facets(query, (ms) => {
    const [{ date }, next] = query.timeZone.daysFrom(ms, 2)
    return { date, endMs: next.startMs }
  })
  return { body: Buffer.from(JSON.stringify(facets)), headers: [] }
}
