import type { RequestContext } from '../../api-context.ts'
import { type ByteRange, rangeOf } from '../../byte-range.ts'
import { type ContentCoding, chooseCoding, etagOfCoding, isNotModified } from '../../negotiation.ts'
import type { FeedAccess } from './feed-access.ts'

/** A file whose content never changes. */
interface ImmutableFile {
  /** Strong, and of this content only. */
  readonly etag: string
  /** Other nodes, or this one after a restart, may write the same lines in another order: ranges of both do not fit together. */
  readonly isUnordered?: boolean
  /** Without compression. */
  readonly bytes: number
  readonly type: string
  readonly cacheability: FeedAccess['cacheability']
  /** Those that it can be sent in; all by default. */
  readonly codings?: readonly ContentCoding[]
  /** Further headers: names and values alternating. */
  readonly more?: readonly string[]
}

/** The response for a file: all of it, a range, or a compressed copy. */
interface FileResponse {
  readonly status: 200 | 206
  /** Names and values alternating, without those of the coding. */
  readonly headers: string[]
  /** Undefined for the whole file, which alone has a coding. */
  readonly range: ByteRange | undefined
  readonly coding: ContentCoding | undefined
}

/**
 * Chooses the response for a file by `Accept-Encoding`, `Range` and `If-Range`. Sends 304 and returns undefined if the caller has it.
 * Throws `Problem('range-not-satisfiable')`.
 */
export function respondWithFile(
  { request, response, requestId }: RequestContext,
  { etag, isUnordered = false, bytes, type, cacheability, codings, more = [] }: ImmutableFile,
): FileResponse | undefined {
  const preferred = chooseCoding(request.headers['accept-encoding'], codings)
  const plainTag = isUnordered ? `W/${etag}` : etag
  const etagOf = (coding?: ContentCoding) => (coding === undefined ? plainTag : etagOfCoding(etag, coding))
  const headers = ['Cache-Control', `${cacheability}, max-age=31536000, immutable`, 'Vary', 'Accept, Accept-Encoding']
  headers.push('Accept-Ranges', isUnordered ? 'none' : 'bytes', 'X-Request-Id', requestId, ...more)
  if (isNotModified(request, etagOf(preferred))) {
    response.writeHead(304, ['ETag', etagOf(preferred), ...headers]).end()
    return undefined
  }
  const range = isUnordered ? undefined : rangeOf(request, etag, bytes)
  const coding = range === undefined ? preferred : undefined
  headers.push('ETag', etagOf(coding), 'Content-Type', type)
  if (range !== undefined) headers.push('Content-Range', `bytes ${range.from}-${range.to - 1}/${bytes}`)
  if (coding === undefined) headers.push('Content-Length', String(range === undefined ? bytes : range.to - range.from))
  return { status: range === undefined ? 200 : 206, headers, range, coding }
}
