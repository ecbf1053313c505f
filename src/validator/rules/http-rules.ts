import type { IncomingHttpHeaders } from 'node:http'
import { isImmutable, parseMaxAgeMs } from '../../feeds/http/response.ts'
import { HOUR_MS } from '../../lib/time.ts'
import { errorRule, hintRule, quote, quoteIf, type Rule, warningRule } from '../rule.ts'

/** The HTTP exchange of a file. */
export interface HttpSubject {
  readonly role: 'manifest' | 'file'
  /** The requested URL, and the final one after redirects. */
  readonly requested: URL
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  /** Size of the decoded content. */
  readonly bytes: number
  /** The file belongs to a manifest of Bulk Publish 4, whose files never change. */
  readonly isBulkPublish?: boolean
  /** Manifest only: a request with its validators did not return 304. */
  readonly ignoresValidators?: boolean
  /** Manifest only: a request with an unknown entity tag returned 304. */
  readonly matchesUnknownTags?: boolean
}

/** Slots are booked within minutes. */
const MAX_AGE_MS_MAX = HOUR_MS

/** Smaller files gain nothing from compression. */
const COMPRESSED_BYTES_MIN = 65_536

/** The check of a header. */
function header(name: string, violates: (value: string | undefined, subject: HttpSubject) => boolean) {
  return (subject: HttpSubject) => {
    const value = subject.headers[name.toLowerCase()]?.toString()
    return quoteIf(violates(value, subject), name, value)
  }
}

/** Rules for HTTP responses. */
export const HTTP_RULES: readonly Rule<HttpSubject>[] = [
  warningRule('http-manifest-type', {
    right: 'the manifest is sent as `application/json`',
    source: 'Accept headers; guide: sched-2',
    find: header('Content-Type', (type = '', { role }) => role === 'manifest' && !MANIFEST_TYPE.test(type)),
  }),
  warningRule('http-file-type', {
    right: 'a file is sent as `application/fhir+ndjson`',
    source: 'Accept headers; guide: sched-3',
    find: header('Content-Type', (type = '', { role }) => role === 'file' && !FILE_TYPE.test(type)),
  }),
  hintRule('http-validator', {
    right: '`ETag` or `Last-Modified` is sent, so that unchanged files are not fetched again',
    source: 'Performance considerations; guide: sched-7',
    find: header('ETag', (etag, { headers }) => {
      return etag === undefined && headers['last-modified'] === undefined && !isImmutable(headers)
    }),
  }),
  hintRule('http-immutable', {
    right: 'a file of Bulk Publish 4 is sent with `Cache-Control: max-age=31536000, immutable`: it is fetched once',
    source: 'Bulk Data 4: publish; RFC 8246',
    find: header('Cache-Control', (_, { role, headers, isBulkPublish }) => {
      return role === 'file' && isBulkPublish === true && !isImmutable(headers)
    }),
  }),
  hintRule('http-not-modified', {
    right: 'a request with the validator of the last response returns 304',
    source: 'RFC 9110, 13.2.2; guide: sched-7',
    find: ({ ignoresValidators }) => (ignoresValidators === true ? 'status: got "200"' : undefined),
  }),
  errorRule('http-not-modified-blindly', {
    right: 'a request with an unknown entity tag returns 200; otherwise conditional requests never see changes',
    source: 'RFC 9110, 13.1.2',
    find: ({ matchesUnknownTags }) => (matchesUnknownTags === true ? 'status: got "304"' : undefined),
  }),
  warningRule('http-validator-form', {
    right: 'an `ETag` is in double quotes; a `Last-Modified` is an HTTP date in the past',
    source: 'RFC 9110, 8.8',
    find: ({ headers: { etag, 'last-modified': lastModified, date } }) => {
      if (etag !== undefined && !/^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag)) return quote('ETag', etag)
      if (lastModified === undefined) return undefined
      const isDate = /^[A-Z][a-z]{2,8},? /.test(lastModified) && !Number.isNaN(Date.parse(lastModified))
      const isLate = Date.parse(lastModified) > Date.parse(date ?? '') + CLOCK_SKEW_MS
      return quoteIf(!isDate || isLate, 'Last-Modified', lastModified)
    },
  }),
  warningRule('http-max-age-long', {
    right: '`max-age` is at most an hour: until it expires, booked slots are shown as free',
    source: 'Performance considerations; guide: sched-5',
    find: header('Cache-Control', (cacheControl, { role }) => {
      return role === 'manifest' && (parseMaxAgeMs(cacheControl) ?? 0) > MAX_AGE_MS_MAX
    }),
  }),
  hintRule('http-max-age', {
    right: 'the manifest has `Cache-Control: max-age`, the time until the next poll',
    source: 'Performance considerations; guide: sched-5',
    find: header('Cache-Control', (cacheControl, { role }) => {
      return role === 'manifest' && parseMaxAgeMs(cacheControl) === undefined
    }),
  }),
  hintRule('http-no-store', {
    right: '`no-store` is not sent with an ETag: it forbids storing the response that the tag identifies',
    source: 'RFC 9111, 5.2.2.5',
    find: header('Cache-Control', (cacheControl = '', { headers: { etag } }) => {
      return etag !== undefined && /\bno-store\b/i.test(cacheControl)
    }),
  }),
  hintRule('http-gzip', {
    right: 'a file of more than 64 KiB is sent with gzip, which reduces it to a tenth',
    source: 'RFC 9110, 8.4',
    find: header('Content-Encoding', (encoding, { url, bytes }) => {
      return encoding === undefined && bytes > COMPRESSED_BYTES_MIN && !isLoopback(url)
    }),
  }),
  hintRule('http-secure', {
    right: 'files are sent over https, so that booking links cannot be changed in transit',
    source: 'RFC 9110, 4.2.2',
    find: ({ url }) => quoteIf(url.protocol === 'http:' && !isLoopback(url), 'URL', url.origin),
  }),
  hintRule('http-redirect', {
    right: 'a file is at its published URL, not behind a redirect',
    source: 'Quick start',
    find: ({ requested, url }) => quoteIf(requested.href !== url.href, 'redirected to', url.href),
  }),
]

/** Checked on reading: one unreadable file makes the sync fail. */
export const FILE_UNREADABLE = errorRule('file-unreadable', {
  right: 'every file of the manifest can be read completely; otherwise the feed is rejected as a whole',
  source: 'Manifest: output',
})

const MANIFEST_TYPE = /^application\/(?:fhir\+)?json\s*(?:;|$)/i

/** No charset, or UTF-8: other encodings are not read. */
const FILE_TYPE = /^application\/(?:fhir\+)?ndjson\s*(?:;(?!.*charset)|;.*charset\s*=\s*"?utf-?8"?|$)/i

/** Tolerated difference between the clocks of two machines. */
const CLOCK_SKEW_MS = 300_000

/** True for an address of the same machine. */
export function isLoopback(url: URL): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
}
