import { extensionName, parseReference, type Target } from '../../feeds/fhir/data-types.ts'
import type { Directory } from '../../feeds/fhir/directory.ts'
import type { PeriodBounds } from '../../feeds/fhir/period.ts'
import { SLOT_HOURS_MAX } from '../../feeds/slot-bounds.ts'
import { asObject, type Json, objectsIn } from '../../lib/json.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import { parseInstant, parseRfc3339 } from '../../slot/instant.ts'
import { SLOT_STATUSES } from '../../slot/slot.ts'
import { errorRule, hintRule, quote, quoteIf, type Rule, stringOrEmpty, warningRule } from '../rule.ts'
import { type ResourceSubject, resourceElement } from './resource-rules.ts'

/** A Slot and the directory that it refers to. */
interface SlotSubject extends ResourceSubject {
  readonly directory: Directory
  /** The `planningHorizon` of its Schedule. */
  readonly horizon?: PeriodBounds | undefined
}

const STATUSES: readonly unknown[] = [...SLOT_STATUSES, 'entered-in-error']

/** Rules for Slots. */
export const SLOT_RULES: readonly Rule<SlotSubject>[] = [
  errorRule('slot-status', {
    right:
      '`status` is `free`, `busy`, `busy-unavailable`, `busy-tentative` or `entered-in-error`; another is rejected',
    source: 'FHIR R4: Slot.status',
    find: resourceElement('status', (status) => !STATUSES.includes(status)),
  }),
  hintRule('slot-status-of-2021', {
    generations: ['vaccine-2021', 'draft-2025'],
    right: '`status` is `free` or `busy`',
    source: 'Slot file: status',
    find: resourceElement('status', (status) => STATUSES.includes(status) && status !== 'free' && status !== 'busy'),
  }),
  hintRule('slot-withdrawn', {
    right: 'a slot entered in error is removed from the feed; it is never served',
    source: 'FHIR R4: Slot.status',
    find: resourceElement('status', (status) => status === 'entered-in-error'),
  }),
  errorRule('slot-schedule', {
    right: '`schedule.reference` names a Schedule: `Schedule/456`; a slot without one is rejected',
    source: 'Slot file: schedule; FHIR R4: Slot.schedule',
    find: ({ resource: { schedule } }) => {
      const { reference } = asObject(schedule) ?? {}
      return quoteIf(targetOf(schedule) === undefined, 'schedule.reference', reference ?? schedule)
    },
  }),
  errorRule('slot-schedule-dangling', {
    right: 'the Schedule of a slot is in the feed; otherwise the slot is rejected',
    source: 'Slot file: schedule',
    find: ({ resource: { schedule }, directory }) => {
      const target = targetOf(schedule)
      if (target === undefined || directory.find('Schedule', target) !== undefined) return undefined
      return quote('schedule.reference', asObject(schedule)?.reference)
    },
  }),
  errorRule('slot-start', {
    right: '`start` is a time with an offset: `2026-03-21T10:45:00-04:00`; a slot without one is rejected',
    source: 'FHIR R4: Slot.start, instant; guide: sched-1',
    find: resourceElement('start', (start) => instantOf(start) === undefined),
  }),
  errorRule('slot-end', {
    right: '`end` is a time with an offset: `2026-03-21T11:15:00-04:00`; a slot without one is rejected',
    source: 'FHIR R4: Slot.end, instant; guide: sched-1',
    find: resourceElement('end', (end) => instantOf(end) === undefined),
  }),
  warningRule('slot-instant-form', {
    right: 'times are written in full: seconds, a capital T, hours and minutes of the offset, which is at most 14:00',
    source: 'FHIR R4: instant; guide: sched-1',
    find: ({ resource }) =>
      ['start', 'end'].filter((name) => isLooseInstant(resource[name])).map((name) => quote(name, resource[name])),
  }),
  hintRule('slot-instant-fraction', {
    right: 'a fraction of a second has at most nine digits; slots are ordered by milliseconds',
    source: 'FHIR R4: instant',
    find: ({ resource }) =>
      ['start', 'end'].filter((name) => hasLongFraction(resource[name])).map((name) => quote(name, resource[name])),
  }),
  errorRule('slot-order', {
    right: '`end` is not before `start`; otherwise the slot is rejected',
    source: 'Slot file: start, end',
    find: ({ resource }) =>
      quoteIf(lengthOf(resource) < 0, 'end', `${stringOrEmpty(resource.end)} before ${stringOrEmpty(resource.start)}`),
  }),
  warningRule('slot-without-length', {
    right: '`end` is after `start`',
    source: 'Slot file: start, end',
    find: resourceElement('end', (_, { resource }) => lengthOf(resource) === 0),
  }),
  hintRule('slot-long', {
    right: 'a slot is a narrow window: more than 12 hours only specify the day',
    source: 'Slot file: start; guide: sched-10',
    find: ({ resource }) =>
      quoteIf(
        lengthOf(resource) > LONG_MS && lengthOf(resource) <= TOO_LONG_MS,
        'end',
        `${stringOrEmpty(resource.end)} after ${stringOrEmpty(resource.start)}`,
      ),
  }),
  errorRule('slot-too-long', {
    right: 'a slot lasts at most 36 hours; a longer one is rejected',
    source: 'this service',
    find: ({ resource }) =>
      quoteIf(
        lengthOf(resource) > TOO_LONG_MS,
        'end',
        `${stringOrEmpty(resource.end)} after ${stringOrEmpty(resource.start)}`,
      ),
  }),
  warningRule('slot-far-ahead', {
    right: 'a slot lies within the next two years',
    source: 'Slot file: start',
    find: resourceElement('start', (start, { nowMs }) => (instantOf(start) ?? nowMs) > nowMs + FAR_MS),
  }),
  hintRule('slot-outside-horizon', {
    right: 'a slot lies within the `planningHorizon` of its Schedule, or less than a day outside',
    source: 'FHIR R4: Schedule.planningHorizon',
    find: ({ resource: { start, end }, horizon: { fromMs, toMs } = EVER }) => {
      const isOutside = (instantOf(start) ?? fromMs) < fromMs - DAY_MS || (instantOf(end) ?? toMs) > toMs + DAY_MS
      return quoteIf(isOutside, 'start', start)
    },
  }),
  warningRule('slot-overbooked', {
    right: 'an overbooked slot is busy: `overbooked` is not read',
    source: 'FHIR R4: Slot.overbooked',
    find: resourceElement('overbooked', (overbooked, { resource: { status } }) => {
      return overbooked === true && (status === 'free' || status === 'busy-tentative')
    }),
  }),
  warningRule('slot-patient-type', {
    generations: ['stu1'],
    right: 'the extension `patient-type` says whether new patients are accepted',
    source: 'Guide: Slot profile',
    find: ({ resource: { extension } }) => {
      const isProvided = objectsIn(extension).some(({ url }) => extensionName(url) === 'patient-type')
      return isProvided ? undefined : quote('extension patient-type', undefined)
    },
  }),
  hintRule('slot-ended', {
    right: 'ended slots are removed from the feed; they are served only with `startAfter`',
    source: 'Slot file: end',
    find: resourceElement('end', (end, { nowMs }) => (instantOf(end) ?? nowMs) < nowMs),
  }),
]

