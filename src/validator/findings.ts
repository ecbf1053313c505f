import { SEVERITIES } from '../shared/check-report-labels.ts'
import type { Example } from '../shared/contract/feed-checks.ts'
import type { Found, Rule, RuleHead, Where } from './rule.ts'

/** All findings of one rule: how many, and the first of them. */
export interface Tally {
  readonly rule: RuleHead
  count: number
  readonly examples: Example[]
}

const FOUND_LENGTH_MAX = 300
const EXCERPT_LENGTH_MAX = 200
const FILE_LENGTH_MAX = 500

/** Counts findings by rule and keeps the first examples of each: as much memory for ten lines as for ten million. */
export class Findings {
  readonly #examplesMax: number
  readonly #redact: (text: string) => string
  readonly #tallies = new Map<string, Tally>()
  #errors = 0

  /** `redact` is asked before a text is cut: half a secret would not be known as one. */
  constructor(examplesMax: number, redact = (text: string) => text) {
    this.#examplesMax = examplesMax
    this.#redact = redact
  }

  /** How many errors were found that every generation knows: one of them explains why a line was rejected. */
  get errors(): number {
    return this.#errors
  }

  /** Has a rule look at something. */
  look<Subject>(rule: Rule<Subject>, subject: Subject, where: Where): void {
    const found: Found = rule.find(subject)
    if (found === undefined) return
    if (typeof found === 'string') this.note(rule, where, found)
    else for (const one of found) this.note(rule, where, one)
  }

  /** Has rules look at something. */
  lookAll<Subject>(rules: readonly Rule<Subject>[], subject: Subject, where: Where): void {
    for (const rule of rules) this.look(rule, subject, where)
  }

  /** Counts what was found against a rule. */
  note(rule: RuleHead, where: Where, found: string): void {
    if (rule.severity === 'error' && rule.generations === undefined) this.#errors++
    const tally = this.#tallies.get(rule.id) ?? { rule, count: 0, examples: [] }
    this.#tallies.set(rule.id, tally)
    tally.count++
    if (tally.examples.length < this.#examplesMax) tally.examples.push(this.#exampleOf(where, found))
  }

  /** Those that were found, the severest first, the most frequent first among equals. */
  list(): Tally[] {
    const rank = ({ rule }: Tally) => SEVERITIES.indexOf(rule.severity)
    return [...this.#tallies.values()].sort((a, b) => rank(a) - rank(b) || b.count - a.count)
  }

  #exampleOf({ file, line, excerpt }: Where, found: string): Example {
    return {
      file: shorten(this.#redact(file), FILE_LENGTH_MAX),
      ...(line === undefined ? {} : { line }),
      found: shorten(this.#redact(found), FOUND_LENGTH_MAX),
      ...(excerpt === undefined ? {} : { excerpt: shorten(this.#redact(excerpt()), EXCERPT_LENGTH_MAX) }),
    }
  }
}

/** Cut pairs of surrogates would be no text any more. */
function shorten(text: string, lengthMax: number): string {
  return (text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text).toWellFormed()
}
