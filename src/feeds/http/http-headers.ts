import type { IncomingHttpHeaders } from 'node:http'

/** What a publisher gave with a file, sent back as it came to ask whether the file is still the same. */
export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
}

/** The validators of a response; one that could not be sent back in a header is left out. */
export function validatorsOf(headers: IncomingHttpHeaders): Validators {
  const { etag, 'last-modified': lastModified } = headers
  return {
    ...(isSendable(etag) ? { etag } : {}),
    ...(isSendable(lastModified) ? { lastModified } : {}),
  }
}

/** The headers that ask for a file only if it has changed (RFC 9110, 13.1). A weak tag is sent as it came. */
export function conditionalHeaders(validators: Validators): Record<string, string> {
  const { etag, lastModified } = validators
  return {
    ...(isSendable(etag) ? { 'if-none-match': etag } : {}),
    ...(isSendable(lastModified) ? { 'if-modified-since': lastModified } : {}),
  }
}

/** `max-age` of Cache-Control in milliseconds, or undefined if there is none that is a number. */
export function parseMaxAgeMs(cacheControl: string | undefined): number | undefined {
  const seconds = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,10})"?(?=\s*(?:,|$))/i.exec(cacheControl ?? '')?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/** Retry-After in milliseconds from now: seconds or an HTTP date; a date that has passed is 0. Undefined if it is neither. */
export function parseRetryAfterMs(retryAfter: string | undefined, nowMs: number): number | undefined {
  const text = (retryAfter ?? '').trim()
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000
  // Every form of an HTTP date begins with the name of a day; Date.parse alone would take "-5" for a month.
  const atMs = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}

function isSendable(value: string | undefined): value is string {
  return value !== undefined && /^[\x20-\x7e\x80-\xff]{1,1000}$/.test(value)
}
