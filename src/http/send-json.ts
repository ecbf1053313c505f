// Hot path
import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import type { RequestContext } from './api-context.ts'
import { type ContentCoding, chooseCoding, isNotModified, refusesIdentity } from './negotiation.ts'
import { endWithBatch } from './request-batches.ts'
import { addHeaderBlock } from './secure-response.ts'

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

const VARY = 'Vary: Accept, Accept-Encoding\r\n'
const JSON_LINE = 'Content-Type: application/json\r\n'

/**
 * Sends a JSON body: compressed if `Accept-Encoding` asks for it, 304 if `If-None-Match` matches. `headers`: lines, each with its line
 * end, without those that depend on either.
 */
export function sendJson({ request, response }: RequestContext, json: JsonBody, headers: string): void {
  const { body, etag } = json
  const coding = codingFor(request, body.length)
  // A strong ETag identifies the exact bytes (RFC 9110, 8.8.3), so each coding has its own.
  const tag = etag === undefined || coding === undefined ? etag : `${etag.slice(0, -1)}-${coding}"`
  addHeaderBlock(response, headers + VARY)
  if (tag !== undefined && isNotModified(request, tag)) {
    addHeaderBlock(response, etagLine(tag))
    response.writeHead(304).end()
  } else if (coding === undefined) end(response, body, etagLine(tag))
  else if (request.method === 'HEAD') endCodedHead(response, etagLine(tag) + codingLine(coding))
  else endCoded(response, json, { coding, etag: etagLine(tag) })
}

function etagLine(tag: string | undefined): string {
  return tag === undefined ? '' : `ETag: ${tag}\r\n`
}

function codingLine(coding: ContentCoding): string {
  return `Content-Encoding: ${coding}\r\n`
}

/** Small bodies are sent uncompressed unless identity is refused. */
function codingFor({ headers }: IncomingMessage, bodyBytes: number): ContentCoding | undefined {
  const accepted = headers['accept-encoding']
  if (accepted === undefined || (bodyBytes < CODED_BYTES_MIN && !refusesIdentity(accepted))) return undefined
  return chooseCoding(accepted)
}

function endCoded(
  response: ServerResponse,
  json: JsonBody,
  { coding, etag }: { readonly coding: ContentCoding; readonly etag: string },
): void {
  const send = (coded: Buffer) => end(response, coded, etag + codingLine(coding))
  const cached = json.coded?.get(coding)
  if (cached !== undefined) send(cached)
  else
    compress[coding](json.body, (error, coded) => {
      // Without compression the ETag would identify other bytes.
      if (error !== null) end(response, json.body)
      else {
        json.coded ??= new Map()
        json.coded.set(coding, coded)
        send(coded)
      }
    })
}

function end(response: ServerResponse, body: Buffer, headers = ''): void {
  addHeaderBlock(response, headers + JSON_LINE)
  endWithBatch(response.writeHead(200, ['Content-Length', String(body.length)]), body)
}

/** The headers of GET without the length, which is unknown before compression (RFC 9110, 8.6). */
function endCodedHead(response: ServerResponse, headers: string): void {
  addHeaderBlock(response, headers + JSON_LINE)
  response.writeHead(200).end()
}
