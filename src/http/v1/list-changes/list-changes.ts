import { FILTER_PARAMETERS, type FilterDraft, parseFilters } from '../../../slot/filter-parameters.ts'
import {
  InvalidParameter,
  integer,
  type ParameterTable,
  parameter,
  type ValueKind,
} from '../../../slot/query-parameter.ts'
import { parseRevision, REVISION_FORM, type Revision } from '../../../slot/revision.ts'
import type { SlotFilters } from '../../../slot/slot-filters.ts'
import { EXAMPLE_CHANGES } from '../openapi/examples.ts'
import { jsonContent } from '../openapi/schemas.ts'
import type { Operation } from '../operation.ts'

export const CHANGES_PATH = '/v1/scheduling/changes'

/** The query of a page of changes. */
export interface ChangesQuery extends SlotFilters {
  readonly since: Revision
  /** 1 to 1,000. */
  readonly limit: number
}

interface ChangesDraft extends FilterDraft {
  limit: number
  since?: Revision
}

export const CHANGES_PER_PAGE_MAX = 1000
const LIMIT_DEFAULT = 100

const REVISION: ValueKind<Revision> = {
  schema: { type: 'string', pattern: REVISION_FORM.source },
  allowed: 'a revision from an export of all slots or from the previous page of changes',
  parse: parseRevision,
}

const CHANGES_PARAMETERS: ParameterTable<ChangesDraft> = {
  since: parameter({
    description:
      'Return changes after this revision: the `Slots-Revision` of an export, then the `revision` of the previous page.',
    kind: REVISION,
    examples: ['7x2k9v0a.1c'],
    put: (draft, value) => {
      draft.since = value
    },
  }),
  limit: parameter({
    description: 'Maximum number of changes per page.',
    kind: integer({ min: 1, max: CHANGES_PER_PAGE_MAX }),
    examples: ['1000'],
    fallback: LIMIT_DEFAULT,
    put: (draft, value) => {
      draft.limit = value
    },
  }),
  ...FILTER_PARAMETERS,
}

/** GET /v1/scheduling/changes: the changes after a revision. Served by the dashboard thread: see `ChangesHandler`. */
export const listChanges: Operation = {
  path: CHANGES_PATH,
  id: 'listChanges',
  summary: 'List changes',
  description:
    'Returns one page of the slots that were added, changed or removed after a revision, in commit order. Applying all pages in order to an export keeps a copy equal to the list; slots that have ended are not reported.',
  parameters: CHANGES_PARAMETERS,
  required: ['since'],
  content: jsonContent('ChangePage', EXAMPLE_CHANGES),
  headers: ['ETag', 'Cache-Control', 'Vary', 'Link'],
  problems: ['invalid-parameter', 'gone', 'content-too-large'],
}

/** Parses a query string. Throws `InvalidParameter` for the first invalid parameter. */
export function parseChangesQuery(search: string): ChangesQuery {
  const draft: ChangesDraft = { status: 'free', limit: LIMIT_DEFAULT }
  const { since, ...rest } = parseFilters(search, CHANGES_PARAMETERS, draft)
  if (since === undefined) throw new InvalidParameter('since', `since is required: ${REVISION.allowed}.`)
  return { ...rest, since }
}
