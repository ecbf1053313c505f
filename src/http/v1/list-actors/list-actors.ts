import { FILTER_PARAMETERS, type FilterDraft, NO_FILTERS, parseFilters } from '../../../slot/filter-parameters.ts'
import type { ParameterTable } from '../../../slot/query-parameter.ts'
import {
  FIRST_PAGE,
  PAGE_PARAMETERS,
  type PageDraft,
  requireSortable,
  type Sort,
  sortParameter,
} from '../../../slot/slot-query.ts'
import type { ActorQuery } from '../../../slot-index/counts/slot-counts.ts'
import { EXAMPLE_ACTOR } from '../openapi/examples.ts'
import { INDEX_HEADERS } from '../openapi/headers.ts'
import { jsonContent } from '../openapi/schemas.ts'
import type { Operation } from '../operation.ts'
import { pageLinks } from '../page-links.ts'

const ACTORS_PATH = '/v1/scheduling/actors'

type ActorDraft = FilterDraft & PageDraft & { sort: Sort }

export const ACTOR_PARAMETERS: ParameterTable<ActorDraft> = {
  ...FILTER_PARAMETERS,
  ...PAGE_PARAMETERS,
  sort: sortParameter(
    'Order of the actors: by the start of their next slot, or by distance from `near`, which is then required.',
  ),
}

/** GET /v1/scheduling/actors: one page of the providers at their locations that have matching slots. */
export const listActors: Operation = {
  path: ACTORS_PATH,
  id: 'listActors',
  summary: 'List actors',
  description:
    'Returns one page of the providers at their locations that have matching slots, ordered by their first matching slot. Use it for the first screen of a search, before the patient chooses a time; pass `key` as `actorKey` to list the slots.',
  parameters: ACTOR_PARAMETERS,
  content: jsonContent('ActorPage', { actors: [EXAMPLE_ACTOR], total: 1 }),
  headers: [...INDEX_HEADERS, 'Link'],
  problems: ['invalid-parameter', 'queue-full'],
  read({ search }, { index, now, baseUrl }) {
    const query = parseActorQuery(search)
    return index.inSteps(now, function* ({ counts, version }) {
      const page = yield* counts.actors(query)
      return {
        body: Buffer.from(JSON.stringify(page)),
        headers: `Link: ${pageLinks(baseUrl + ACTORS_PATH, search, query, page.total)}\r\n`,
        version,
      }
    })
  },
}

function parseActorQuery(search: string): ActorQuery {
  const query = parseFilters(search, ACTOR_PARAMETERS, { ...NO_FILTERS, ...FIRST_PAGE, sort: 'start' })
  requireSortable(query)
  return query
}
