// Hot path
import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import type { RequestContext } from './api-context.ts'
import { type ContentCoding, chooseCoding, isNotModified, refusesIdentity } from './negotiation.ts'
import { endWithBatch } from './request-batches.ts'

/** A JSON body with its ETag. */
export interface JsonBody {
  readonly body: Buffer
  /** Of the uncompressed body; absent if the response has none. */
  readonly etag?: string
  /** Compressed copies of the body, by coding. */
  coded?: Map<string, Buffer>
}

type Done = (error: Error | null, coded: Buffer) => void

/** Compresses a body that is sent once or kept, in threads of the libuv pool. */
export const compress: Readonly<Record<ContentCoding, (body: Buffer, done: Done) => void>> = {
  zstd: (body, done) => zstdCompress(body, { params: { [constants.ZSTD_c_compressionLevel]: 3 } }, done),
  br: (body, done) => brotliCompress(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, done),
  gzip: (body, done) => gzip(body, { level: 4 }, done),
}

/** A smaller body fits into one packet uncompressed. */
const CODED_BYTES_MIN = 1024

const VARY = 'Accept, Accept-Encoding'

/**
 * Sends a JSON body: compressed if `Accept-Encoding` asks for it, 304 if `If-None-Match` matches. `headers`: names and values
 * alternating, without those that depend on either; the array is extended.
 */
export function sendJson({ request, response }: RequestContext, json: JsonBody, headers: string[]): void {
  const { body, etag } = json
  const coding = codingFor(request, body.length)
  headers.push('Vary', VARY)
  if (etag !== undefined) {
    // A strong ETag identifies the exact bytes (RFC 9110, 8.8.3), so each coding has its own.
    const tag = coding === undefined ? etag : `${etag.slice(0, -1)}-${coding}"`
    headers.push('ETag', tag)
    if (isNotModified(request, tag)) {
      response.writeHead(304, headers).end()
      return
    }
  }
  if (coding === undefined) end(response, headers, body)
  else if (request.method === 'HEAD') endCodedHead(response, headers, coding)
  else endCoded(response, headers, json, coding)
}

/** Small bodies are sent uncompressed unless identity is refused. */
function codingFor({ headers }: IncomingMessage, bodyBytes: number): ContentCoding | undefined {
  const accepted = headers['accept-encoding']
  if (accepted === undefined || (bodyBytes < CODED_BYTES_MIN && !refusesIdentity(accepted))) return undefined
  return chooseCoding(accepted)
}

function endCoded(response: ServerResponse, headers: string[], json: JsonBody, coding: ContentCoding): void {
  const send = (coded: Buffer) => end(response, [...headers, 'Content-Encoding', coding], coded)
  const cached = json.coded?.get(coding)
  if (cached !== undefined) send(cached)
  else
    compress[coding](json.body, (error, coded) => {
      // Without compression the ETag, which is the last header, would identify other bytes.
      if (error !== null) end(response, json.etag === undefined ? headers : headers.slice(0, -2), json.body)
      else {
        json.coded ??= new Map()
        json.coded.set(coding, coded)
        send(coded)
      }
    })
}

function end(response: ServerResponse, headers: string[], body: Buffer): void {
  headers.push('Content-Type', 'application/json', 'Content-Length', String(body.length))
  endWithBatch(response.writeHead(200, headers), body)
}

/** The headers of GET without the length, which is unknown before compression (RFC 9110, 8.6). */
function endCodedHead(response: ServerResponse, headers: string[], coding: ContentCoding): void {
  headers.push('Content-Encoding', coding, 'Content-Type', 'application/json')
  response.writeHead(200, headers).end()
}
