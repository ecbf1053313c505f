import { EXAMPLE_CHANGES } from '../openapi/examples.ts'
import { jsonContent } from '../openapi/schemas.ts'
import type { Operation } from '../operation.ts'
import { CHANGES_PARAMETERS } from './changes-query.ts'

export const CHANGES_PATH = '/v1/scheduling/changes'

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
