import { type Generation, SEVERITIES, type Severity } from '../shared/check-report-labels.ts'
import type { CheckReport, RuleFindings } from '../shared/contract/feed-checks.ts'
import { docsOf } from './catalogue.ts'
import type { Findings } from './findings.ts'
import { appliesTo } from './rule.ts'

/** Maximum number of files in a report. */
export const REPORT_FILES_MAX = 200

/** The findings for a generation, most severe first. */
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

/** The number of findings by severity. */
export function countFindings(findings: readonly RuleFindings[]): Record<Severity, number> {
  const of = (severity: Severity) =>
    findings.filter((one) => one.severity === severity).reduce((sum, { count }) => sum + count, 0)
  return Object.fromEntries(SEVERITIES.map((severity) => [severity, of(severity)])) as Record<
    Severity,
    number
  >
}

/** 0: no errors; 1: errors, or warnings with `strict`; 2: the feed is unreadable, or the check ended early without errors. */
export function exitCodeOf({ unreadable, stopped, counts, strict }: CheckReport): 0 | 1 | 2 {
  if (unreadable !== undefined) return 2
  if (counts.error > 0 || (strict && counts.warning > 0)) return 1
  return stopped === undefined ? 0 : 2
}
