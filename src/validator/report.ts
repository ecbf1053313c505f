import { truncate } from '../lib/text.ts'
import { type Generation, SEVERITIES, type Severity } from '../shared/check-report-labels.ts'
import { violatedRequirements } from '../shared/conformance-labels.ts'
import type { CheckReport, Example, RuleFindings } from '../shared/contract/feed-checks.ts'
import { docsOf } from './catalogue.ts'
import { appliesTo, type FindingPosition, type Rule, type RuleHead, type RuleResult } from './rule.ts'

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
  return Object.fromEntries(SEVERITIES.map((severity) => [severity, of(severity)])) as Record<Severity, number>
}

/**
 * 0: no errors; 1: errors, warnings with `strict`, or a required statement is not met; 2: the feed is unreadable, or the check ended
 * early without errors.
 */
export function exitCodeOf({ unreadable, stopped, counts, strict, conformance }: CheckReport): 0 | 1 | 2 {
  if (unreadable !== undefined) return 2
  if (conformance !== undefined && violatedRequirements(conformance).length > 0) return 1
  if (counts.error > 0 || (strict && counts.warning > 0)) return 1
  return stopped === undefined ? 0 : 2
}

/** The number of findings of one rule, and the first ones. */
interface RuleMatches {
  readonly rule: RuleHead
  count: number
  readonly examples: Example[]
}

const FOUND_LENGTH_MAX = 300
const EXCERPT_LENGTH_MAX = 200
const FILE_LENGTH_MAX = 500

/** Counts findings by rule and keeps the first examples of each, so memory is bounded. */
export class Findings {
  readonly #examplesMax: number
  readonly #redact: (text: string) => string
  readonly #matches = new Map<string, RuleMatches>()
  #errors = 0

  /** Texts are redacted before they are truncated: a truncated secret would not be recognized. */
  constructor(examplesMax: number, redact = (text: string) => text) {
    this.#examplesMax = examplesMax
    this.#redact = redact
  }

  /** Errors under rules of all generations: one of them explains why a line was rejected. */
  get errors(): number {
    return this.#errors
  }

  /** Applies a rule to a subject. */
  apply<Subject>(rule: Rule<Subject>, subject: Subject, where: FindingPosition): void {
    const found: RuleResult = rule.find(subject)
    if (found === undefined) return
    if (typeof found === 'string') this.note(rule, where, found)
    else for (const one of found) this.note(rule, where, one)
  }

  /** Applies rules to a subject. */
  applyAll<Subject>(rules: readonly Rule<Subject>[], subject: Subject, where: FindingPosition): void {
    for (const rule of rules) this.apply(rule, subject, where)
  }

  /** Adds a finding of a rule. */
  note(rule: RuleHead, where: FindingPosition, found: string): void {
    if (rule.severity === 'error' && rule.generations === undefined) this.#errors++
    const matches = this.#matches.get(rule.id) ?? { rule, count: 0, examples: [] }
    this.#matches.set(rule.id, matches)
    matches.count++
    if (matches.examples.length < this.#examplesMax) matches.examples.push(this.#exampleOf(where, found))
  }

  /** The violated rules, most severe first, then most frequent first. */
  list(): RuleMatches[] {
    const rank = ({ rule }: RuleMatches) => SEVERITIES.indexOf(rule.severity)
    return [...this.#matches.values()].sort((a, b) => rank(a) - rank(b) || b.count - a.count)
  }

  #exampleOf({ file, line, excerpt }: FindingPosition, found: string): Example {
    return {
      file: shorten(this.#redact(file), FILE_LENGTH_MAX),
      ...(line === undefined ? {} : { line }),
      found: shorten(this.#redact(found), FOUND_LENGTH_MAX),
      ...(excerpt === undefined ? {} : { excerpt: shorten(this.#redact(excerpt()), EXCERPT_LENGTH_MAX) }),
    }
  }
}

/** Truncates without leaving half a surrogate pair. */
function shorten(text: string, lengthMax: number): string {
  return truncate(text, lengthMax).toWellFormed()
}
