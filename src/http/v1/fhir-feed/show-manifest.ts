import { parseParameters } from '../../../slot/query-parameter.ts'
import { formatRevision } from '../../../slot/revision.ts'
import type { ApiContext } from '../../api-context.ts'
import { EXAMPLE_MANIFEST } from '../openapi/examples.ts'
import { reference } from '../openapi/schemas.ts'
import {
  INDEX_HEADERS,
  type IndexOperation,
  jsonContent,
  type OperationDocs,
  type OperationRequest,
  type OperationResponse,
} from '../operation.ts'
import { type FileAt, formatFileName } from './feed-file.ts'

export const FEED_PATH = '/v1/fhir/'

const docs: OperationDocs = {
  id: 'showManifest',
  summary: 'Show the manifest of the feed',
  description:
    'Returns the manifest of all slots as a SMART Scheduling Links feed (HL7, STU1). Its files belong to one snapshot; read them one after the other.',
  parameters: {},
  content: jsonContent(reference('Manifest'), EXAMPLE_MANIFEST),
  headers: [...INDEX_HEADERS, 'Slots-Revision'],
  problems: ['invalid-parameter'],
}

/** GET /v1/fhir/$bulk-publish: the manifest of all slots as a SMART Scheduling Links feed. */
export const showManifest: IndexOperation = {
  path: `${FEED_PATH}$bulk-publish`,
  handler: 'index',
  docs,
  read,
  isTimely: true,
}

/** The URL of a file of the feed. */
export function urlOf(at: FileAt, { baseUrl }: Pick<ApiContext, 'baseUrl'>): string {
  return `${baseUrl}${FEED_PATH}${formatFileName(at)}`
}

function read({ search, nowMs }: OperationRequest, api: ApiContext): OperationResponse {
  parseParameters(search, {}, {})
  const version = api.feedVersions.newest(nowMs)
  const manifest = {
    transactionTime: new Date(version.createdAtMs).toISOString(),
    request: api.baseUrl + showManifest.path,
    requiresAccessToken: true,
    outputFormat: 'application/fhir+ndjson',
    output: version.files.map((at) => {
      const output = { type: at.file.type, url: urlOf(at, api) }
      const states = at.file.type === 'Slot' ? (version.states.get(at.file.state) ?? []) : []
      return states.length === 0 ? output : { ...output, extension: { state: states } }
    }),
    error: [],
  }
  const headers = ['Slots-Revision', formatRevision(version.snapshot.committed)]
  return { body: Buffer.from(JSON.stringify(manifest)), headers }
}
