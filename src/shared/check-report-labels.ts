import type { CheckReport } from './contract/feed-checks.ts'

/** The generations of SMART Scheduling Links: the vaccine specification, the general draft, the HL7 guide. */
export const GENERATIONS = ['vaccine-2021', 'draft-2025', 'stu1'] as const
export type Generation = (typeof GENERATIONS)[number]

/**
 * What a finding means to callers: an `error` would be rejected, left out or misread; a `warning` is against the
 * specification and read leniently; a `hint` is allowed, and could be better.
 */
export const SEVERITIES = ['error', 'warning', 'hint'] as const
export type Severity = (typeof SEVERITIES)[number]

/** What the generations are called. */
export const GENERATION_NAMES: Readonly<Record<Generation, string>> = {
  'vaccine-2021': 'vaccine specification of 2021',
  'draft-2025': 'general draft of 2025',
  stu1: 'HL7 guide, STU 1 (2026)',
}

/** What each severity means to a publisher. */
export const SEVERITY_MEANINGS: Readonly<Record<Severity, string>> = {
  error: 'rejected, left out or misread',
  warning: 'against the specification, read leniently',
  hint: 'allowed, and could be better',
}

/** What came of a check, in a sentence. */
export function verdictOf({ unreadable, stopped, counts }: CheckReport): string {
  if (unreadable !== undefined) return `Nothing of this feed would be taken: ${unreadable}.`
  const early = stopped === undefined ? '' : ` The check ended early: ${stopped}.`
  if (counts.error > 0) return `There ${isAre(counts.error, 'error')}.${early}`
  if (stopped !== undefined) return `The check ended early, with no error so far: ${stopped}.`
  if (counts.warning > 0) return `It can be read; there ${isAre(counts.warning, 'warning')}.`
  if (counts.hint > 0) return `It is right; there ${isAre(counts.hint, 'hint')}.`
  return 'Nothing is wrong with it.'
}

/** What callers would see, in sentences: `[what, how many]`. */
export function servedRows({ lines, served }: CheckReport): readonly (readonly [string, string])[] {
  const count = (value: number) => value.toLocaleString('en-US')
  const statuses = Object.entries(served.byStatus).filter(([, slots]) => slots > 0)
  const states = Object.entries(served.byState)
  return [
    ['lines of slots', count(lines.slots)],
    ['slots that callers would see', count(lines.served)],
    ['rejected', count(lines.rejected)],
    ['never served (entered in error, no patients)', count(lines.withheld)],
    ['by status', statuses.map(([status, slots]) => `${status} ${count(slots)}`).join(', ') || '-'],
    ['in person, virtual, both', [served.inPerson, served.virtual, served.both].map(count).join(', ')],
    ['by state', states.map(([state, slots]) => `${state} ${count(slots)}`).join(', ') || '-'],
    ['found by no state', count(served.stateless)],
    ['from, to', served.firstStart === undefined ? '-' : `${served.firstStart}, ${served.lastEnd}`],
    ['that have ended (shown only with startAfter)', count(served.ended)],
    ['schedules with slots', count(served.schedules)],
    ['rejected lines of other files', `${count(lines.directoryRejected)} of ${count(lines.directory)}`],
  ]
}

/** `is 1 error`, `are 2 errors`. */
function isAre(count: number, what: string): string {
  return count === 1 ? `is 1 ${what}` : `are ${count.toLocaleString('en-US')} ${what}s`
}
