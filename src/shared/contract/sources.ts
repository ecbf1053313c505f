import { z } from 'zod'
import {
  EVERY_MINUTES_MAX,
  EVERY_MUST,
  feedUrlProblem,
  SLOTS_LIMIT_MAX,
  SLOTS_MUST,
  slugProblem,
} from '../source-fields.ts'
import {
  MESSAGE_SEVERITIES,
  REVIEW_POLICIES,
  SOURCE_ACTIONS,
  SOURCE_FIELDS,
  SOURCE_FORMATS,
  type SourceActionKind,
} from '../source-vocabulary.ts'
import { type Contract, integerParameter, oneLine, shortText, TIME_MS } from './contract.ts'
import { HELD_SNAPSHOT } from './held-snapshot.ts'
import { SOURCE_OPTIONS } from './source-options.ts'

const COUNT = z.number()
const SOURCE_ACTION_KINDS = Object.keys(SOURCE_ACTIONS) as SourceActionKind[]
export const HEALTH = z.enum(['paused', 'never-synced', 'failing', 'suspicious', 'late', 'stale', 'healthy'])
const POLICY = z.enum(REVIEW_POLICIES, { error: `Hold must be one of ${REVIEW_POLICIES.join(', ')}.` })

/** The outcome of a sync. `held` and `failed` changed nothing. */
const SYNC = z.strictObject({
  outcome: z.enum(['ok', 'partial', 'held', 'failed']),
  startedAtMs: TIME_MS,
  durationMs: COUNT,
  read: COUNT,
  added: COUNT,
  changed: COUNT,
  removed: COUNT,
  rejected: COUNT,
  withheld: COUNT,
  /** How many of the withheld lines are test data. */
  testSlots: COUNT.exactOptional(),
  /** Nothing new was published. */
  unchanged: z.boolean(),
  /** Why it failed. */
  error: z.string().exactOptional(),
})
export type SyncView = z.infer<typeof SYNC>

const PAST_SYNC = SYNC.extend({ slotCount: COUNT })
/** A sync in the history of a source, with the number of slots after it. */
export type PastSyncView = z.infer<typeof PAST_SYNC>

export const REJECTION = z.strictObject({
  file: z.string(),
  line: z.number(),
  reason: z.string(),
  sample: z.string(),
})
export type RejectionView = z.infer<typeof REJECTION>

/** A reason for attention. `empty`: had slots, has none. `rejecting`: more than 1 % of its lines. */
export const SOURCE_FLAG = z.enum(['never-synced', 'failing', 'suspicious', 'late', 'stale', 'empty', 'rejecting'])

export const SOURCE = z.strictObject({
  slug: z.string(),
  /** The publisher's display name. */
  name: z.string().exactOptional(),
  format: z.enum(SOURCE_FORMATS),
  /** Empty for `files`. */
  url: z.string(),
  options: SOURCE_OPTIONS.exactOptional(),
  strict: z.boolean(),
  everyMinutes: z.number().exactOptional(),
  /** The operator's limit of slots; absent for a quarter of SLOTS_MAX. */
  slotsMax: COUNT.exactOptional(),
  paused: z.boolean(),
  createdAtMs: TIME_MS,
  nextSyncAtMs: TIME_MS,
  /** Failed syncs in a row. */
  failures: COUNT,
  slotCount: COUNT,
  /** The last successful read. */
  lastCheckedAtMs: TIME_MS.exactOptional(),
  /** The time that the publisher states. */
  publishedAtMs: TIME_MS.exactOptional(),
  changedAtMs: TIME_MS.exactOptional(),
  lastSync: SYNC.exactOptional(),
  /** The sync that read the current snapshot: its rejected and withheld lines stand. */
  lastRead: SYNC.exactOptional(),
  /** By the rules of docs/operating-sources.md. */
  health: HEALTH,
  /** Sentences; absent for `healthy`. */
  healthWhy: z.string().exactOptional(),
  /** Absent for a few seconds after a change. */
  healthSinceMs: TIME_MS.exactOptional(),
  /** Which suspicious snapshots require approval. */
  hold: POLICY,
  /** The snapshot that waits for approval. */
  held: HELD_SNAPSHOT.exactOptional(),
  /** With `held`: it was approved, and the next sync applies it. */
  accepting: z.boolean().exactOptional(),
  /** The reasons for attention, the most severe first. */
  flags: z.array(SOURCE_FLAG),
})
export type SourceView = z.infer<typeof SOURCE>

/** An operator's action on a source. */
const ACTION = z.strictObject({
  id: z.number(),
  atMs: TIME_MS,
  slug: z.string(),
  kind: z.enum(SOURCE_ACTION_KINDS),
  /** An email address, or `command line`. */
  actor: z.string(),
  address: z.string().exactOptional(),
  /** For `edited`. */
  fields: z.array(z.enum(SOURCE_FIELDS)).readonly().exactOptional(),
  /** For `review-policy-set`. */
  reviewPolicy: z.enum(REVIEW_POLICIES).exactOptional(),
})
export type SourceActionView = z.infer<typeof ACTION>

const SOURCE_DETAIL = SOURCE.extend({
  /** Redirects to its booking pages in the last 30 days, today included. */
  referrals: COUNT,
  history: z.array(PAST_SYNC),
  rejections: z.array(REJECTION),
  /** The publisher's reports in the last good sync, the most severe first. */
  messages: z.array(z.strictObject({ severity: z.enum(MESSAGE_SEVERITIES), text: z.string() })).readonly(),
  /** Changes of its health, newest first: at most 100. */
  events: z.array(
    z.strictObject({ id: z.number(), slug: z.string(), from: HEALTH, to: HEALTH, why: z.string(), atMs: TIME_MS }),
  ),
  /** Newest first: at most 100. An earlier source with this slug is included. */
  actions: z.array(ACTION),
})
export type SourceDetail = z.infer<typeof SOURCE_DETAIL>

