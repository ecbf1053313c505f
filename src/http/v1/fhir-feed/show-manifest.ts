import { parseParameters } from '../../../slot/query-parameter.ts'
import { formatRevision } from '../../../slot/revision.ts'
import type { ApiContext } from '../../api-context.ts'
import { EXAMPLE_MANIFEST } from '../openapi/examples.ts'
import { INDEX_HEADERS } from '../openapi/headers.ts'
import { jsonContent } from '../openapi/schemas.ts'
import type { Operation } from '../operation.ts'
import { type FileAt, formatFileName } from './feed-file.ts'

export const FEED_PATH = '/v1/fhir/'

/** GET /v1/fhir/$bulk-publish: the manifest of all slots as a SMART Scheduling Links feed. */
export const showManifest: Operation = {
  path: `${FEED_PATH}$bulk-publish`,
  id: 'showManifest',
  summary: 'Show the manifest of the feed',
  description:
    'Returns the manifest of all slots as a SMART Scheduling Links feed (HL7, STU1). Its files belong to one snapshot; read them one after the other.',
  parameters: {},
  content: jsonContent('Manifest', EXAMPLE_MANIFEST),
  headers: [...INDEX_HEADERS, 'Slots-Revision'],
  problems: ['invalid-parameter'],
  isTimely: true,
  read({ search, nowMs }, api) {
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
  },
}

/** The URL of a file of the feed. */
export function urlOf(at: FileAt, { baseUrl }: Pick<ApiContext, 'baseUrl'>): string {
  return `${baseUrl}${FEED_PATH}${formatFileName(at)}`
}
