// Hot path
import { type Position, parseCursor } from './cursor.ts'
import { FILTER_PARAMETERS, type FilterDraft, parseFilters } from './filter-parameters.ts'
import { clip, InvalidParameter, type ParameterTable, parameter } from './query-parameter.ts'
import { nameFilters, type SlotFilters } from './slot-filters.ts'
import { form, integer, oneOf } from './value-kind.ts'

/** What a caller asks of the slots: which of them, in what order, and which page. */
export interface SlotQuery extends SlotFilters {
  /** By start, then id; or by distance from `near` (which is there then), start, id. */
  readonly sort: Sort
  /** 1 to 100. */
  readonly limit: number
  /** 0 to 2^53 - 1; 0 with a cursor. */
  readonly offset: number
  /** There if pages follow each other by position instead of by number. */
  readonly cursor?: Cursor
}

export const SORTS = ['start', 'distance'] as const
export type Sort = (typeof SORTS)[number]

/** A page's place in a walk: behind a position, or at the beginning. */
export interface Cursor {
  readonly after?: Position
}

/** Which page of a list is wanted, in the making. */
export interface PageDraft {
  limit: number
  offset: number
  /** It was said, even if it is 0. */
  hasOffset?: boolean
}

type Draft = FilterDraft & PageDraft & { sort: Sort; cursor?: Cursor; cursorText?: string }

const LIMIT_MAX = 100
const LIMIT_DEFAULT = 25

/** Which page of a list. */
export const PAGE_PARAMETERS: ParameterTable<PageDraft> = {
  limit: parameter({
    description: 'How many there are on a page, at most.',
    kind: integer({ min: 1, max: LIMIT_MAX }),
    examples: ['100'],
    fallback: LIMIT_DEFAULT,
    put: (draft, value) => {
      draft.limit = value
    },
  }),
  offset: parameter({
    description: 'How many to leave out ahead of the page. Past the end, the page is empty.',
    kind: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    examples: ['25'],
    fallback: 0,
    put: (draft, value) => {
      draft.offset = value
      draft.hasOffset = true
    },
  }),
}

/** Every parameter of the list of slots. */
export const SLOT_PARAMETERS: ParameterTable<Draft> = {
  ...FILTER_PARAMETERS,
  ...PAGE_PARAMETERS,
  cursor: parameter({
    description:
      'Walks through the list by position, so that pages stay put while slots come and go: empty for the first page, then as in the `Link` of the page before. Not together with `offset`.',
    kind: form(/^[A-Za-z0-9_-]{0,200}$/, 'empty, or as it came in the Link of the page before'),
    examples: [''],
    put: (draft, value) => {
      draft.cursorText = value
    },
  }),
  sort: parameter({
    description: 'The order: by start, or, only together with `near`, by distance from it.',
    kind: oneOf(SORTS),
    examples: ['start'],
    fallback: 'start',
    put: (draft, value) => {
      draft.sort = value
    },
  }),
}

/** The page that is meant where nothing is said. */
export const FIRST_PAGE: Readonly<PageDraft> = { limit: LIMIT_DEFAULT, offset: 0 }

/**
 * The query that a URL's search part asks for: what stands after the `?`, percent-encoded.
 * Throws `InvalidParameter` at the first that is wrong.
 */
export function parseSlotQuery(search: string): SlotQuery {
  const draft: Draft = { status: 'free', sort: 'start', limit: LIMIT_DEFAULT, offset: 0 }
  parseFilters(search, SLOT_PARAMETERS, draft)
  if (draft.sort === 'distance' && draft.near === undefined)
    throw new InvalidParameter('sort', 'sort must be start unless near is given: got "distance".')
  if (draft.cursorText !== undefined) draft.cursor = cursorOf(draft, draft.cursorText)
  return draft
}

/** What a cursor belongs to: pages of one walk have the same filters and order, and may differ in their limit. */
export function nameQuestion(query: Pick<SlotQuery, 'sort'> & SlotFilters): string {
  return `${query.sort} ${nameFilters(query)}`
}

function cursorOf(draft: Draft, text: string): Cursor {
  if (draft.hasOffset)
    throw new InvalidParameter('cursor', `cursor must be given without offset: got "${clip(text)}".`)
  return text === '' ? {} : { after: parseCursor(text, nameQuestion(draft)) }
}
