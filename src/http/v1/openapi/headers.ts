import type { JsonSchema } from '../../../slot/query-parameter.ts'

/** A response header in the OpenAPI document. */
export interface HeaderDocs {
  readonly description: string
  readonly schema: JsonSchema
  readonly example: string
  /** In every response that lists it, unless the operation says otherwise. */
  readonly always?: true
}

const text: JsonSchema = { type: 'string' }

/** The documented response headers, beside those of HTTP itself. */
export const HEADERS = {
  'X-Request-Id': {
    description: "The id of the request: the caller's own if it sent one. Quote it in support requests.",
    schema: text,
    example: '0b9f3c1e-7f0a-4a57-9d0b-1a2b3c4d5e6f',
    always: true,
  },
  ETag: {
    description: 'Identifies the content of the response (RFC 9110, 8.8.3). Send it back in `If-None-Match`.',
    schema: { type: 'string', pattern: '^(W/)?"[^"]+"$' },
    example: '"7391.42.1200-918273645"',
    always: true,
  },
  'Cache-Control': {
    description:
      'How long the response is fresh (RFC 9111): until the next sync of any source. `no-store` if it must not be stored.',
    schema: { type: 'string', pattern: '^(private|no-store)' },
    example: 'private, max-age=42',
    always: true,
  },
  Vary: {
    description: 'The request headers that the form of the response depends on.',
    schema: text,
    example: 'Accept, Accept-Encoding',
    always: true,
  },
  'Server-Timing': {
    description: 'Time spent in the index, in milliseconds. Absent for cached responses.',
    schema: { type: 'string', pattern: '^index;' },
    example: 'index;dur=0.012',
  },
  Location: {
    description: 'The URL to continue with.',
    schema: text,
    example: 'https://slots.example/v1/fhir/Slot-MA~7x2k9v0a.1f~k3x0.ndjson',
    always: true,
  },
  'Accept-Ranges': {
    description: 'Whether ranges of bytes can be requested (RFC 9110, 14.3).',
    schema: { type: 'string', enum: ['bytes', 'none'] },
    example: 'bytes',
    always: true,
  },
  'Content-Range': {
    description: 'The bytes of a range and the length of the file, or the length alone (RFC 9110, 14.4).',
    schema: { type: 'string', pattern: '^bytes ([0-9]+-[0-9]+|\\*)/[0-9]+$' },
    example: 'bytes 0-1023/720412',
    always: true,
  },
  Link: {
    description:
      'Links to other pages (RFC 8288): `first`, `prev`, `next` and `last`, where they exist; only one of them if the address is long.',
    schema: { type: 'string', pattern: '^<' },
    example: '<https://slots.example/v1/scheduling/slots?state=MA&offset=25>; rel="next"',
  },
  'Next-Available-Start': {
    description:
      'On an empty page with `startAfter` or `startBefore`: the start of the first slot without these bounds. RFC 3339, UTC.',
    schema: { type: 'string', format: 'date-time' },
    example: '2026-06-02T13:00:00.000Z',
  },
  'Slots-Revision': {
    description: 'The revision of an export or of the feed. Pass it to `changes` as `since`.',
    schema: text,
    example: '7x2k9v0a.1c',
  },
  'Content-Disposition': {
    description: 'The file name of a CSV export (RFC 6266).',
    schema: { type: 'string', pattern: '^attachment;' },
    example: 'attachment; filename="slots.csv"',
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme (RFC 6750, 3).',
    schema: { type: 'string', const: 'Bearer' },
    example: 'Bearer',
    always: true,
  },
  Allow: {
    description: 'The supported methods.',
    schema: text,
    example: 'GET, HEAD, OPTIONS',
    always: true,
  },
  RateLimit: {
    description:
      'The remaining quota of each limit, and the seconds until it is full again (draft-ietf-httpapi-ratelimit-headers). In every response if the operator has set limits.',
    schema: text,
    example: '"key-requests";r=59;t=1',
  },
  'RateLimit-Policy': {
    description: 'The limits that the operator has set: quota, and window in seconds.',
    schema: text,
    example: '"key-requests";q=60;w=60',
  },
  'Retry-After': {
    description: 'Seconds to wait before trying again.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '1',
    always: true,
  },
  'Slots-Total': {
    description: 'The number of slots in an export.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '120000',
  },
} as const satisfies Readonly<Record<string, HeaderDocs>>

export type HeaderName = keyof typeof HEADERS

/** The headers of responses that are read from the index. */
export const INDEX_HEADERS: readonly HeaderName[] = ['ETag', 'Cache-Control', 'Vary', 'Server-Timing']
