import { z } from 'zod'
import { GENERATIONS, SEVERITIES } from '../check-report-labels.ts'
import { CONFORMANCE_RESULTS, LEVELS, PROFILES, STATEMENT_SOURCES } from '../conformance-labels.ts'
import { type Contract, TIME_MS } from './contract.ts'
import { FEED_URL } from './sources.ts'

const COUNT = z.number()

/** An example of a finding. */
const EXAMPLE = z.strictObject({
  file: z.string(),
  line: z.number().exactOptional(),
  /** The finding: `status: got "open"`. At most 300 characters. */
  found: z.string(),
  /** The beginning of the line, at most 200 characters. */
  excerpt: z.string().exactOptional(),
})
export type Example = z.infer<typeof EXAMPLE>

/** The findings of one rule. */
const RULE_FINDINGS = z.strictObject({
  rule: z.string(),
  severity: z.enum(SEVERITIES),
  /** The requirement. */
  right: z.string(),
  /** The clause of the specification. */
  source: z.string(),
  /** The section of the documentation, below `docs/`. */
  docs: z.string(),
  count: COUNT,
  examples: z.array(EXAMPLE).readonly(),
})
export type RuleFindings = z.infer<typeof RULE_FINDINGS>

const CHECKED_FILE = z.strictObject({
  name: z.string(),
  types: z.array(z.string()).readonly(),
  lines: COUNT,
  bytes: COUNT,
})
export type CheckedFile = z.infer<typeof CHECKED_FILE>

/** The slots of a feed as callers of `/v1` would see them. */
const SERVED = z.strictObject({
  slots: COUNT,
  byStatus: z.record(z.enum(['free', 'busy', 'busy-unavailable', 'busy-tentative']), COUNT).readonly(),
  /** By the state of the location or of the license, the most frequent first. */
  byState: z.record(z.string(), COUNT).readonly(),
  /** Without a state. */
  stateless: COUNT,
  inPerson: COUNT,
  virtual: COUNT,
  /** In person and virtual; counted in either, too. */
  both: COUNT,
  ended: COUNT,
  schedules: COUNT,
  /** As published; absent without slots. */
  firstStart: z.string().exactOptional(),
  lastEnd: z.string().exactOptional(),
})
export type ServedView = z.infer<typeof SERVED>

/** One statement of a specification, and whether the feed meets it. */
const STATEMENT_RESULT = z.strictObject({
  /** `sched-5`. */
  id: z.string(),
  source: z.enum(STATEMENT_SOURCES),
  level: z.enum(LEVELS),
  /** The section of the source. */
  clause: z.string(),
  text: z.string(),
  result: z.enum(CONFORMANCE_RESULTS),
  /** Why it could not be checked. */
  reason: z.string().exactOptional(),
  /** The number of findings against it. */
  count: COUNT,
  /** The rules that test it. */
  rules: z.array(z.string()).readonly(),
  /** Findings, or what was read if there are none. */
  evidence: z.array(EXAMPLE).readonly(),
})
export type StatementResult = z.infer<typeof STATEMENT_RESULT>

/** The statements of a profile. */
const CONFORMANCE = z.strictObject({
  profile: z.enum(PROFILES),
  counts: z.record(z.enum(CONFORMANCE_RESULTS), COUNT).readonly(),
  statements: z.array(STATEMENT_RESULT).readonly(),
})
export type Conformance = z.infer<typeof CONFORMANCE>

/** The result of validating a feed. Its size is bounded, however large the feed. */
const CHECK_REPORT = z.strictObject({
  /** Its URL or path, without a user name and password. */
  feed: z.string(),
  checkedAtMs: TIME_MS,
  durationMs: COUNT,
  strict: z.boolean(),
  generation: z.enum(GENERATIONS).exactOptional(),
  /** The reasons for the generation. */
  evidence: z.array(z.string()).readonly(),
  /** Why no slot of the feed would be served; absent if the feed can be read as a whole. */
  unreadable: z.string().exactOptional(),
  /** Why the check ended early: all counts are of what was read by then. */
  stopped: z.string().exactOptional(),
  counts: z.record(z.enum(SEVERITIES), COUNT).readonly(),
  findings: z.array(RULE_FINDINGS).readonly(),
  /**
   * Lines of Slot files: `slots` is `served + rejected + withheld + superseded`. `superseded`: a later page has a newer version or
   * deletes it. `directory`: lines of the other files.
   */
  lines: z.strictObject({
    slots: COUNT,
    served: COUNT,
    rejected: COUNT,
    withheld: COUNT,
    superseded: COUNT,
    directory: COUNT,
    directoryRejected: COUNT,
  }),
  served: SERVED,
  /** The first slots as `/v1` would serve them. */
  samples: z.array(z.unknown()).readonly(),
  /** The first of `fileCount` files. */
  files: z.array(CHECKED_FILE).readonly(),
  fileCount: COUNT,
  /** Only of a check with a profile. */
  conformance: CONFORMANCE.exactOptional(),
})
export type CheckReport = z.infer<typeof CHECK_REPORT>

const CHECK_PROGRESS = z.strictObject({
  /** The number of the file being read, from 1, of how many. */
  reading: COUNT,
  readings: COUNT,
  name: z.string(),
  lines: COUNT,
  bytes: COUNT,
  /** Errors found so far. */
  errors: COUNT,
})
export type CheckProgress = z.infer<typeof CHECK_PROGRESS>

/** The check of a whole feed. */
const FEED_CHECK = z.strictObject({
  id: z.string(),
  url: z.string(),
  /** The slug, if the feed is that of a source. */
  source: z.string().exactOptional(),
  strict: z.boolean(),
  profile: z.enum(PROFILES).exactOptional(),
  state: z.enum(['running', 'done', 'failed']),
  startedAtMs: TIME_MS,
  /** Absent until the first file is read. */
  progress: CHECK_PROGRESS.exactOptional(),
  /** Of a check that is done or was stopped. */
  report: CHECK_REPORT.exactOptional(),
  /** Why it failed. */
  message: z.string().exactOptional(),
})
export type FeedCheckView = z.infer<typeof FEED_CHECK>

export const FEED_CHECK_CONTRACT = {
  /** Takes either a URL or a source. One check per operator: 409 while another one runs. */
  'POST /api/operator/checks': {
    access: 'operator',
    body: z.strictObject({
      url: FEED_URL.optional(),
      source: z.string({ error: 'The source must be text.' }).optional(),
      strict: z.boolean({ error: 'Strict must be true or false.' }).optional(),
      profile: z.enum(PROFILES, { error: `The profile must be ${PROFILES.join(' or ')}.` }).optional(),
    }),
    response: FEED_CHECK,
  },
  /** Kept for an hour, on the node that ran the check. */
  'GET /api/operator/checks/:check': { access: 'viewer', response: FEED_CHECK },
  /** The check ends with a report of what it has read. */
  'DELETE /api/operator/checks/:check': { access: 'operator' },
} as const satisfies Contract
