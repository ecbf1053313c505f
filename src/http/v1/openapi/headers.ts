import type { JsonSchema } from '../../../slot/value-kind.ts'

/** A header of an answer, as the reference describes it. */
export interface DescribedHeader {
  readonly description: string
  readonly schema: JsonSchema
  readonly example: string
  /** It is in each answer that lists it, unless that says otherwise. */
  readonly always?: true
}

const text: JsonSchema = { type: 'string' }

/** Every header that the reference names, beside those of HTTP itself. */
export const HEADERS = {
  'X-Request-Id': {
    description: "Names the request: the caller's own id if it sent one, to be quoted when asking about it.",
    schema: text,
    example: '0b9f3c1e-7f0a-4a57-9d0b-1a2b3c4d5e6f',
    always: true,
  },
  ETag: {
    description: 'Tells this answer from all others (RFC 9110, 8.8.3): to be sent back in `If-None-Match`.',
    schema: { type: 'string', pattern: '^(W/)?"[^"]+"$' },
    example: '"7391.42.1200-918273645"',
    always: true,
  },
  'Cache-Control': {
    description:
      'How long the answer is fresh (RFC 9111): until the first feed is looked at again. `no-store` where it is not to be kept.',
    schema: { type: 'string', pattern: '^(private|no-store)' },
    example: 'private, max-age=42',
    always: true,
  },
  Vary: {
    description: 'What of a request the form of its answer depends on.',
    schema: text,
    example: 'Accept, Accept-Encoding',
    always: true,
  },
  'Server-Timing': {
    description:
      'What the index took, in milliseconds; absent where the answer was remembered, which took it none.',
    schema: { type: 'string', pattern: '^index;' },
    example: 'index;dur=0.012',
  },
  Location: {
    description: 'The address to ask instead.',
    schema: text,
    example: 'https://slots.example/v1/fhir/Slot-MA~7x2k9v0a.1f.ndjson',
    always: true,
  },
  Link: {
    description:
      'Other pages (RFC 8288): `first`, `prev`, `next` and `last`, of which there are those that make sense.',
    schema: { type: 'string', pattern: '^<' },
    example: '<https://slots.example/v1/scheduling/slots?state=MA&offset=25>; rel="next"',
  },
  'Next-Available-Start': {
    description:
      'On an empty page whose time window was bounded: when the first slot would begin without these bounds. RFC 3339, UTC.',
    schema: { type: 'string', format: 'date-time' },
    example: '2026-06-02T13:00:00.000Z',
  },
  'Slots-Revision': {
    description: 'Of an export, or of the feed: the revision that it is of, from which `changes` go on.',
    schema: text,
    example: '7x2k9v0a.1c',
  },
  'Content-Disposition': {
    description: 'Of an export as CSV: the name of the file (RFC 6266).',
    schema: { type: 'string', pattern: '^attachment;' },
    example: 'attachment; filename="slots.csv"',
  },
  'WWW-Authenticate': {
    description: 'How a key is shown (RFC 6750, 3).',
    schema: { type: 'string', const: 'Bearer' },
    example: 'Bearer',
    always: true,
  },
  Allow: {
    description: 'The methods that there are.',
    schema: text,
    example: 'GET, HEAD, OPTIONS',
    always: true,
  },
  'Retry-After': {
    description: 'In how many seconds it is worth trying again.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '1',
    always: true,
  },
  'Slots-Total': {
    description: 'Of an export: how many slots there are in it.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '120000',
  },
} as const satisfies Readonly<Record<string, DescribedHeader>>

export type HeaderName = keyof typeof HEADERS
