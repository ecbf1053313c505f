import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { pipeline, type Readable, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { errorCode, truncate } from '../../lib/text.ts'
import { type HttpLimits, ResponseTimeout } from './request.ts'

/** A response is longer than its limit. */
class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge'
}

/**
 * The decoded body of a response, chunk by chunk as they arrive. Throws if it is too slow or too long (before or after
 * decompression), is encoded in another way than gzip, or is truncated.
 */
export async function* decodedBody(response: IncomingMessage, limits: HttpLimits): AsyncGenerator<Buffer> {
  const stream = decoded(response, limits)
  const chunks = stream[Symbol.asyncIterator]()
  const clock = new WaitingClock(stream, limits)
  let bytes = 0
  try {
    for (;;) {
      const next = await clock.during(chunks.next()).catch(rethrowPlainly)
      if (next.done) break
      bytes += next.value.length
      if (bytes > limits.bodyBytesMax)
        throw new ResponseTooLarge(`the body must be at most ${limits.bodyBytesMax} bytes`)
      yield next.value
    }
    if (!response.complete) throw new Error(TRUNCATED)
  } finally {
    response.destroy()
    stream.destroy()
  }
}

const TRUNCATED = 'the body was truncated: the connection closed early'

/** Node says "aborted" if the publisher closes the connection, and its decoder does not say what it reads. */
function rethrowPlainly(cause: unknown): never {
  const code = errorCode(cause) ?? ''
  if (code === 'ECONNRESET') throw new Error(TRUNCATED, { cause })
  if (code.startsWith('Z_') && cause instanceof Error)
    throw new Error(`the body must be gzip data, as its content-encoding says: ${cause.message}`, { cause })
  throw cause
}

/** The body behind a byte counter and, if it is compressed, a decoder. */
function decoded(response: IncomingMessage, limits: HttpLimits): Readable {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const isGzip = encoding === 'gzip' || encoding === 'x-gzip'
  if (!isGzip && encoding !== 'identity' && encoding !== '') {
    throw new Error(`content-encoding must be gzip or identity: got "${truncate(encoding, 50)}"`)
  }
  const counted = pipeline(response, countBytes(limits.wireBytesMax), ignore)
  const last = isGzip ? pipeline(counted, createGunzip({ chunkSize: 65_536 }), ignore) : counted
  // An error between two reads is thrown by the next read; without a listener it would end the process.
  last.on('error', ignore)
  return last
}

/** `pipeline` reports an error by destroying its last stage, too. */
function ignore(): void {}

function countBytes(bytesMax: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > bytesMax) done(new ResponseTooLarge(`the response must be at most ${bytesMax} bytes`))
      else done(null, chunk)
    },
  })
}

/** Measures only the time spent waiting for the publisher, not our own processing between two chunks. */
class WaitingClock {
  readonly #stream: Readable
  readonly #limits: HttpLimits
  #waitedMs = 0

  constructor(stream: Readable, limits: HttpLimits) {
    this.#stream = stream
    this.#limits = limits
  }

  async during<T>(chunk: Promise<T>): Promise<T> {
    const { idleMs, wholeMs } = this.#limits
    const leftMs = wholeMs - this.#waitedMs
    const reason =
      leftMs < idleMs ? `the body took longer than ${wholeMs} ms` : `no data of the body within ${idleMs} ms`
    const fail = () => this.#stream.destroy(new ResponseTimeout(reason))
    const timer = setTimeout(fail, Math.max(0, Math.min(leftMs, idleMs)))
    const since = performance.now()
    try {
      return await chunk
    } finally {
      clearTimeout(timer)
      this.#waitedMs += performance.now() - since
    }
  }
}

/** Validators of a file (RFC 9110, 8.8), sent back unchanged in conditional requests. */
export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
}

/** The validators of a response, without those that cannot be sent back in a header, or would hide a change. */
export function validatorsOf(headers: IncomingHttpHeaders): Validators {
  const { etag, 'last-modified': lastModified, date } = headers
  if (isSendable(etag)) return { etag, ...(isSendable(lastModified) ? { lastModified } : {}) }
  return isSendable(lastModified) && !isOfSameSecond(lastModified, date) ? { lastModified } : {}
}

/** A file that was modified in the second of its response may be modified again in it (RFC 9110, 8.8.2.2). */
function isOfSameSecond(lastModified: string, date = ''): boolean {
  return Date.parse(lastModified) > Date.parse(date) - 1000
}

/** Headers of a conditional request (RFC 9110, 13.1). Weak tags are sent unchanged. */
export function conditionalHeaders(validators: Validators): Record<string, string> {
  const { etag, lastModified } = validators
  return {
    ...(isSendable(etag) ? { 'if-none-match': etag } : {}),
    ...(isSendable(lastModified) ? { 'if-modified-since': lastModified } : {}),
  }
}

/** The publisher says that the file never changes (RFC 8246). */
export function isImmutable(headers: IncomingHttpHeaders): boolean {
  return /(?:^|[\s,])immutable(?:[\s,]|$)/i.test(headers['cache-control'] ?? '')
}

/** `max-age` of Cache-Control in milliseconds; undefined if it is absent or no number. */
export function parseMaxAgeMs(cacheControl: string | undefined): number | undefined {
  const seconds = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,10})"?(?=\s*(?:,|$))/i.exec(cacheControl ?? '')?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/**
 * For how long a response stays fresh, in milliseconds: `max-age` less its `Age` (RFC 9111, 4.2). A cache that sends stale responses does
 * not shorten it.
 */
export function freshForMs(headers: IncomingHttpHeaders): number | undefined {
  const maxAgeMs = parseMaxAgeMs(headers['cache-control'])
  const ageMs = Number(/^\d{1,10}$/.exec(headers.age ?? '')?.[0] ?? 0) * 1000
  return maxAgeMs === undefined || ageMs >= maxAgeMs ? maxAgeMs : maxAgeMs - ageMs
}

/** Retry-After (seconds or an HTTP date) in milliseconds from now; 0 for a past date, undefined for anything else. */
export function parseRetryAfterMs(retryAfter: string | undefined, nowMs: number): number | undefined {
  const text = (retryAfter ?? '').trim()
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000
  // Every form of an HTTP date begins with the name of a day; Date.parse alone would accept "-5" as a month.
  const isDate = /^[A-Z][a-z]{2,8},? /.test(text)
  // The form of asctime() ends with the year instead of GMT (RFC 9110, 5.6.7).
  const atMs = isDate ? Date.parse(text.replace(/ \d{4}$/, '$& GMT')) : Number.NaN
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}

function isSendable(value: string | undefined): value is string {
  return value !== undefined && /^[\x20-\x7e\x80-\xff]{1,1000}$/.test(value)
}
