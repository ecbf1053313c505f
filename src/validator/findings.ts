import { SEVERITIES } from '../shared/check-report-labels.ts'
import type { Example } from '../shared/contract/feed-checks.ts'
import type { FindingPosition, Rule, RuleHead, RuleResult } from './rule.ts'

/** The number of findings of one rule, and the first ones. */
export interface RuleMatches {
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
  return (text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text).toWellFormed()
}
