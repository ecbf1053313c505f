import type { IncomingMessage } from 'node:http'
import { FILTER_PARAMETERS, type FilterDraft, parseFilters } from '../../../slot/filter-parameters.ts'
import {
  clip,
  InvalidParameter,
  integer,
  type ParameterTable,
  parameter,
  type ValueKind,
} from '../../../slot/query-parameter.ts'
import { formatRevision, parseRevision, REVISION_FORM, type Revision } from '../../../slot/revision.ts'
import type { SlotFilters } from '../../../slot/slot-filters.ts'
import type { ApiContext, RequestContext } from '../../api-context.ts'
import { EXAMPLE_CHANGES, EXAMPLE_EVENT } from '../openapi/examples.ts'
import { jsonContent } from '../openapi/schemas.ts'
import type { Operation, StreamRequest } from '../operation.ts'
import { withParameter } from '../page-links.ts'
import { EVENT_STREAM_TYPE } from './change-events.ts'

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

/** Each stream may have as many in memory while its client is slow. */
const CHANGES_PER_STREAM_READ = 200

const REVISION: ValueKind<Revision> = {
  schema: { type: 'string', pattern: REVISION_FORM.source },
  allowed: 'a revision from an export of all slots or from the previous page of changes',
  parse: parseRevision,
}

const CHANGES_PARAMETERS: ParameterTable<ChangesDraft> = {
  since: parameter({
    description:
      'Return changes after this revision: the `Slots-Revision` of an export, then the `revision` of the previous page. Required, except for a stream.',
    kind: REVISION,
    examples: ['7x2k9v0a.1c'],
    put: (draft, value) => {
      draft.since = value
    },
  }),
  limit: parameter({
    description: 'Maximum number of changes per page. Has no effect on a stream.',
    kind: integer({ min: 1, max: CHANGES_PER_PAGE_MAX }),
    examples: ['1000'],
    fallback: LIMIT_DEFAULT,
    put: (draft, value) => {
      draft.limit = value
    },
  }),
  ...FILTER_PARAMETERS,
}

/** GET /v1/scheduling/changes: the changes after a revision. Served by the dashboard thread: see `ChangesHandler` and `ChangeStreams`. */
export const listChanges: Operation = {
  path: CHANGES_PATH,
  id: 'listChanges',
  summary: 'List changes',
  description:
    'Returns one page of the slots that were added, changed or removed after a revision, in commit order. Applying all pages in order to an export keeps a copy equal to the list; slots that have ended are not reported. As `text/event-stream`, changes are sent when they are committed, from the revision in `Last-Event-ID` or `since` on, else from now on.',
  parameters: CHANGES_PARAMETERS,
  content: {
    ...jsonContent('ChangePage', EXAMPLE_CHANGES),
    [EVENT_STREAM_TYPE]: {
      schema: { type: 'string', description: 'One event per change, named as it, with the change as JSON.' },
      example: EXAMPLE_EVENT,
    },
  },
  headers: ['ETag', 'Cache-Control', 'Vary', 'Link'],
  optionalHeaders: ['ETag', 'Vary', 'Link'],
  problems: ['invalid-parameter', 'gone', 'too-many-streams'],
  streams: { [EVENT_STREAM_TYPE]: streamChanges },
}

/**
 * Streams from the last event that the client received, else from `since`, else from now on. Throws `InvalidParameter`,
 * `Problem('too-many-streams')` and `Problem('not-ready')`.
 */
function streamChanges({ search, key }: StreamRequest, context: RequestContext, api: ApiContext): void {
  const { since = api.index.committed } = parseDraft(search)
  const from = resumedFrom(context.request) ?? since
  const paged = withParameter(search, { parameter: 'limit', value: String(CHANGES_PER_STREAM_READ) })
  api.changeStreams.open({ key, search: paged, since: formatRevision(from) }, context, api)
}

/** Clients send it when they reconnect (WHATWG HTML, 9.2.4). */
function resumedFrom({ headers }: IncomingMessage): Revision | undefined {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return undefined
  const revision = parseRevision(String(id))
  if (revision !== undefined) return revision
  throw new InvalidParameter(LAST_EVENT_ID, `${LAST_EVENT_ID} must be the id of an event: got "${clip(String(id))}".`)
}

const LAST_EVENT_ID = 'Last-Event-ID'

/** Parses a query string. Throws `InvalidParameter` for the first invalid parameter. */
export function parseChangesQuery(search: string): ChangesQuery {
  const { since, ...rest } = parseDraft(search)
  if (since === undefined) throw new InvalidParameter('since', `since is required: ${REVISION.allowed}.`)
  return { ...rest, since }
}

function parseDraft(search: string): ChangesDraft {
  return parseFilters(search, CHANGES_PARAMETERS, { status: 'free', limit: LIMIT_DEFAULT })
}
