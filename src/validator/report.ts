import { docsOf } from './catalogue.ts'
import type { Example, Findings } from './findings.ts'
import { appliesTo, type Generation, SEVERITIES, type Severity } from './rule.ts'
import type { ServedView } from './served-counts.ts'

/** All that a check found, as `--json` prints it. Of bounded size, however large the feed. */
export interface CheckReport {
  /** Its URL or path, without user and password. */
  readonly feed: string
  readonly checkedAtMs: number
  readonly durationMs: number
  /** Read as a strict source is. */
  readonly strict: boolean
  readonly generation?: Generation
  /** What speaks for it. */
  readonly evidence: readonly string[]
  /** Why nothing of the feed would be taken: absent if it can be read as a whole. */
  readonly unreadable?: string
  /** Why the check ended before the feed did; all counts are of what was read till then. */
  readonly stopped?: string
  readonly counts: Readonly<Record<Severity, number>>
  readonly findings: readonly RuleFindings[]
  /** Lines of slots: `served + rejected + withheld` is `slots`. */
  readonly lines: {
    readonly slots: number
    readonly served: number
    readonly rejected: number
    readonly withheld: number
    /** Of the other files. */
    readonly directory: number
    readonly directoryRejected: number
  }
  readonly served: ServedView
  /** The first slots as `/v1` would serve them. */
  readonly samples: readonly unknown[]
  /** The first of them. */
  readonly files: readonly CheckedFile[]
  readonly fileCount: number
}

/** What was found against one rule. */
export interface RuleFindings {
  readonly rule: string
  readonly severity: Severity
  /** What is right. */
  readonly right: string
  readonly source: string
  /** Where the documentation explains it, below `docs/`. */
  readonly docs: string
  readonly count: number
  readonly examples: readonly Example[]
}

/** One file as it was read. */
export interface CheckedFile {
  readonly name: string
  readonly types: readonly string[]
  readonly lines: number
  readonly bytes: number
}

/** A report shows so many files. */
export const FILES_SHOWN_MAX = 200

/** What was found against the rules of a generation, the severest first. */
export function listFindings(findings: Findings, generation: Generation | undefined): RuleFindings[] {
  return findings
    .list()
    .filter(({ rule }) => appliesTo(rule, generation))
    .map(({ rule: { id, severity, right, source }, count, examples }) => ({
      rule: id,
      severity,
      right,
      source,
      docs: docsOf(id),
      count,
      examples,
    }))
}

/** How many findings of each severity there are. */
export function countFindings(findings: readonly RuleFindings[]): Record<Severity, number> {
  const of = (severity: Severity) =>
    findings.filter((one) => one.severity === severity).reduce((sum, { count }) => sum + count, 0)
  return Object.fromEntries(SEVERITIES.map((severity) => [severity, of(severity)])) as Record<
    Severity,
    number
  >
}

/**
 * 0: clean, or nothing but hints and warnings; 1: errors, with `strict` also warnings; 2: it cannot be read as a whole, or
 * the check ended before it had found any.
 */
export function exitCodeOf({ unreadable, stopped, counts, strict }: CheckReport): 0 | 1 | 2 {
  if (unreadable !== undefined) return 2
  if (counts.error > 0 || (strict && counts.warning > 0)) return 1
  return stopped === undefined ? 0 : 2
}
