import type { Generation, Severity } from '../shared/check-report-labels.ts'

/** One thing that is right or wrong about a feed, as its publisher is told of it. */
export interface RuleHead {
  /** Kebab-case, unique among all rules. */
  readonly id: string
  readonly severity: Severity
  /** Which generations ask for it; absent means all. */
  readonly generations?: readonly Generation[]
  /** What is right: a sentence without its full stop. */
  readonly right: string
  /** The clause that asks for it. */
  readonly source: string
}

/** What a rule found: what came, as `path: got "…"`; nothing if all is right. */
export type Found = string | readonly string[] | undefined

/** A rule with its check. */
export interface Rule<Subject> extends RuleHead {
  find(subject: Subject): Found
}

/** Where a finding lies. */
export interface Where {
  /** The URL or path of the file. */
  readonly file: string
  /** Counted from 1; absent for what concerns the file as a whole. */
  readonly line?: number
  /** What stands there; asked for only if the finding is kept as an example. */
  readonly excerpt?: () => string
}

/** True if a feed of this generation has to obey the rule; one of an unknown generation obeys those of all. */
export function appliesTo(rule: RuleHead, generation: Generation | undefined): boolean {
  if (rule.generations === undefined) return true
  return generation !== undefined && rule.generations.includes(generation)
}
