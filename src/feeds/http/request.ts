import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions as NodeRequestOptions,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import { truncate } from '../../lib/text.ts'
import { FeedFailure } from '../connector.ts'

/** How much time and space a publisher may take for one file. */
export interface HttpLimits {
  /** Until a connection is established, name resolution and TLS included. */
  readonly connectMs: number
  /** Between two chunks of a response. */
  readonly idleMs: number
  /** For all chunks of a response together, without our own processing between them. */
  readonly wholeMs: number
  /** Before decompression. */
  readonly wireBytesMax: number
  /** After decompression. */
  readonly bodyBytesMax: number
  readonly redirectsMax: number
}

/**
 * Generous to a slow honest publisher: a file of 4,000,000 slots is about 2 GiB, and 40 MB compressed take ten minutes at
 * 64 kB/s. Anything beyond would block a sync.
 */
export const HTTP_LIMITS: HttpLimits = {
  connectMs: 10_000,
  idleMs: 30_000,
  wholeMs: 600_000,
  wireBytesMax: 2 ** 31,
  bodyBytesMax: 2 ** 32,
  redirectsMax: 5,
}

/** A publisher did not connect or respond in time. */
export class ResponseTimeout extends Error {
  override readonly name = 'ResponseTimeout'
}

/** A publisher responded with another status than 200. */
export class HttpStatusError extends Error {
  override readonly name = 'HttpStatusError'
  readonly status: number
  readonly retryAfterMs: number | undefined

  /** `detail`: the explanation in the response, of any length. */
  constructor(status: number, detail: string | undefined, retryAfterMs: number | undefined) {
    super(`status must be 200: got "${status}"${detail === undefined ? '' : ` (${truncate(detail, 300)})`}`)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** The status that made a read fail; undefined if it failed for another reason. */
export function httpStatusOf(error: unknown): number | undefined {
  return error instanceof FeedFailure && error.cause instanceof HttpStatusError ? error.cause.status : undefined
}

/** A request: a GET unless `method` is given. */
export interface OutgoingRequest extends NodeRequestOptions {
  readonly body?: string
}

/**
 * Sends a request and resolves with the head of the response. Rejects if there is no connection within `connectMs`, or no
 * head `idleMs` after that.
 */
export async function sendHttpRequest(
  url: URL,
  options: OutgoingRequest,
  limits: HttpLimits,
): Promise<IncomingMessage> {
  for (;;) {
    try {
      return await send(url, options, limits)
    } catch (error) {
      // The publisher may close kept connections at the moment of the request; it has then not seen it (RFC 9112, 9.3.1).
      if (!(error instanceof StaleConnection)) throw error
    }
  }
}

/** A kept connection was closed. Each one is tried once, so that the next attempt ends with another or with a new one. */
class StaleConnection extends Error {}

function send(url: URL, { body, ...options }: OutgoingRequest, limits: HttpLimits): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options)
    const stopTimers = startTimers(request, limits)
    request.on('response', (response) => {
      stopTimers()
      resolve(response)
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      stopTimers()
      reject(request.reusedSocket && error.code === 'ECONNRESET' ? new StaleConnection() : error)
    })
    // The only event after a response that switches protocols (101).
    request.on('close', () => {
      stopTimers()
      reject(Object.assign(new Error('the connection closed without a response'), { code: 'ECONNRESET' }))
    })
    request.end(body)
  })
}

function startTimers(request: ClientRequest, limits: HttpLimits): () => void {
  const fail = (what: string, ms: number) =>
    request.destroy(new ResponseTimeout(`no ${what} within ${ms} ms: the publisher is slow or unreachable`))
  let timer = setTimeout(fail, limits.connectMs, 'connection', limits.connectMs)
  const connected = () => {
    clearTimeout(timer)
    timer = setTimeout(fail, limits.idleMs, 'response', limits.idleMs)
  }
  request.on('socket', (socket) => {
    if (!socket.connecting) connected()
    else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', connected)
  })
  return () => clearTimeout(timer)
}
