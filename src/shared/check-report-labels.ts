import { groupDigits } from '../lib/text.ts'
import type { CheckReport } from './contract/feed-checks.ts'

/** The generations of SMART Scheduling Links: the vaccine specification, the general draft, the HL7 guide. */
export const GENERATIONS = ['vaccine-2021', 'draft-2025', 'stu1'] as const
export type Generation = (typeof GENERATIONS)[number]

/**
 * The meaning of a finding to callers: an `error` is rejected, dropped or misread; a `warning` violates the
 * specification but is read leniently; a `hint` is allowed but could be improved.
 */
export const SEVERITIES = ['error', 'warning', 'hint'] as const
export type Severity = (typeof SEVERITIES)[number]

/** The names of the generations. */
export const GENERATION_NAMES: Readonly<Record<Generation, string>> = {
  'vaccine-2021': 'vaccine specification of 2021',
  'draft-2025': 'general draft of 2025',
  stu1: 'HL7 guide, STU 1 (2026)',
}

/** Completes "Findings that are …". */
export const SEVERITY_MEANINGS: Readonly<Record<Severity, string>> = {
  error: 'rejected, dropped or misread',
  warning: 'violations of the specification, read leniently',
  hint: 'possible improvements',
}

/** The result of a check, in a sentence. */
export function verdictOf({ unreadable, stopped, counts }: CheckReport): string {
  if (unreadable !== undefined) return `This feed cannot be imported: ${unreadable}.`
  const early = stopped === undefined ? '' : ` The check ended early: ${stopped}.`
  if (counts.error > 0) return `There ${isAre(counts.error, 'error')}.${early}`
  if (stopped !== undefined) return `The check ended early, with no error so far: ${stopped}.`
  if (counts.warning > 0) return `The feed is readable; there ${isAre(counts.warning, 'warning')}.`
  if (counts.hint > 0) return `The feed is valid; there ${isAre(counts.hint, 'hint')}.`
  return 'No problems found.'
}

/** Statistics of the served data, as `[label, value]`. */
export function servedRows({ lines, served }: CheckReport): readonly (readonly [string, string])[] {
  return [
    ['Slot lines', groupDigits(lines.slots)],
    ['Slots served', groupDigits(lines.served)],
    ['Slots rejected', groupDigits(lines.rejected)],
    ['Never served (entered in error, accepts no patients)', groupDigits(lines.withheld)],
    ...(lines.superseded === 0 ? [] : [['Replaced or deleted by later pages', groupDigits(lines.superseded)] as const]),
    ['First start, last end', served.firstStart === undefined ? '-' : `${served.firstStart}, ${served.lastEnd}`],
    ['Already ended (only shown with startAfter)', groupDigits(served.ended)],
    ['Schedules with slots', groupDigits(served.schedules)],
    ['Rejected lines in other files', `${groupDigits(lines.directoryRejected)} of ${groupDigits(lines.directory)}`],
  ]
}

/** Numbers of served slots by one property. */
export interface ServedBreakdown {
  readonly title: string
  /** Without zeros. */
  readonly counts: readonly (readonly [name: string, slots: number])[]
}

/** The served slots by status, by mode and by state, the most frequent state first. A slot of several states counts in each. */
export function servedCounts({ served }: CheckReport): readonly ServedBreakdown[] {
  const { byStatus, byState, inPerson, virtual, both, stateless } = served
  const all: readonly ServedBreakdown[] = [
    { title: 'By status', counts: Object.entries(byStatus) },
    {
      title: 'In person or virtual',
      counts: [
        ['In person', inPerson - both],
        ['Virtual', virtual - both],
        ['Both', both],
      ],
    },
    { title: 'By state', counts: [...Object.entries(byState), ['No state', stateless]] },
  ]
  return all
    .map(({ title, counts }) => ({ title, counts: counts.filter(([, slots]) => slots > 0) }))
    .filter(({ counts }) => counts.length > 0)
}

/** `is 1 error`, `are 2 errors`. */
function isAre(count: number, noun: string): string {
  return count === 1 ? `is 1 ${noun}` : `are ${groupDigits(count)} ${noun}s`
}
