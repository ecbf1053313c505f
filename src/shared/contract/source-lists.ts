import { z } from 'zod'
import { BATCH_ACTIONS, BATCH_MAX, SOURCE_FILTERS, SOURCE_ORDERS } from '../source-vocabulary.ts'
import { type Contract, SEARCHED_PAGE, shortText } from './contract.ts'
import { HEALTH, SOURCE, SOURCE_FLAG } from './sources.ts'

const COUNT = z.number()

/** Sources that are selected at once at most. */
export const SELECTED_MAX = 10_000

/** Counts of all sources, by their health when it was last assessed, at most a few seconds ago. */
const SOURCES_SUMMARY = z.strictObject({
  ...{ sources: COUNT, slots: COUNT, attention: COUNT },
  byHealth: z.partialRecord(HEALTH, COUNT),
})
export type SourcesSummary = z.infer<typeof SOURCES_SUMMARY>

/** Which sources to list. */
const SOURCE_SEARCH = {
  search: shortText('The search', 200).optional(),
  health: z.enum(SOURCE_FILTERS, { error: `The health must be one of ${SOURCE_FILTERS.join(', ')}.` }).optional(),
  /** The `reason` of a group of sources in the summary. */
  reason: shortText('The reason', 300).optional(),
}

const SLUGS_ERROR = `slugs must be 1 to ${BATCH_MAX} slugs.`
const SLUGS = z
  .array(z.string({ error: SLUGS_ERROR }).max(63, SLUGS_ERROR), { error: SLUGS_ERROR })
  .min(1, SLUGS_ERROR)
  .max(BATCH_MAX, SLUGS_ERROR)

/** Sources that need attention for the same reason, without the parts of it that name a source. */
const REASON = z.strictObject({ flag: SOURCE_FLAG, reason: z.string(), sources: COUNT })
export type SourceReasonView = z.infer<typeof REASON>

/** The outcome of an action on some sources. */
const BATCH_OUTCOME = z.strictObject({
  done: z.array(z.string()),
  failed: z.array(z.strictObject({ slug: z.string(), message: z.string() })),
})
export type BatchOutcome = z.infer<typeof BATCH_OUTCOME>

/** What the removal of some sources removes. */
const TOTALS = z.strictObject({ sources: COUNT, slots: COUNT, syncs: COUNT })
export type SourceTotalsView = z.infer<typeof TOTALS>

export const SOURCE_LIST_CONTRACT = {
  'GET /api/operator/sources': {
    access: 'viewer',
    query: z.strictObject({
      ...SEARCHED_PAGE,
      ...SOURCE_SEARCH,
      order: z.enum(SOURCE_ORDERS, { error: `The order must be one of ${SOURCE_ORDERS.join(', ')}.` }).optional(),
    }),
    response: z.strictObject({
      sources: z.array(SOURCE),
      /** How many match. */
      total: COUNT,
      /** How many of them are before the first one of this page. */
      offset: COUNT,
      summary: SOURCES_SUMMARY,
    }),
  },
  /** Counts of all sources, and the most frequent reasons for attention: at most 20. */
  'GET /api/operator/source-summary': {
    access: 'viewer',
    response: SOURCES_SUMMARY.extend({ reasons: z.array(REASON) }),
  },
  /** The slugs of all sources that match: at most `SELECTED_MAX`. */
  'GET /api/operator/source-slugs': {
    access: 'viewer',
    query: z.strictObject(SOURCE_SEARCH),
    response: z.strictObject({ slugs: z.array(z.string()) }),
  },
  'POST /api/operator/source-totals': {
    access: 'operator',
    unlimited: true,
    body: z.strictObject({ slugs: SLUGS }),
    response: TOTALS,
  },
  /** Each source is changed by itself: some may fail. */
  'POST /api/operator/source-batches': {
    access: 'operator',
    body: z.strictObject({
      action: z.enum(BATCH_ACTIONS, { error: `The action must be one of ${BATCH_ACTIONS.join(', ')}.` }),
      slugs: SLUGS,
    }),
    response: BATCH_OUTCOME,
  },
} as const satisfies Contract
