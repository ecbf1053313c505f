import { clip, parseParameters } from '../../../slot/query-parameter.ts'
import { formatRevision } from '../../../slot/revision.ts'
import { readPartition } from '../../../slot-index/primary-partition.ts'
import type { ApiContext, RequestContext } from '../../api-context.ts'
import { chooseCoding, isNotModified } from '../../negotiation.ts'
import { Problem } from '../../problem.ts'
import { REVALIDATE } from '../../response-cache.ts'
import { reportError } from '../../send-error.ts'
import type { ChunkSource } from '../export-slots/snapshot-chunks.ts'
import { EXAMPLE_FEED_LINE } from '../openapi/examples.ts'
import type { Operation, Streamer, StreamRequest } from '../operation.ts'
import { FeedDirectoryLines } from './feed-directory-lines.ts'
import { type FeedFile, type FileAt, formatFileName, parseFileName } from './feed-file.ts'
import { FeedSlotLines } from './feed-slot-lines.ts'
import type { FeedVersion } from './feed-versions.ts'
import { FeedProvenance } from './offering-resources.ts'
import { FEED_PATH, showManifest, urlOf } from './show-manifest.ts'

/** The first is the standard's; clients of older versions request the others. */
const MEDIA_TYPES = ['application/fhir+ndjson', 'application/x-ndjson', 'application/ndjson']

/** GET /v1/fhir/{file}: a file of the feed at the revision in its name. */
export const showFeedFile: Operation = {
  path: `${FEED_PATH}{file}`,
  id: 'showFeedFile',
  summary: 'Read a file of the feed',
  description:
    'Returns a file that the manifest lists: the slots of one state, or the resources of one type that slots refer to, as FHIR R4 resources, one per line.',
  pathParameter: {
    name: 'file',
    description: 'The file name in the manifest.',
    schema: { type: 'string', pattern: '^[A-Za-z]+(-[A-Z]{2})?~[0-9a-z.]+\\.ndjson$' },
    example: 'Slot-MA~7x2k9v0a.1c.ndjson',
  },
  parameters: {},
  content: Object.fromEntries(
    MEDIA_TYPES.map((type) => [
      type,
      { schema: { type: 'string', description: 'One resource per line.' }, example: EXAMPLE_FEED_LINE },
    ]),
  ),
  headers: ['ETag', 'Cache-Control', 'Vary', 'Slots-Revision'],
  redirect: 'This version of the file is no longer available. `Location` is the URL of the current version.',
  problems: ['invalid-parameter', 'not-found', 'too-many-exports'],
  streams: Object.fromEntries(MEDIA_TYPES.map((type) => [type, sendAs(type)])),
}

/**
 * A version that is no longer kept is answered with 307 to the current one. References are hashes of the content, so lines of different
 * versions never refer to a wrong resource; what is missing comes with the next manifest.
 */
function sendAs(type: string): Streamer {
  return (request, context, api) => {
    parseParameters(request.search, {}, {})
    const at = parseFileName(request.name)
    if (at === undefined) throw notFound(request.name, api)
    const version = api.feedVersions.find(at)
    if (version === undefined) redirect(at.file, { request, context, api })
    else sendFile(version, at, { request, context, api, type })
  }
}

interface FileRequest {
  readonly request: StreamRequest
  readonly context: RequestContext
  readonly api: ApiContext
}

function redirect(file: FeedFile, { request, context, api }: FileRequest): void {
  const version = api.feedVersions.newest(request.nowMs)
  const current = version.current(file)
  if (!version.has(current)) throw notFound(request.name, api)
  context.response
    .writeHead(307, {
      location: urlOf(current, api),
      'content-length': '0',
      'cache-control': 'no-store',
      'x-request-id': context.requestId,
    })
    .end()
}

function sendFile(
  version: FeedVersion,
  at: FileAt,
  { request: { key }, context, api, type }: FileRequest & { readonly type: string },
): void {
  const { request, response, requestId } = context
  const etag = `"${formatFileName(at)}"`
  const headers = [
    'ETag',
    // Weak, because a directory file may contain extra resources on some nodes.
    `W/${etag}`,
    'Cache-Control',
    REVALIDATE,
    'Vary',
    'Accept, Accept-Encoding',
    'Slots-Revision',
    formatRevision(at.revision),
    'X-Request-Id',
    requestId,
  ]
  version.touch()
  if (isNotModified(request, etag)) {
    response.writeHead(304, headers).end()
    return
  }
  if (request.method !== 'HEAD') api.exports.requireRoom(key)
  api.exports.send({
    context,
    key,
    headers: [...headers, 'Content-Type', type],
    coding: chooseCoding(request.headers['accept-encoding']),
    chunks: chunksOf(version, at.file, new FeedProvenance(api.baseUrl, api.sources)),
    onError: (error) => reportError(error, context, api),
  })
}

function chunksOf(version: FeedVersion, file: FeedFile, origin: FeedProvenance): ChunkSource {
  const snapshot = version.read()
  return file.type === 'Slot'
    ? new FeedSlotLines(readPartition(snapshot, file.state), origin)
    : new FeedDirectoryLines(snapshot, file.type, origin)
}

function notFound(name: string, { baseUrl }: ApiContext): Problem {
  const message = `The feed has no file "${clip(name)}", or no longer has it. The manifest lists its files: ${baseUrl}${showManifest.path}`
  return new Problem('not-found', message)
}
