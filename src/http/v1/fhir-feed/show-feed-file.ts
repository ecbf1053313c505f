import { clip, parseParameters } from '../../../slot/query-parameter.ts'
import { formatRevision } from '../../../slot/revision.ts'
import type { ApiContext, RequestContext } from '../../api-context.ts'
import { type ByteRange, rangeOf } from '../../byte-range.ts'
import { runFairly } from '../../fair-queue.ts'
import { type ContentCoding, chooseCoding, etagOfCoding, isNotModified } from '../../negotiation.ts'
import { Problem } from '../../problem.ts'
import { reportError } from '../../send-error.ts'
import { requireRoom } from '../export-slots/export-slots.ts'
import { EXAMPLE_FEED_LINE } from '../openapi/examples.ts'
import type { Operation, Streamer } from '../operation.ts'
import { FEED_PATH, type FeedAccess, type FeedReader, keyedAccess } from './feed-access.ts'
import { type FeedFile, FILE_SUFFIX, formatFileName, parseFileName } from './feed-file.ts'
import { MANIFEST_NAME } from './manifest-parts.ts'
import { RangeChunks } from './range-chunks.ts'
import { urlOf } from './show-manifest.ts'

/** The first is the standard's; clients of older versions request the others. */
export const FEED_MEDIA_TYPES = ['application/fhir+ndjson', 'application/x-ndjson', 'application/ndjson']

/** GET /v1/fhir/{file}: a file of the feed at the revision in its name. */
export const showFeedFile: Operation = {
  path: `${FEED_PATH}{file}`,
  id: 'showFeedFile',
  summary: 'Read a file of the feed',
  description:
    'Returns a file that the manifest lists: the slots of one state, or the resources of one type that slots refer to, as FHIR R4 resources, one per line. Its content never changes. One range of bytes can be requested.',
  pathParameter: {
    name: 'file',
    description: 'The file name in the manifest.',
    schema: { type: 'string', pattern: '^[A-Za-z]+(-[A-Z]{2}(-[A-Z0-9]{1,3})?)?~[0-9a-z.]+~[0-9a-z]+\\.ndjson$' },
    example: 'Slot-MA~7x2k9v0a.1c~k3x0.ndjson',
  },
  parameters: {},
  content: Object.fromEntries(
    FEED_MEDIA_TYPES.map((type) => [
      type,
      { schema: { type: 'string', description: 'One resource per line.' }, example: EXAMPLE_FEED_LINE },
    ]),
  ),
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
    parseParameters(request.search, {}, {})
    const { name, nowMs, key } = request
    const reader = { id: key.id, isActive: (nowMs: number) => key.isActive(nowMs), caller: key }
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

/** A file that is no longer kept is answered with 307 to its current version, and with 410 if there is none. */
export function sendFeedFile(asked: FeedFileRequest, context: RequestContext, api: ApiContext): void {
  const { name, type, reader, access } = asked
  const at = parseFileName(name)
  if (at === undefined) throw notFound(asked, api)
  const version = name.endsWith(FILE_SUFFIX) ? api.feedVersions.find(at) : undefined
  const size = version?.sizeOf(at)
  if (version === undefined || size === undefined) {
    redirect(at.file, asked, { context, api })
    return
  }
  version.touch()
  const { request, response, requestId } = context
  const etag = `"${formatFileName(at)}"`
  const preferred = chooseCoding(request.headers['accept-encoding'])
  // Weak, because nodes may write a directory in another order.
  const plainTag = at.file.type === 'Slot' ? etag : `W/${etag}`
  const etagOf = (coded?: ContentCoding) => (coded === undefined ? plainTag : etagOfCoding(etag, coded))
  const headers = [...FILE_HEADERS]
  headers.push('Cache-Control', `${access.cacheability}, max-age=31536000, immutable`)
  headers.push('Slots-Revision', formatRevision(at.revision), 'X-Request-Id', requestId)
  if (isNotModified(request, etagOf(preferred))) {
    response.writeHead(304, ['ETag', etagOf(preferred), ...headers]).end()
    return
  }
  const range = rangeOf(request, etag, size.bytes)
  const coding = range === undefined ? preferred : undefined
  headers.push('ETag', etagOf(coding), 'Content-Type', type, ...lengthHeaders({ range, coding, bytes: size.bytes }))
  requireRoom(context, reader, access)
  runFairly(context, api, { caller: reader.caller, steps: version.open(at.file) }, (chunks) => {
    if (chunks === undefined) throw gone(asked, api)
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
      status: range === undefined ? 200 : 206,
      headers,
      coding,
      chunks: range === undefined ? chunks : new RangeChunks(chunks, range),
      onError: (error) => reportError(error, context, api),
    })
  })
}

/**
 * Other threads and nodes keep other versions, so this one may be asked for a file that it never had. What is read from a newer file is
 * read again with the updates after the manifest.
 */
function redirect(
  file: FeedFile,
  asked: FeedFileRequest,
  { context, api }: { readonly context: RequestContext; readonly api: ApiContext },
): void {
  const { reader, access, nowMs } = asked
  runFairly(context, api, { caller: reader.caller, steps: api.feedVersions.newest(nowMs) }, ({ files }) => {
    const current = files.find(file)
    if (current === undefined) throw gone(asked, api)
    const headers = { location: urlOf(current, access, api), 'content-length': '0', 'cache-control': 'no-store' }
    context.response.writeHead(307, { ...headers, 'x-request-id': context.requestId }).end()
  })
}

const FILE_HEADERS = ['Vary', 'Accept, Accept-Encoding', 'Accept-Ranges', 'bytes']

function lengthHeaders(sent: {
  readonly range: ByteRange | undefined
  readonly coding: ContentCoding | undefined
  readonly bytes: number
}): string[] {
  const { range, coding, bytes } = sent
  if (coding !== undefined) return []
  if (range === undefined) return ['Content-Length', String(bytes)]
  const { from, to } = range
  return ['Content-Range', `bytes ${from}-${to - 1}/${bytes}`, 'Content-Length', String(to - from)]
}

function gone({ name, access: { path } }: FeedFileRequest, { baseUrl }: ApiContext): Problem {
  const message = `The feed no longer has the file "${clip(name)}". The manifest lists its current files: ${baseUrl}${path}${MANIFEST_NAME}`
  return new Problem('gone', message)
}

function notFound({ name, access: { path } }: FeedFileRequest, { baseUrl }: ApiContext): Problem {
  const message = `The feed has no file "${clip(name)}". The manifest lists its files: ${baseUrl}${path}${MANIFEST_NAME}`
  return new Problem('not-found', message)
}
