// Hot path
import type { ServerResponse } from 'node:http'
import { isNotModified } from './caching/not-modified.ts'
import { codingFor, compressBody } from './negotiation/compress-body.ts'
import type { ContentCoding } from './negotiation/content-coding.ts'
import type { Exchange } from './request-context.ts'

/** A body of JSON, and what it may be known by. */
export interface JsonBody {
  readonly body: Buffer
  /** Of the body as it is. Without one, none is told. */
  readonly etag?: string
  /** The body as it was compressed before, by coding. */
  coded?: Map<string, Buffer>
}

/** What the form of an answer is chosen by. */
const VARY = 'Accept, Accept-Encoding'

/**
 * Sends a body as its caller takes it: compressed where that is asked for, and not at all where the caller holds it. `headers`: those
 * that depend on neither, names and values by turns; the others are added to them.
 */
export function sendJson({ request, response }: Exchange, answer: JsonBody, headers: string[]): void {
  const { body, etag } = answer
  const coding = codingFor(request, body.length)
  headers.push('Vary', VARY)
  if (etag !== undefined) {
    // A tag stands for the very bytes (RFC 9110, 8.8.3), and each coding has its own.
    const tag = coding === undefined ? etag : `${etag.slice(0, -1)}-${coding}"`
    headers.push('ETag', tag)
    if (isNotModified(request, tag)) {
      response.writeHead(304, headers).end()
      return
    }
  }
  if (coding === undefined) end(response, headers, body)
  else if (request.method === 'HEAD') endHeadCoded(response, headers, coding)
  else endCoded(response, headers, answer, coding)
}

function endCoded(
  response: ServerResponse,
  headers: string[],
  answer: JsonBody,
  coding: ContentCoding,
): void {
  const send = (coded: Buffer) => end(response, [...headers, 'Content-Encoding', coding], coded)
  const known = answer.coded?.get(coding)
  if (known !== undefined) send(known)
  else
    compressBody(answer.body, coding, (coded) => {
      // Where that failed, the body goes out as it is; without the tag, which comes last and is that of other bytes.
      if (coded === undefined)
        end(response, answer.etag === undefined ? headers : headers.slice(0, -2), answer.body)
      else {
        answer.coded ??= new Map()
        answer.coded.set(coding, coded)
        send(coded)
      }
    })
}

function end(response: ServerResponse, headers: string[], body: Buffer): void {
  headers.push('Content-Type', 'application/json', 'Content-Length', String(body.length))
  response.writeHead(200, headers).end(body)
}

/** As GET would be answered, less the length, which only compressing tells (RFC 9110, 8.6). */
function endHeadCoded(response: ServerResponse, headers: string[], coding: ContentCoding): void {
  headers.push('Content-Encoding', coding, 'Content-Type', 'application/json')
  response.writeHead(200, headers).end()
}
