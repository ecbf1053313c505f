// Hot path
import { FILTER_PARAMETERS, type FilterDraft, parseFilters } from '../../../slot/filter-parameters.ts'
import { InvalidParameter, type ParameterTable, parameter } from '../../../slot/query-parameter.ts'
import { FIRST_PAGE, PAGE_PARAMETERS, type PageDraft, SORTS, type Sort } from '../../../slot/slot-query.ts'
import { oneOf } from '../../../slot/value-kind.ts'
import type { ActorQuery } from '../../../slot-index/slot-counts.ts'
import type { ApiContext } from '../../api-context.ts'
import type { Answer, Asked, Operation } from '../operation.ts'
import { pageLinks } from '../page-links.ts'

const ACTORS_PATH = '/v1/scheduling/actors'

/** GET /v1/scheduling/actors: one page of the providers and their locations that have slots which match. */
export const listActors: Operation = { path: ACTORS_PATH, read }

/** What actors are asked for, in the making. */
type ActorDraft = FilterDraft & PageDraft & { sort: Sort }

/** Every parameter of the actors. */
export const ACTOR_PARAMETERS: ParameterTable<ActorDraft> = {
  ...FILTER_PARAMETERS,
  ...PAGE_PARAMETERS,
  sort: parameter({
    description:
      'The order: by the start of the next slot, or, only together with `near`, by distance from it.',
    kind: oneOf(SORTS),
    examples: ['start'],
    fallback: 'start',
    put: (draft, value) => {
      draft.sort = value
    },
  }),
}

function read({ search, nowMs }: Asked, { index, baseUrl }: ApiContext): Answer {
  const query = parseActorQuery(search)
  const page = index.counts(nowMs).actors(query)
  return {
    body: Buffer.from(JSON.stringify(page)),
    headers: ['Link', pageLinks(baseUrl + ACTORS_PATH, search, query, page.total)],
  }
}

function parseActorQuery(search: string): ActorQuery {
  const query = parseFilters(search, ACTOR_PARAMETERS, { status: 'free', sort: 'start', ...FIRST_PAGE })
  if (query.sort === 'distance' && query.near === undefined)
    throw new InvalidParameter('sort', 'sort must be start unless near is given: got "distance".')
  return query
}
