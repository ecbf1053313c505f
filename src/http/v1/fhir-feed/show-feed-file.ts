import { clip, parseParameters } from '../../../slot/query-parameter.ts'
import { formatRevision } from '../../../slot/revision.ts'
import type { ApiContext, RequestContext } from '../../api-context.ts'
import { runFairly } from '../../fair-queue.ts'
import { FHIR_JSON_TYPE } from '../../fhir-outcome.ts'
import { readerOf } from '../../key-networks.ts'
import { Problem } from '../../problem.ts'
import { reportError } from '../../send-error.ts'
import { requireRoom } from '../export-slots/export-slots.ts'
import type { Operation, Streamer } from '../operation.ts'
import { FEED_PATH, type FeedAccess, type FeedReader, keyedAccess } from './feed-access.ts'
import { type FileAt, formatFileName, parseFileName } from './feed-file.ts'
import { FEED_FILE_CONTENT, FEED_FILE_PARAMETERS, FEED_MEDIA_TYPES } from './feed-formats.ts'
import { respondWithFile } from './immutable-file.ts'
import { MANIFEST_NAME } from './manifest-parts.ts'
import { RangeChunks } from './range-chunks.ts'
import { urlOf } from './show-manifest.ts'

/** GET /v1/fhir/{file}: a file of the feed at the revision in its name. */
export const showFeedFile: Operation = {
  path: `${FEED_PATH}{file}`,
  id: 'showFeedFile',
  summary: 'Read a file of the feed',
  description:
    'Returns a file that the manifest lists: the slots of one state, or the resources of one type that slots refer to, as FHIR R4 resources, one per line. Its content never changes. One range of bytes of a file of slots can be requested.',
  pathParameter: {
    name: 'file',
    description: 'The file name in the manifest.',
    schema: { type: 'string', pattern: '^[A-Za-z]+(-[A-Z]{2}(-[A-Z0-9]{1,3})?)?~[0-9a-z.]+~[0-9a-z]+\\.ndjson$' },
    example: 'Slot-MA~7x2k9v0a.1c~k3x0.ndjson',
  },
  parameters: FEED_FILE_PARAMETERS,
  content: FEED_FILE_CONTENT,
  alsoAccepts: [FHIR_JSON_TYPE],
  headers: ['ETag', 'Cache-Control', 'Vary', 'Slots-Revision', 'Accept-Ranges'],
  redirect: {
    status: 307,
    description: 'This version of the file is no longer available. `Location` is the URL of the current version.',
  },
  problems: ['invalid-parameter', 'not-found', 'gone', 'range-not-satisfiable', 'too-many-exports'],
  streams: Object.fromEntries(FEED_MEDIA_TYPES.map((type) => [type, sendAs(type)])),
}

function sendAs(type: string): Streamer {
  return (request, context, api) => {
    parseParameters(request.search, FEED_FILE_PARAMETERS, {})
    const { name, nowMs, key } = request
    const reader = { ...readerOf(key, context.request, api), caller: key }
    sendFeedFile({ name, nowMs, type, reader, access: keyedAccess(api.exports) }, context, api)
  }
}

interface FeedFileRequest {
  readonly name: string
  readonly type: string
  readonly nowMs: number
  readonly reader: FeedReader
  readonly access: FeedAccess
}

/** A file that is no longer kept is answered with 307 to its current version, and with 410 if there is none or its range is wanted. */
export function sendFeedFile(request: FeedFileRequest, context: RequestContext, api: ApiContext): void {
  const { name, type, reader, access } = request
  const at = parseFileName(name)
  if (at === undefined) throw notFound(request, api)
  const version = api.feedVersions.find(at)
  const size = version?.sizeOf(at)
  if (version === undefined || size === undefined) {
    redirect(at, request, { context, api })
    return
  }
  version.touch()
  const etag = `"${formatFileName(at)}"`
  const isUnordered = at.file.type !== 'Slot'
  const { cacheability } = access
  const more = ['Slots-Revision', formatRevision(at.revision)]
  const sent = respondWithFile(context, { etag, isUnordered, bytes: size.bytes, type, cacheability, more })
  if (sent === undefined) return
  const { status, headers, range, coding } = sent
  requireRoom(context, reader, access)
  runFairly(context, api, { caller: reader.caller, steps: version.open(at.file) }, (chunks) => {
    if (chunks === undefined) throw gone(request, api)
    try {
      // Others may have begun meanwhile.
      requireRoom(context, reader, access)
    } catch (error) {
      chunks.close()
      throw error
    }
    access.exports.send({
      context,
      key: reader,
      status,
      headers,
      coding,
      chunks: range === undefined ? chunks : new RangeChunks(chunks, range),
      onError: (error) => reportError(error, context, api),
    })
  })
}

/**
 * Other threads and nodes keep other versions, so this one may be asked for a file that it never had. What is read from a newer file is
 * read again with the updates after the manifest. An older file would lack changes that no update repeats.
 */
function redirect(
  at: FileAt,
  request: FeedFileRequest,
  { context, api }: { readonly context: RequestContext; readonly api: ApiContext },
): void {
  const { reader, access, nowMs } = request
  const steps = api.feedVersions.newest(nowMs, at.revision)
  runFairly(context, api, { caller: reader.caller, steps }, (version) => {
    const { store, revision } = version.snapshot.committed
    if (store === at.revision.store && revision < at.revision.revision) throw notYet()
    if (version.has(at)) {
      sendFeedFile(request, context, api)
      return
    }
    const current = version.files.find(at.file)
    // `curl -C -` would append a range of the current version to the beginning of another one.
    const { range, 'if-range': condition } = context.request.headers
    const isUnconditional = range !== undefined && condition === undefined
    if (current === undefined || isUnconditional) throw gone(request, api)
    const headers = { location: urlOf(current, access, api), 'content-length': '0', 'cache-control': 'no-store' }
    context.response.writeHead(307, { ...headers, 'x-request-id': context.requestId }).end()
  })
}

function notYet(): Problem {
  const message = 'This node does not have the file yet. Please try again in a few seconds.'
  return new Problem('not-ready', message, { headers: { 'retry-after': '5' } })
}

function gone({ name, access: { path } }: FeedFileRequest, { baseUrl }: ApiContext): Problem {
  const message = `The feed no longer has the file "${clip(name)}". The manifest lists its current files: ${baseUrl}${path}${MANIFEST_NAME}`
  return new Problem('gone', message)
}

function notFound({ name, access: { path } }: FeedFileRequest, { baseUrl }: ApiContext): Problem {
  const message = `The feed has no file "${clip(name)}". The manifest lists its files: ${baseUrl}${path}${MANIFEST_NAME}`
  return new Problem('not-found', message)
}
