import { z } from 'zod'
import { type Contract, integerParameter, NEXT, shortText, TIME_MS, timeParameter } from './contract.ts'

const ENTRY = z.strictObject({
  /** Ascending; request IDs may repeat, since callers choose them. */
  id: z.number(),
  atMs: TIME_MS,
  keyId: z.string(),
  method: z.string(),
  target: z.string(),
  /** The target is as the caller sent it: neither cut nor redacted. */
  isComplete: z.boolean(),
  status: z.number(),
  durationMs: z.number(),
  requestId: z.string(),
  userAgent: z.string().exactOptional(),
  address: z.string().exactOptional(),
  /** The error in the response. */
  problem: z
    .strictObject({ error: z.string(), message: z.string(), parameter: z.string().exactOptional() })
    .exactOptional(),
  /** How many requests of the key directly before this one are not in the log, because more arrived than it takes. */
  leftOut: z.number(),
})
export type LogEntryView = z.infer<typeof ENTRY>

const NAMED_KEY = z.strictObject({ id: z.string(), name: z.string(), lastFour: z.string() })

const STATUS = 'The status must be a status code, or a class such as 4xx.'
const METHOD = 'The method must be an HTTP method.'

const FILTER = z.strictObject({
  key: shortText('The key', 100).optional(),
  /** 404, or 4xx. */
  status: z
    .string({ error: STATUS })
    .regex(/^([1-5]\d\d|[1-5]xx)$/, STATUS)
    .optional(),
  method: z
    .string({ error: METHOD })
    .regex(/^[A-Z-]{1,20}$/, METHOD)
    .optional(),
  /** Part of the request target. */
  target: shortText('The path', 500).optional(),
  address: shortText('The address', 50).optional(),
  request: shortText('The request ID', 128).optional(),
  fromMs: timeParameter('The start').optional(),
  toMs: timeParameter('The end').optional(),
})

/** The filters of the request log; every condition must hold. */
export type LogSearch = z.infer<typeof FILTER>

export const LOG_CONTRACT = {
  /** Newest first. */
  'GET /api/organizations/:org/logs': {
    access: 'usage.read',
    query: FILTER.extend({
      cursor: integerParameter('The cursor', 1, Number.MAX_SAFE_INTEGER).optional(),
      limit: integerParameter('The limit', 1, 200).optional(),
    }),
    response: z.strictObject({
      entries: z.array(ENTRY),
      /** Those of the entries. */
      keys: z.array(NAMED_KEY),
      /** Requests of the period, and of the key if one is given, that are not in the log; 0 with a cursor. */
      leftOut: z.number(),
      next: NEXT,
    }),
  },
  'GET /api/organizations/:org/logs.csv': { access: 'usage.read', query: FILTER, response: z.string() },
  /** By request ID: the newest entry that has it, or the one with the `entry`. */
  'GET /api/organizations/:org/logs/:request': {
    access: 'usage.read',
    query: z.strictObject({ entry: integerParameter('The entry', 1, Number.MAX_SAFE_INTEGER).optional() }),
    response: z.strictObject({ entry: ENTRY, key: NAMED_KEY.exactOptional() }),
  },
  /** The network addresses that used the key in the last 30 days, last seen first. `max`: no more are kept. */
  'GET /api/organizations/:org/keys/:key/addresses': {
    access: 'usage.read',
    response: z.strictObject({
      addresses: z.array(z.strictObject({ address: z.string(), firstSeenMs: TIME_MS, lastSeenMs: TIME_MS })),
      max: z.number(),
    }),
  },
} as const satisfies Contract
