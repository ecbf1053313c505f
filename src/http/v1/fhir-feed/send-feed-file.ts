import { clip, parseParameters } from '../../../slot/query-parameter.ts'
import { formatRevision } from '../../../slot/revision.ts'
import { readPartition } from '../../../slot-index/primary-partition.ts'
import type { ApiContext } from '../../api-context.ts'
import { isNotModified } from '../../caching/not-modified.ts'
import { chooseCoding } from '../../negotiation/content-coding.ts'
import { Problem } from '../../problem.ts'
import type { Exchange } from '../../request-context.ts'
import type { Pieces } from '../export-slots/chunks.ts'
import { tellFault } from '../export-slots/report-error.ts'
import type { AskedBy, Operation, Stream } from '../operation.ts'
import { DirectoryLines } from './directory-lines.ts'
import { type FeedFile, type FileAt, formatFileName, parseFileName } from './feed-file.ts'
import { FeedOrigin } from './feed-origin.ts'
import { FeedSlotLines } from './feed-slot-lines.ts'
import type { Edition } from './feed-versions.ts'
import { FEED_PATH, showManifest, urlOf } from './show-manifest.ts'

/** GET /v1/fhir/{file}: a file of the feed, as of the revision that its name says. */
export const sendFeedFile: Operation = {
  path: `${FEED_PATH}{file}`,
  // The first is right; callers of other generations ask for the others.
  streams: Object.fromEntries(
    ['application/fhir+ndjson', 'application/x-ndjson', 'application/ndjson'].map((type) => [
      type,
      sendAs(type),
    ]),
  ),
}

/**
 * A file that is not held any more as it was is answered with 307, to what it is now: its lines refer to the others by their
 * content, so nothing is joined wrongly, and what cannot be joined is left out until the next manifest.
 */
function sendAs(type: string): Stream {
  return (asked, exchange, api) => {
    parseParameters(asked.search, {}, {})
    const at = parseFileName(asked.name)
    if (at === undefined) throw notFound(asked.name, api)
    const edition = api.editions.find(at)
    if (edition === undefined) redirect(at.file, { asked, exchange, api })
    else sendFrom(edition, at, { asked, exchange, api, type })
  }
}

interface Request {
  readonly asked: AskedBy
  readonly exchange: Exchange
  readonly api: ApiContext
}

function redirect(file: FeedFile, { asked, exchange, api }: Request): void {
  const edition = api.editions.newest(asked.nowMs)
  const now = edition.current(file)
  if (!edition.has(now)) throw notFound(asked.name, api)
  exchange.response
    .writeHead(307, {
      location: urlOf(now, api),
      'content-length': '0',
      'cache-control': 'no-store',
      'x-request-id': exchange.requestId,
    })
    .end()
}

function sendFrom(
  edition: Edition,
  at: FileAt,
  { asked, exchange, api, type }: Request & { readonly type: string },
): void {
  const { request, response, requestId } = exchange
  const etag = `"${formatFileName(at)}"`
  const coding = chooseCoding(request.headers['accept-encoding'])
  const headers = [
    'ETag',
    // A directory file may have more in it than it needs, so its bytes are not the same everywhere.
    `W/${etag}`,
    'Cache-Control',
    'private, no-cache',
    'Vary',
    'Accept, Accept-Encoding',
    'Slots-Revision',
    formatRevision(at.revision),
    'X-Request-Id',
    requestId,
  ]
  edition.touch()
  if (isNotModified(request, etag)) {
    response.writeHead(304, headers).end()
    return
  }
  headers.push('Content-Type', type)
  if (coding !== undefined) headers.push('Content-Encoding', coding)
  if (request.method === 'HEAD') {
    response.writeHead(200, headers).end()
    return
  }
  api.exports.requireRoom(asked.key)
  const pieces = piecesOf(edition, at.file, new FeedOrigin(api.baseUrl, api.sources))
  api.exports.send({ exchange, key: asked.key, headers, coding, pieces, onFault: tellFault(exchange, api) })
}

function piecesOf(edition: Edition, file: FeedFile, origin: FeedOrigin): Pieces {
  const snapshot = edition.read()
  return file.type === 'Slot'
    ? new FeedSlotLines(readPartition(snapshot, file.state), origin)
    : new DirectoryLines(snapshot, file.type, origin)
}

function notFound(name: string, { baseUrl }: ApiContext): Problem {
  const message = `There is no file "${clip(name)}" in the feed, or not any more. What there is, its manifest says: ${baseUrl}${showManifest.path}`
  return new Problem('not-found', message)
}
