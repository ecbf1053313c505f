import type { Conformance, StatementResult } from './contract/feed-checks.ts'

/** The profiles of a check: what a feed is compared with, statement by statement. */
export const PROFILES = ['slot-directory'] as const
export type Profile = (typeof PROFILES)[number]

/** The names of the profiles. */
export const PROFILE_NAMES: Readonly<Record<Profile, string>> = { 'slot-directory': 'Slot Directory' }

/** Where statements come from, in the order of a report. */
export const STATEMENT_SOURCES = ['community', 'bulk-publish', 'guide'] as const
export type StatementSource = (typeof STATEMENT_SOURCES)[number]

/** The headings of the sources. */
export const SOURCE_NAMES: Readonly<Record<StatementSource, string>> = {
  community: 'Community checks of a Slot Directory (Connectathon 41, January 2026)',
  'bulk-publish': 'Bulk Publish (HL7 Bulk Data Access 4.0.0, ballot of September 2026)',
  guide: 'SMART Scheduling Links guide, STU 1: numbered statements',
}

/** How binding a statement is; a `CHECK` is one of the community. */
export const LEVELS = ['CHECK', 'SHALL', 'SHALL NOT', 'SHOULD', 'SHOULD NOT', 'MAY'] as const

export const CONFORMANCE_RESULTS = ['met', 'not-met', 'unchecked'] as const
export type ConformanceResult = (typeof CONFORMANCE_RESULTS)[number]

export const RESULT_NAMES: Readonly<Record<ConformanceResult, string>> = {
  met: 'Met',
  'not-met': 'Not met',
  unchecked: 'Could not be checked',
}

/** True for a statement that a conforming feed must meet. */
function isRequired({ level }: Pick<StatementResult, 'level'>): boolean {
  return level === 'CHECK' || level.startsWith('SHALL')
}

/** The required statements that are not met. */
export function violatedRequirements({ statements }: Conformance): StatementResult[] {
  return statements.filter((one) => one.result === 'not-met' && isRequired(one))
}

/** The result in a sentence. */
export function conformanceVerdict(conformance: Conformance): string {
  const { counts, profile } = conformance
  const name = PROFILE_NAMES[profile]
  const violated = violatedRequirements(conformance)
  const summary = `statements met: ${counts.met}, not met: ${counts['not-met']}, could not be checked: ${counts.unchecked}`
  if (violated.length > 0)
    return `Does not conform to ${name}: ${violated.map(({ id }) => id).join(', ')} (${summary}).`
  const open = conformance.statements.filter((one) => one.source === 'community' && one.result === 'unchecked')
  if (open.length > 0) return `Conformance to ${name} is not proven (${summary}).`
  return `Conforms to ${name} (${summary}).`
}
