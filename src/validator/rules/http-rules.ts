import type { IncomingHttpHeaders } from 'node:http'
import { parseMaxAgeMs } from '../../feeds/http/http-headers.ts'
import { HOUR_MS } from '../../lib/time.ts'
import { got } from '../quoted-value.ts'
import type { Rule } from '../rule.ts'

/** How a file came over the web. */
export interface HttpSubject {
  readonly role: 'manifest' | 'file'
  /** Where it was asked for, and where it came from in the end. */
  readonly asked: URL
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  /** Of its decoded content. */
  readonly bytes: number
  /** Of the manifest alone: it was asked for again with its validators, and the answer was not 304. */
  readonly ignoresValidators?: boolean
  /** Of the manifest alone: it was asked for with a tag that nobody had given, and the answer was 304. */
  readonly knowsNothingOfTags?: boolean
}

/** Slots are booked by the minute. */
const MAX_AGE_MS_MAX = HOUR_MS

/** What is smaller gains nothing from compression. */
const COMPRESSED_BYTES_MIN = 65_536

/** How files are to be sent. */
export const HTTP_RULES: readonly Rule<HttpSubject>[] = [
  {
    id: 'http-manifest-type',
    severity: 'warning',
    right: 'the manifest is sent as `application/json`',
    source: 'Accept headers; guide: sched-2',
    find: ({ role, headers }) =>
      role === 'manifest' && !/^application\/(?:fhir\+)?json\s*(?:;|$)/i.test(headers['content-type'] ?? '')
        ? got('Content-Type', headers['content-type'])
        : undefined,
  },
  {
    id: 'http-file-type',
    severity: 'warning',
    right: 'a file is sent as `application/fhir+ndjson`',
    source: 'Accept headers; guide: sched-3',
    find: ({ role, headers }) =>
      role === 'file' && !FILE_TYPE.test(headers['content-type'] ?? '')
        ? got('Content-Type', headers['content-type'])
        : undefined,
  },
  {
    id: 'http-validator',
    severity: 'hint',
    right: '`ETag` or `Last-Modified` is sent, so that unchanged files are not fetched again',
    source: 'Performance considerations; guide: sched-7',
    find: ({ headers: { etag, 'last-modified': lastModified } }) =>
      etag === undefined && lastModified === undefined ? got('ETag', undefined) : undefined,
  },
  {
    id: 'http-not-modified',
    severity: 'hint',
    right: 'a request with the validator of the last response returns 304',
    source: 'RFC 9110, 13.2.2; guide: sched-7',
    find: ({ ignoresValidators }) => (ignoresValidators === true ? 'status: got "200"' : undefined),
  },
  {
    id: 'http-not-modified-blindly',
    severity: 'error',
    right:
      'a request with an unknown entity tag returns 200; otherwise conditional requests never see changes',
    source: 'RFC 9110, 13.1.2',
    find: ({ knowsNothingOfTags }) => (knowsNothingOfTags === true ? 'status: got "304"' : undefined),
  },
  {
    id: 'http-validator-form',
    severity: 'warning',
    right: 'an `ETag` is in double quotes; a `Last-Modified` is an HTTP date in the past',
    source: 'RFC 9110, 8.8',
    find: ({ headers: { etag, 'last-modified': lastModified, date } }) => {
      if (etag !== undefined && !/^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag)) return got('ETag', etag)
      if (lastModified === undefined) return undefined
      const isDate = /^[A-Z][a-z]{2,8},? /.test(lastModified) && !Number.isNaN(Date.parse(lastModified))
      const isLate = Date.parse(lastModified) > Date.parse(date ?? '') + CLOCK_SKEW_MS
      return isDate && !isLate ? undefined : got('Last-Modified', lastModified)
    },
  },
  {
    id: 'http-max-age-long',
    severity: 'warning',
    right: '`max-age` is at most an hour: until it expires, booked slots are shown as free',
    source: 'Performance considerations; guide: sched-5',
    find: ({ role, headers: { 'cache-control': cacheControl } }) =>
      role === 'manifest' && (parseMaxAgeMs(cacheControl) ?? 0) > MAX_AGE_MS_MAX
        ? got('Cache-Control', cacheControl)
        : undefined,
  },
  {
    id: 'http-max-age',
    severity: 'hint',
    right: 'the manifest has `Cache-Control: max-age`, the time until the next poll',
    source: 'Performance considerations; guide: sched-5',
    find: ({ role, headers: { 'cache-control': cacheControl } }) =>
      role === 'manifest' && parseMaxAgeMs(cacheControl) === undefined
        ? got('Cache-Control', cacheControl)
        : undefined,
  },
  {
    id: 'http-no-store',
    severity: 'hint',
    right: '`no-store` is not sent with an ETag: it forbids storing the response that the tag identifies',
    source: 'RFC 9111, 5.2.2.5',
    find: ({ headers: { etag, 'cache-control': cacheControl = '' } }) =>
      etag !== undefined && /\bno-store\b/i.test(cacheControl)
        ? got('Cache-Control', cacheControl)
        : undefined,
  },
  {
    id: 'http-gzip',
    severity: 'hint',
    right: 'a file of more than 64 KiB is sent with gzip, which reduces it to a tenth',
    source: 'RFC 9110, 8.4',
    find: ({ url, headers, bytes }) =>
      bytes > COMPRESSED_BYTES_MIN && headers['content-encoding'] === undefined && !isLoopback(url)
        ? got('Content-Encoding', undefined)
        : undefined,
  },
  {
    id: 'http-secure',
    severity: 'hint',
    right: 'files are sent over https, so that booking links cannot be changed in transit',
    source: 'RFC 9110, 4.2.2',
    find: ({ url }) => (url.protocol === 'http:' && !isLoopback(url) ? got('URL', url.origin) : undefined),
  },
  {
    id: 'http-redirect',
    severity: 'hint',
    right: 'a file is at its published URL, not behind a redirect',
    source: 'Quick start',
    find: ({ asked, url }) => (asked.href === url.href ? undefined : got('redirected to', url.href)),
  },
]

/** Found by reading: the feed as a whole stays as it was. */
export const FILE_UNREADABLE = {
  id: 'file-unreadable',
  severity: 'error',
  right: 'every file of the manifest can be read completely; otherwise the feed is rejected as a whole',
  source: 'Manifest: output',
} as const

/** UTF-8 needs no word, and other encodings are not read. */
const FILE_TYPE = /^application\/(?:fhir\+)?ndjson\s*(?:;(?!.*charset)|;.*charset\s*=\s*"?utf-?8"?|$)/i

/** Clocks of two machines differ by as much. */
const CLOCK_SKEW_MS = 300_000

/** True for what needs no network: there is none between a machine and itself. */
export function isLoopback(url: URL): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
}