const EVER: PeriodBounds = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }
const LONG_MS = 12 * HOUR_MS
const TOO_LONG_MS = SLOT_HOURS_MAX * HOUR_MS
const FAR_MS = 2 * 366 * DAY_MS

/** Rules that are checked while slots are read. */
export const NOTED_SLOT_RULES = {
  publishedTwice: errorRule('slot-published-twice', {
    right: 'a slot is published once; a second one of the same Schedule, id, start and end is rejected',
    source: 'Slot file: id',
  }),
  contradictory: errorRule('slot-contradictory', {
    right: 'a slot is not published as free and as not free; it is served as not free, and the other one is rejected',
    source: 'Slot file: id, status',
  }),
  offeringTooLarge: errorRule('slot-offering-size', {
    right:
      'the data that slots share (location, provider and service) has at most 4096 bytes as JSON; a slot with more is rejected',
    source: 'this service',
  }),
  timeRepeated: hintRule('slot-time-repeated', {
    right:
      'a Schedule offers a time once; several slots at one time are several places, or the same slot under two ids',
    source: 'Slot file: id',
  }),
  idRepeated: warningRule('slot-id-repeated', {
    right: '`id` is unique among the slots of a feed; slots with the same id are distinguished by their times',
    source: 'Slot file: id; FHIR R4: Resource.id',
  }),
}

function instantOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseInstant(value)?.ms : undefined
}

/** In milliseconds; not a number if `start` or `end` is invalid. */
function lengthOf({ start, end }: Json): number {
  return (instantOf(end) ?? Number.NaN) - (instantOf(start) ?? Number.NaN)
}

function targetOf(schedule: unknown): Target | undefined {
  return parseReference(asObject(schedule) ?? {})
}

function isLooseInstant(value: unknown): boolean {
  return (
    instantOf(value) !== undefined && (parseRfc3339(String(value)) === undefined || !PLAIN_INSTANT.test(String(value)))
  )
}

/** Offsets end at 14:00, as in the regular expression of FHIR. */
const PLAIN_INSTANT = /^[\d-]{10}T[\d:.]+(?:Z|[+-](?:(?:0\d|1[0-3]):\d\d|14:00))$/

function hasLongFraction(value: unknown): boolean {
  return instantOf(value) !== undefined && /\.\d{10}/.test(String(value))
}
