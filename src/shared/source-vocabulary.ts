/** The kinds of feed. Each has a connector in the folder of that name. */
export const SOURCE_FORMATS = ['smart-links', 'fhir-search', 'files'] as const
export type SourceFormat = (typeof SOURCE_FORMATS)[number]

/** The anomalies of a snapshot: see `sync/anomaly-rules.ts`. */
export const ANOMALY_KINDS = [
  'emptied',
  'unreadable',
  'grown',
  'no-states',
  'dropped',
  'rejected',
  'ended',
  'clock-back',
  'clock-stuck',
  'clock-old',
] as const
export type AnomalyKind = (typeof ANOMALY_KINDS)[number]

/** FHIR servers with a search profile: see `feeds/fhir-search/server-profile.ts`. */
export const SERVER_KINDS = ['oracle', 'epic', 'hapi', 'gp-connect'] as const
export type ServerKind = (typeof SERVER_KINDS)[number]

/** The severities of an OperationOutcome's issues, the most severe first. */
export const MESSAGE_SEVERITIES = ['fatal', 'error', 'warning', 'information'] as const

/** A publisher's report about its own feed: an issue of an OperationOutcome. */
export interface SourceMessage {
  readonly severity: (typeof MESSAGE_SEVERITIES)[number]
  /** One line, at most 300 characters. */
  readonly text: string
}

/** Which suspicious snapshots require an operator's approval: none, the extreme ones (see `EXTREME_KINDS`), or all. */
export const REVIEW_POLICIES = ['nothing', 'extreme', 'suspicious'] as const
export type ReviewPolicy = (typeof REVIEW_POLICIES)[number]

/** The actions in a source's log, with their descriptions. A test compares them with docs/operating-sources.md. */
export const SOURCE_ACTIONS = {
  added: 'The source was added.',
  edited: 'Fields were changed. Lists the fields, never the values.',
  paused: 'Its syncs were paused.',
  resumed: 'Its syncs were resumed.',
  'review-policy-set': 'The hold policy was set. Includes the policy.',
  approved: 'A suspicious snapshot was approved.',
  'approval-withdrawn': 'An unused approval was withdrawn.',
  imported: 'Its slots were replaced by a file.',
  removed: 'The source and its slots were removed.',
} as const
export type SourceActionKind = keyof typeof SOURCE_ACTIONS

/** The fields of a source that can be edited. */
export const SOURCE_FIELDS = [
  'name',
  'url',
  'headers',
  'query',
  'daysAhead',
  'server',
  'serveTestData',
  'rejectedPercentMax',
  'authorization',
  'strict',
  'everyMinutes',
  'slotsMax',
] as const
export type SourceField = (typeof SOURCE_FIELDS)[number]

/** Sources of one health, or those that need attention: all with a flag other than `never-synced`. */
export const SOURCE_FILTERS = [
  'attention',
  'paused',
  'never-synced',
  'failing',
  'suspicious',
  'late',
  'stale',
  'healthy',
] as const
export type SourceFilter = (typeof SOURCE_FILTERS)[number]

/** What a list of sources is sorted by: `health` with the worst first, or a number or time with the smallest first. */
const SOURCE_SORT_KEYS = ['health', 'name', 'slots', 'checked', 'published', 'changed', 'next', 'added'] as const
export type SourceSortKey = (typeof SOURCE_SORT_KEYS)[number]

/** A sort key, with a minus for the opposite order. */
export type SourceOrder = SourceSortKey | `-${SourceSortKey}`
export const SOURCE_ORDERS: readonly SourceOrder[] = SOURCE_SORT_KEYS.flatMap((key) => [key, `-${key}`] as const)

/** What is done to many sources at once. `check` reads their manifests and changes nothing. */
export const BATCH_ACTIONS = ['pause', 'resume', 'sync', 'check', 'remove'] as const
export type BatchAction = (typeof BATCH_ACTIONS)[number]

/** Sources that one batch changes at most. The dashboard sends larger selections in several batches. */
export const BATCH_MAX = 100