const SERIES = z.array(z.number().nullable()).readonly()

/** Open slots at evenly spaced times, oldest first; null where they were not counted. */
const OPEN_SLOTS = z.strictObject({
  fromMs: TIME_MS,
  stepMs: z.number(),
  all: SERIES,
  /** The states with the most slots at the end first; a slot of several states counts in each. */
  states: z.array(z.strictObject({ state: z.string(), counts: SERIES })),
})
export type OpenSlotsView = z.infer<typeof OPEN_SLOTS>

/** The content of a manifest, or why it cannot be read. */
const SOURCE_CHECK = z.strictObject({
  ok: z.boolean(),
  message: z.string(),
  files: z
    .array(z.strictObject({ type: z.string(), url: z.string(), states: z.array(z.string()).readonly() }))
    .readonly(),
})
export type SourceCheck = z.infer<typeof SOURCE_CHECK>

/** The URL of a feed. */
export const FEED_URL = text('The URL', feedUrlProblem)

/** Formats that are fetched: sources of `files` are created by an import. */
const FETCHED = ['smart-links', 'fhir-search'] as const
const NAME = oneLine('The name', 200)
const STRICT = z.boolean({ error: 'Strict must be true or false.' })
const EVERY_MINUTES = wholeNumber(`The interval ${EVERY_MUST}.`, EVERY_MINUTES_MAX)
const SLOTS_MAX = wholeNumber(`The limit of slots ${SLOTS_MUST}.`, SLOTS_LIMIT_MAX)

const NEW_SOURCE = z.strictObject({
  slug: text('The slug', slugProblem),
  name: NAME.optional(),
  format: z.enum(FETCHED, { error: `The format must be ${FETCHED.join(' or ')}.` }).optional(),
  url: FEED_URL,
  options: z.unknown().optional(),
  strict: STRICT.optional(),
  everyMinutes: EVERY_MINUTES.optional(),
  slotsMax: SLOTS_MAX.optional(),
})
export type NewSourceBody = z.infer<typeof NEW_SOURCE>

/** `null` removes a name, an interval or a limit; `options` is a JSON Merge Patch. */
const SOURCE_EDIT = z.strictObject({
  paused: z.boolean({ error: 'Paused must be true or false.' }).optional(),
  hold: POLICY.optional(),
  slug: z.never({ error: 'The slug cannot be changed: the ids of its slots depend on it.' }).optional(),
  format: z.never({ error: 'The format cannot be changed. Add another source.' }).optional(),
  name: NAME.nullable().optional(),
  url: FEED_URL.optional(),
  options: z.unknown().optional(),
  strict: STRICT.optional(),
  everyMinutes: EVERY_MINUTES.nullable().optional(),
  slotsMax: SLOTS_MAX.nullable().optional(),
})
export type SourceEditBody = z.infer<typeof SOURCE_EDIT>

/** `accept: false` withdraws an approval. 409 if another snapshot than that of `heldSinceMs` (null: none) is held. */
const APPROVAL = z.strictObject({
  accept: z.boolean({ error: 'Accept must be true or false.' }),
  heldSinceMs: z.int({ error: 'heldSinceMs must be a time, or null if no snapshot is held.' }).nullish(),
})

const CHANGED = { access: 'operator', response: SOURCE } as const

export const SOURCE_CONTRACT = {
  'POST /api/operator/sources': { ...CHANGED, body: NEW_SOURCE },
  /** Reads a manifest without adding a source. */
  'POST /api/operator/sources/check': {
    access: 'operator',
    body: z.strictObject({ url: FEED_URL }),
    response: SOURCE_CHECK,
  },
  'GET /api/operator/sources/:slug': { access: 'viewer', response: SOURCE_DETAIL },
  'PATCH /api/operator/sources/:slug': { ...CHANGED, body: SOURCE_EDIT },
  'POST /api/operator/sources/:slug/accept': { ...CHANGED, body: APPROVAL },
  /** By the hour for `14d`, by the day for `400d`. */
  'GET /api/operator/sources/:slug/open-slots': {
    access: 'viewer',
    query: z.strictObject({
      span: z.enum(['14d', '400d'], { error: 'The span must be 14d or 400d.' }).default('14d'),
    }),
    response: OPEN_SLOTS,
  },
  'POST /api/operator/sources/:slug/sync': CHANGED,
  /** The slug must be typed again. */
  'DELETE /api/operator/sources/:slug': {
    access: 'operator',
    body: z.strictObject({ slug: z.string({ error: 'Enter the slug.' }) }),
  },
  /** Newest first, with the actions on sources that were removed. */
  'GET /api/operator/source-log': {
    access: 'viewer',
    query: z.strictObject({
      slug: shortText('The slug', 63).optional(),
      beforeId: integerParameter('The last id', 0, Number.MAX_SAFE_INTEGER).optional(),
      limit: integerParameter('The limit', 1, 200).optional(),
    }),
    /** `existing`: the slugs of the actions whose source was not removed. */
    response: z.strictObject({ actions: z.array(ACTION), existing: z.array(z.string()) }),
  },
} as const satisfies Contract

function text(label: string, problemOf: (text: string) => string | undefined): z.ZodType<string, string> {
  return z.string({ error: `${label} must be a text.` }).check((context) => {
    const problem = problemOf(context.value)
    if (problem === undefined) return
    context.issues.push({ code: 'custom', input: context.value, message: `${label} ${problem}.` })
  })
}

function wholeNumber(error: string, max: number): z.ZodType<number> {
  return z.int({ error }).min(1, error).max(max, error)
}
