import { parseParameters } from '../../../slot/query-parameter.ts'
import { formatRevision } from '../../../slot/revision.ts'
import type { ApiContext } from '../../api-context.ts'
import type { Answer, Asked, Operation } from '../operation.ts'
import { type FileAt, formatFileName } from './feed-file.ts'

export const FEED_PATH = '/v1/fhir/'

/**
 * GET /v1/fhir/$bulk-publish: the manifest of everything that is held, as a SMART Scheduling Links feed. All of its files are
 * of one snapshot.
 */
export const showManifest: Operation = { path: `${FEED_PATH}$bulk-publish`, read, isTimely: true }

/** Where a file of the feed is. */
export function urlOf(at: FileAt, { baseUrl }: Pick<ApiContext, 'baseUrl'>): string {
  return `${baseUrl}${FEED_PATH}${formatFileName(at)}`
}

function read({ search, nowMs }: Asked, api: ApiContext): Answer {
  parseParameters(search, {}, {})
  const edition = api.editions.newest(nowMs)
  const manifest = {
    transactionTime: new Date(edition.createdAtMs).toISOString(),
    request: api.baseUrl + showManifest.path,
    requiresAccessToken: true,
    outputFormat: 'application/fhir+ndjson',
    output: edition.files.map((at) => {
      const output = { type: at.file.type, url: urlOf(at, api) }
      const states = at.file.type === 'Slot' ? (edition.states.get(at.file.state) ?? []) : []
      return states.length === 0 ? output : { ...output, extension: { state: states } }
    }),
    error: [],
  }
  const headers = ['Slots-Revision', formatRevision(edition.snapshot.committed)]
  return { body: Buffer.from(JSON.stringify(manifest)), headers }
}
