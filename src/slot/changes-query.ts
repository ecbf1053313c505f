import { FILTER_PARAMETERS, type FilterDraft, parseFilters } from './filter-parameters.ts'
import { InvalidParameter, type ParameterTable, parameter } from './query-parameter.ts'
import { parseRevision, REVISION_FORM, type Revision } from './revision.ts'
import type { SlotFilters } from './slot-filters.ts'
import { integer, type ValueKind } from './value-kind.ts'

/** What a caller asks of the changes: from where on, how many at once, and of which slots. */
export interface ChangesQuery extends SlotFilters {
  readonly since: Revision
  /** 1 to 1,000. */
  readonly limit: number
}

interface ChangesDraft extends FilterDraft {
  limit: number
  since?: Revision
}

const LIMIT_MAX = 1000
const LIMIT_DEFAULT = 100

const REVISION: ValueKind<Revision> = {
  schema: { type: 'string', pattern: REVISION_FORM.source },
  allowed: 'a revision as it came: with an export of all slots, or on the page of changes before',
  parse: parseRevision,
}

/** Every parameter of the list of changes; `since` is required. */
export const CHANGES_PARAMETERS: ParameterTable<ChangesDraft> = {
  since: parameter({
    description:
      'The revision from which to go on: the `Slots-Revision` of an export, then the `revision` of the page of changes before.',
    kind: REVISION,
    examples: ['7x2k9v0a.1c'],
    put: (draft, value) => {
      draft.since = value
    },
  }),
  limit: parameter({
    description: 'How many changes there are on a page, at most.',
    kind: integer({ min: 1, max: LIMIT_MAX }),
    examples: ['1000'],
    fallback: LIMIT_DEFAULT,
    put: (draft, value) => {
      draft.limit = value
    },
  }),
  ...FILTER_PARAMETERS,
}

/** The query that a URL's search part asks for. Throws `InvalidParameter` at the first that is wrong. */
export function parseChangesQuery(search: string): ChangesQuery {
  const draft: ChangesDraft = { status: 'free', limit: LIMIT_DEFAULT }
  const { since, ...rest } = parseFilters(search, CHANGES_PARAMETERS, draft)
  if (since === undefined)
    throw new InvalidParameter('since', `since must be ${REVISION.allowed}: got nothing.`)
  return { ...rest, since }
}
