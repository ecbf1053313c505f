import { extensions } from '../feeds/fhir/data-types.ts'
import { asObject, got, type Json } from '../lib/json.ts'
import type { Generation, Severity } from '../shared/check-report-labels.ts'

interface RuleText {
  /** The generations that have this rule; absent means all. */
  readonly generations?: readonly Generation[]
  /** The correct form: a sentence without its full stop. */
  readonly right: string
  /** The clause of the specification. */
  readonly source: string
}

/** A rule about a feed, as reports and the documentation describe it. */
export interface RuleHead extends RuleText {
  /** Kebab-case, unique among all rules. */
  readonly id: string
  readonly severity: Severity
}

/** The violations of a rule, each as `path: got "…"`; undefined if there are none. */
export type RuleResult = string | readonly string[] | undefined

interface RuleCheck<Subject> {
  find(subject: Subject): RuleResult
}

/** A rule with its check. */
export interface Rule<Subject> extends RuleHead, RuleCheck<Subject> {}

/** The position of a finding. */
export interface FindingPosition {
  /** The URL or path of the file. */
  readonly file: string
  /** Counted from 1; absent for a finding about the whole file. */
  readonly line?: number
  /** The text at this position; called only if the finding is kept as an example. */
  readonly excerpt?: () => string
}

/** True if the rule applies to feeds of this generation; for an unknown generation, only rules of all generations apply. */
export function appliesTo(rule: RuleHead, generation: Generation | undefined): boolean {
  if (rule.generations === undefined) return true
  return generation !== undefined && rule.generations.includes(generation)
}

interface RuleConstructor {
  <Subject>(id: string, body: RuleText & RuleCheck<Subject>): Rule<Subject>
  /** A rule that is checked elsewhere. */
  (id: string, body: RuleText): RuleHead
}

const ruleOf =
  (severity: Severity): RuleConstructor =>
  (id: string, body: RuleText) =>
    ({ id, severity, ...body }) as never

export const errorRule = ruleOf('error')
export const warningRule = ruleOf('warning')
export const hintRule = ruleOf('hint')

/** The value at a path, as a finding reports it. */
export function quote(path: string, value: unknown): string {
  return `${path}: ${got(value)}`
}

/** Reports the value at a path if it violates a rule. */
export function quoteIf(violates: boolean, path: string, value: unknown): string | undefined {
  return violates ? quote(path, value) : undefined
}

/** The check of one element of a JSON object, which reports its value if it violates the rule. */
export type ElementCheck<Subject> = (
  name: string,
  violates: (value: unknown, subject: Subject) => boolean,
) => RuleCheck<Subject>['find']

/** Makes the checks of elements of one object, whose path precedes their names: `output[2].`. */
export function elementChecks<Subject>(
  objectOf: (subject: Subject) => Json,
  pathOf: (subject: Subject) => string = () => '',
): ElementCheck<Subject> {
  return (name, violates) => (subject) => {
    const value = objectOf(subject)[name]
    return violates(value, subject) ? quote(pathOf(subject) + name, value) : undefined
  }
}

/** True for an element, or the `_name` of one, whose extension `data-absent-reason` says why its value is absent. */
export function saysWhyAbsent(element: unknown): boolean {
  const holder = asObject(element)
  return holder !== undefined && extensions(holder, 'data-absent-reason').length > 0
}

/** The value if it is a string, otherwise an empty string: an object from outside may not even have `toString()`. */
export function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
