/** The kinds of feed. Each has a connector in the folder of that name. */
export const SOURCE_FORMATS = ['smart-links', 'fhir-search', 'files'] as const
export type SourceFormat = (typeof SOURCE_FORMATS)[number]

/** The anomalies of a snapshot: see `sync/anomaly-rules.ts`. */
export const ANOMALY_KINDS = ['emptied', 'grown', 'dropped', 'ended', 'clock-back', 'clock-stuck', 'clock-old'] as const
export type AnomalyKind = (typeof ANOMALY_KINDS)[number]

/** Which suspicious snapshots require an operator's approval: none, those that emptied or grew tenfold, or all. */
export const REVIEW_POLICIES = ['nothing', 'extreme', 'suspicious'] as const
export type ReviewPolicy = (typeof REVIEW_POLICIES)[number]

/** The actions in a source's log, with their descriptions. A test compares them with docs/operations.md. */
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
  'authorization',
  'strict',
  'everyMinutes',
  'slotsMax',
] as const
export type SourceField = (typeof SOURCE_FIELDS)[number]
