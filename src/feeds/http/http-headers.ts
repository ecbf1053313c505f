import type { IncomingHttpHeaders } from 'node:http'

/** Validators of a file (RFC 9110, 8.8), sent back unchanged in conditional requests. */
export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
}

/** The validators of a response, without those that cannot be sent back in a header. */
export function validatorsOf(headers: IncomingHttpHeaders): Validators {
  const { etag, 'last-modified': lastModified } = headers
  return {
    ...(isSendable(etag) ? { etag } : {}),
    ...(isSendable(lastModified) ? { lastModified } : {}),
  }
}

/** Headers of a conditional request (RFC 9110, 13.1). Weak tags are sent unchanged. */
export function conditionalHeaders(validators: Validators): Record<string, string> {
  const { etag, lastModified } = validators
  return {
    ...(isSendable(etag) ? { 'if-none-match': etag } : {}),
    ...(isSendable(lastModified) ? { 'if-modified-since': lastModified } : {}),
  }
}

/** `max-age` of Cache-Control in milliseconds; undefined if it is absent or no number. */
export function parseMaxAgeMs(cacheControl: string | undefined): number | undefined {
  const seconds = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,10})"?(?=\s*(?:,|$))/i.exec(cacheControl ?? '')?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/** Retry-After (seconds or an HTTP date) in milliseconds from now; 0 for a past date, undefined for anything else. */
export function parseRetryAfterMs(retryAfter: string | undefined, nowMs: number): number | undefined {
  const text = (retryAfter ?? '').trim()
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000
  // Every form of an HTTP date begins with the name of a day; Date.parse alone would accept "-5" as a month.
  const atMs = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}

function isSendable(value: string | undefined): value is string {
  return value !== undefined && /^[\x20-\x7e\x80-\xff]{1,1000}$/.test(value)
}
