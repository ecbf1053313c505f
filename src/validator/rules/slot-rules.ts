import type { Directory } from '../../feeds/fhir/directory.ts'
import { parseReference } from '../../feeds/fhir/reference.ts'
import { asObject } from '../../lib/json.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import { parseInstant, parseRfc3339 } from '../../slot/instant.ts'
import { SLOT_STATUSES, type Slot } from '../../slot/slot.ts'
import { got, textOrNothing } from '../quoted-value.ts'
import type { Rule, RuleHead } from '../rule.ts'
import { formatOffset, offsetMinutesOf, offsetsInUse } from '../state-offsets.ts'
import type { ResourceSubject } from './resource-rules.ts'

/** A Slot, and what it is joined with. */
export interface SlotSubject extends ResourceSubject {
  readonly directory: Directory
}

const STATUSES: readonly unknown[] = [...SLOT_STATUSES, 'entered-in-error']

/** What a Slot must be. */
export const SLOT_RULES: readonly Rule<SlotSubject>[] = [
  {
    id: 'slot-status',
    severity: 'error',
    right:
      '`status` is `free`, `busy`, `busy-unavailable`, `busy-tentative` or `entered-in-error`; another is rejected',
    source: 'FHIR R4: Slot.status',
    find: ({ resource: { status } }) => (STATUSES.includes(status) ? undefined : got('status', status)),
  },
  {
    id: 'slot-status-of-2021',
    severity: 'hint',
    generations: ['vaccine-2021', 'draft-2025'],
    right: '`status` is `free` or `busy`',
    source: 'Slot file: status',
    find: ({ resource: { status } }) =>
      STATUSES.includes(status) && status !== 'free' && status !== 'busy' ? got('status', status) : undefined,
  },
  {
    id: 'slot-withdrawn',
    severity: 'hint',
    right: 'a slot entered in error is removed from the feed; it is never served',
    source: 'FHIR R4: Slot.status',
    find: ({ resource: { status } }) => (status === 'entered-in-error' ? got('status', status) : undefined),
  },
  {
    id: 'slot-schedule',
    severity: 'error',
    right: '`schedule.reference` names a Schedule: `Schedule/456`; a slot without one is rejected',
    source: 'Slot file: schedule; FHIR R4: Slot.schedule',
    find: ({ resource: { schedule } }) =>
      parseReference(asObject(schedule) ?? {}) === undefined
        ? got('schedule.reference', asObject(schedule)?.reference ?? schedule)
        : undefined,
  },
  {
    id: 'slot-schedule-dangling',
    severity: 'error',
    right: 'the Schedule of a slot is in the feed; otherwise the slot is rejected',
    source: 'Slot file: schedule',
    find: ({ resource: { schedule }, directory }) => {
      const target = parseReference(asObject(schedule) ?? {})
      if (target === undefined || directory.find('Schedule', target) !== undefined) return undefined
      return got('schedule.reference', asObject(schedule)?.reference)
    },
  },
  {
    id: 'slot-start',
    severity: 'error',
    right: '`start` is a time with an offset: `2026-03-21T10:45:00-04:00`; a slot without one is rejected',
    source: 'FHIR R4: Slot.start, instant; guide: sched-1',
    find: ({ resource: { start } }) => (instantOf(start) === undefined ? got('start', start) : undefined),
  },
  {
    id: 'slot-end',
    severity: 'error',
    right: '`end` is a time with an offset: `2026-03-21T11:15:00-04:00`; a slot without one is rejected',
    source: 'FHIR R4: Slot.end, instant; guide: sched-1',
    find: ({ resource: { end } }) => (instantOf(end) === undefined ? got('end', end) : undefined),
  },
  {
    id: 'slot-instant-form',
    severity: 'warning',
    right: 'times are written in full: seconds, a capital T, hours and minutes of the offset',
    source: 'FHIR R4: instant; guide: sched-1',
    find: ({ resource }) => {
      const loose = (['start', 'end'] as const).filter((name) => isLooseInstant(resource[name]))
      return loose.length === 0 ? undefined : loose.map((name) => got(name, resource[name]))
    },
  },
  {
    id: 'slot-order',
    severity: 'error',
    right: '`end` is not before `start`; otherwise the slot is rejected',
    source: 'Slot file: start, end',
    find: ({ resource: { start, end } }) =>
      (instantOf(end) ?? Number.NaN) < (instantOf(start) ?? Number.NaN)
        ? got('end', `${textOrNothing(end)} before ${textOrNothing(start)}`)
        : undefined,
  },
  {
    id: 'slot-without-length',
    severity: 'warning',
    right: '`end` is after `start`',
    source: 'Slot file: start, end',
    find: ({ resource: { start, end } }) =>
      instantOf(end) !== undefined && instantOf(end) === instantOf(start) ? got('end', end) : undefined,
  },
  {
    id: 'slot-long',
    severity: 'hint',
    right: 'a slot is a narrow window: more than 12 hours only specify the day',
    source: 'Slot file: start; guide: sched-10',
    find: ({ resource: { start, end } }) =>
      (instantOf(end) ?? 0) - (instantOf(start) ?? 0) > LONG_MS && instantOf(start) !== undefined
        ? got('end', `${textOrNothing(end)} after ${textOrNothing(start)}`)
        : undefined,
  },
  {
    id: 'slot-far-ahead',
    severity: 'warning',
    right: 'a slot lies within the next two years',
    source: 'Slot file: start',
    find: ({ resource: { start }, nowMs }) =>
      (instantOf(start) ?? nowMs) > nowMs + FAR_MS ? got('start', start) : undefined,
  },
  {
    id: 'slot-ended',
    severity: 'hint',
    right: 'ended slots are removed from the feed; they are served only with `startAfter`',
    source: 'Slot file: end',
    find: ({ resource: { end }, nowMs }) => ((instantOf(end) ?? nowMs) < nowMs ? got('end', end) : undefined),
  },
]

