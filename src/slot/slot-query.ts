// Hot path
import { type Position, parseCursor } from './cursor.ts'
import { FILTER_PARAMETERS, type FilterDraft, NO_FILTERS, parseFilters } from './filter-parameters.ts'
import {
  clip,
  form,
  InvalidParameter,
  integer,
  oneOf,
  type ParameterTable,
  parameter,
  type QueryParameter,
} from './query-parameter.ts'
import { nameFilters, type SlotFilters } from './slot-filters.ts'

/** A query for one page of slots. */
export interface SlotQuery extends SlotFilters {
  /** By start, then id; or by distance from `near` (which is present then), start, id. */
  readonly sort: Sort
  /** 1 to 100. */
  readonly limit: number
  /** 0 to 2^53 - 1; 0 with a cursor. */
  readonly offset: number
  /** Present for keyset pagination. */
  readonly cursor?: Cursor | undefined
}

const SORTS = ['start', 'distance'] as const
export type Sort = (typeof SORTS)[number]

/** Keyset pagination: the page after a position, or the first page. */
export interface Cursor {
  readonly after?: Position
}

/** The page of a query that is being parsed. */
export interface PageDraft {
  limit: number
  offset: number
  /** The caller sent `offset`. */
  hasOffset: boolean
}

type Draft = FilterDraft & PageDraft & { sort: Sort; cursor?: Cursor | undefined; cursorText: string | undefined }

/** Items on a page of slots, actors and the like. */
export const SLOTS_PER_PAGE_MAX = 100
const LIMIT_DEFAULT = 25

/** The paging parameters. `limit` and `offset` are validated here. */
export const PAGE_PARAMETERS: ParameterTable<PageDraft> = {
  limit: parameter({
    description: 'Maximum number of items per page.',
    kind: integer({ min: 1, max: SLOTS_PER_PAGE_MAX }),
    examples: ['100'],
    fallback: LIMIT_DEFAULT,
    put: (draft, value) => {
      draft.limit = value
    },
  }),
  offset: parameter({
    description: 'Number of items to skip. Past the end, the page is empty.',
    kind: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    examples: ['25'],
    fallback: 0,
    put: (draft, value) => {
      draft.offset = value
      draft.hasOffset = true
    },
  }),
}

/** The parameters of the list of slots. */
export const SLOT_PARAMETERS: ParameterTable<Draft> = {
  ...FILTER_PARAMETERS,
  ...PAGE_PARAMETERS,
  cursor: parameter({
    description:
      'Keyset pagination, which is stable while slots are added and removed: empty for the first page, then the value in the `Link` header of the previous page. Cannot be combined with `offset`.',
    kind: form(/^[A-Za-z0-9_-]{0,200}$/, 'empty or the value in the Link header of the previous page'),
    examples: [''],
    put: (draft, value) => {
      draft.cursorText = value
    },
  }),
  sort: sortParameter('Order of the slots: by start, or by distance from `near`, which is then required.'),
}

/** The default page. */
export const FIRST_PAGE: Readonly<PageDraft> = { limit: LIMIT_DEFAULT, offset: 0, hasOffset: false }

/** A draft before any parameter, with every field: see `NO_FILTERS`. */
const NO_PARAMETERS: Readonly<Draft> = {
  ...NO_FILTERS,
  ...FIRST_PAGE,
  sort: 'start',
  cursor: undefined,
  cursorText: undefined,
}

/** Parses a query string (without `?`, percent-encoded). Throws `InvalidParameter` for the first invalid parameter. */
export function parseSlotQuery(search: string): SlotQuery {
  const draft: Draft = { ...NO_PARAMETERS }
  parseFilters(search, SLOT_PARAMETERS, draft)
  requireSortable(draft)
  if (draft.cursorText !== undefined) draft.cursor = cursorOf(draft, draft.cursorText)
  return draft
}

/** The parameter `sort` of a list. */
export function sortParameter<Draft extends { sort: Sort }>(description: string): QueryParameter<Draft> {
  return parameter({
    description,
    kind: oneOf(SORTS),
    examples: ['start'],
    fallback: 'start',
    put: (draft, value) => {
      draft.sort = value
    },
  })
}

/** Throws `InvalidParameter` for `sort=distance` without `near`. */
export function requireSortable({ sort, near }: Pick<SlotQuery, 'sort' | 'near'>): void {
  if (sort === 'distance' && near === undefined)
    throw new InvalidParameter('sort', 'sort=distance requires near: got "distance".')
}

/** Identifies the lists that share cursors: same filters and order; the limit may differ. */
export function cursorScope(query: Pick<SlotQuery, 'sort'> & SlotFilters): string {
  return `${query.sort} ${nameFilters(query)}`
}

function cursorOf(draft: Draft, text: string): Cursor {
  if (draft.hasOffset)
    throw new InvalidParameter('cursor', `cursor cannot be combined with offset: got "${clip(text)}".`)
  return text === '' ? {} : { after: parseCursor(text, cursorScope(draft)) }
}