const LONG_MS = 12 * HOUR_MS
const FAR_MS = 2 * 366 * DAY_MS

/** A slot as callers would get it. */
export interface ServedSubject {
  readonly slot: Slot
  /** Where its file is from; empty for one of a folder. */
  readonly host: string
}

/** What can be said of a slot only with its Location. */
export const SERVED_RULES: readonly Rule<ServedSubject>[] = [
  {
    id: 'slot-offset',
    severity: 'warning',
    right: "the UTC offset is used in the Location's state on that date; it is served unchanged",
    source: 'Slot file: start; tz database',
    find: ({ slot }) => {
      const wrong = [wrongOffset(slot, 'start', slot.startMs), wrongOffset(slot, 'end', slot.endMs)]
      const [first] = wrong.filter((found) => found !== undefined)
      return first
    },
  },
  {
    id: 'slot-offset-utc',
    severity: 'hint',
    right: 'times are in local time with its UTC offset, so that the local time can be shown',
    source: 'Slot file: start',
    find: ({ slot: { start, end, offering } }) => {
      if (offering.location?.state === undefined) return undefined
      if (offsetMinutesOf(start) === 0) return got('start', start)
      return offsetMinutesOf(end) === 0 ? got('end', end) : undefined
    },
  },
  {
    id: 'booking-deep-link-leads',
    severity: 'warning',
    right: 'the booking link is public: it has no private host and no unfilled placeholder',
    source: 'Slot file: booking-deep-link',
    find: ({ slot: { bookingDeepLink: link }, host }) =>
      link !== undefined && (isPrivate(link, host) || UNFILLED.test(link))
        ? got('extension booking-deep-link', link)
        : undefined,
  },
  {
    id: 'slot-capacity-none',
    severity: 'warning',
    right: 'a free slot has a capacity of at least one; one that is full is busy',
    source: 'Slot file: slot-capacity',
    find: ({ slot: { status, capacity } }) =>
      status === 'free' && capacity === 0 ? got('extension slot-capacity', 0) : undefined,
  },
  {
    id: 'slot-no-way-to-book',
    severity: 'hint',
    right: 'a free slot or its Location has a link or telephone number for booking',
    source: 'Slot file: extensions; guide: Slot, must support',
    find: ({ slot: { status, bookingDeepLink, offering } }) => {
      const { bookingPhone, location } = offering
      const known = bookingDeepLink ?? bookingPhone ?? location?.phone ?? location?.website
      return status === 'free' && known === undefined ? 'extension: got "nothing to book by"' : undefined
    },
  },
]

/** Found by reading. */
export const SLOT_TWICE: RuleHead = {
  id: 'slot-published-twice',
  severity: 'error',
  right: 'a slot is published once; a second one of the same Schedule, id, start and end is rejected',
  source: 'Slot file: id',
}

/** Found by reading. */
export const SLOT_ID_REPEATED: RuleHead = {
  id: 'slot-id-repeated',
  severity: 'warning',
  right: '`id` is unique among the slots of a feed; slots with the same id are distinguished by their times',
  source: 'Slot file: id; FHIR R4: Resource.id',
}

/** What programs write where they know nothing, and templates that nobody filled in. */
const UNFILLED =
  /\$\{|\{\{|%7B%7B|\$%7B|[/=](?:undefined|null|NaN|\[object(?:%20| )Object\])(?:[/?&#]|$)|[/=](?:\{|%7B)\w+(?:\}|%7D)/

/** A host of a network that patients are not in; a feed that is tried out on such a host leads to itself. */
function isPrivate(link: string, host: string): boolean {
  const { hostname } = new URL(link)
  if (hostname === host) return false
  if (/^(?:localhost|\[.*\])$|\.(?:localhost|local|internal|lan|test|invalid)$/.test(hostname)) return true
  if (/^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d+)+$/.test(hostname)) return true
  return !hostname.includes('.')
}

function instantOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseInstant(value)?.ms : undefined
}

function isLooseInstant(value: unknown): boolean {
  return (
    instantOf(value) !== undefined &&
    (parseRfc3339(String(value)) === undefined ||
      !/^[\d-]{10}T[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(String(value)))
  )
}

/** Zero is another matter: it is UTC, and right everywhere. */
function wrongOffset({ offering, ...slot }: Slot, name: 'start' | 'end', atMs: number): string | undefined {
  const state = offering.location?.state
  if (state === undefined) return undefined
  const minutes = offsetMinutesOf(slot[name])
  if (minutes === 0) return undefined
  const inUse = offsetsInUse(state, atMs)
  if (inUse.length === 0 || inUse.includes(minutes)) return undefined
  return `${got(name, slot[name])} in ${state}, where clocks show ${inUse.map(formatOffset).join(' or ')}`
}
