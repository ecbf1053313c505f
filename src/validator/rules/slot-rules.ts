import { parseReference, type Target } from '../../feeds/fhir/data-types.ts'
import type { Directory } from '../../feeds/fhir/directory.ts'
import { SLOT_HOURS_MAX } from '../../feeds/slot-bounds.ts'
import { asObject, type Json } from '../../lib/json.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import { parseInstant, parseRfc3339 } from '../../slot/instant.ts'
import { SLOT_STATUSES, type Slot } from '../../slot/slot.ts'
import { errorRule, hintRule, quote, quoteIf, type Rule, stringOrEmpty, warningRule } from '../rule.ts'
import { formatOffset, offsetMinutesOf, offsetsInUse } from '../us-states.ts'
import { type ResourceSubject, resourceElement } from './resource-rules.ts'

/** A Slot and the directory that it refers to. */
export interface SlotSubject extends ResourceSubject {
  readonly directory: Directory
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
    right: 'times are written in full: seconds, a capital T, hours and minutes of the offset',
    source: 'FHIR R4: instant; guide: sched-1',
    find: ({ resource }) =>
      ['start', 'end'].filter((name) => isLooseInstant(resource[name])).map((name) => quote(name, resource[name])),
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
  hintRule('slot-ended', {
    right: 'ended slots are removed from the feed; they are served only with `startAfter`',
    source: 'Slot file: end',
    find: resourceElement('end', (end, { nowMs }) => (instantOf(end) ?? nowMs) < nowMs),
  }),
]

const LONG_MS = 12 * HOUR_MS
const TOO_LONG_MS = SLOT_HOURS_MAX * HOUR_MS
const FAR_MS = 2 * 366 * DAY_MS

/** A slot as it is served. */
export interface ServedSubject {
  readonly slot: Slot
  /** The host of its file; empty for a folder. */
  readonly host: string
}

/** Rules that need the slot together with its Location. */
export const SERVED_RULES: readonly Rule<ServedSubject>[] = [
  warningRule('slot-offset', {
    right: "the UTC offset is used in the Location's state on that date; it is served unchanged",
    source: 'Slot file: start; tz database',
    find: ({ slot }) => wrongOffset(slot, 'start', slot.startMs) ?? wrongOffset(slot, 'end', slot.endMs),
  }),
  hintRule('slot-offset-utc', {
    right: 'times are in local time with its UTC offset, so that the local time can be shown',
    source: 'Slot file: start',
    find: ({ slot: { start, end, offering } }) => {
      if (offering.location?.state === undefined) return undefined
      if (offsetMinutesOf(start) === 0) return quote('start', start)
      return quoteIf(offsetMinutesOf(end) === 0, 'end', end)
    },
  }),
  warningRule('booking-deep-link-leads', {
    right: 'the booking link is public: it has no private host and no unfilled placeholder',
    source: 'Slot file: booking-deep-link',
    find: ({ slot: { bookingDeepLink: link }, host }) => {
      const isUseless = link !== undefined && (isPrivate(link, host) || UNFILLED.test(link))
      return quoteIf(isUseless, 'extension booking-deep-link', link)
    },
  }),
  warningRule('slot-capacity-none', {
    right: 'a free slot has a capacity of at least one; one that is full is busy',
    source: 'Slot file: slot-capacity',
    find: ({ slot: { status, capacity } }) =>
      quoteIf(status === 'free' && capacity === 0, 'extension slot-capacity', 0),
  }),
  hintRule('slot-no-way-to-book', {
    right: 'a free slot or its Location has a link or telephone number for booking',
    source: 'Slot file: extensions; guide: Slot, must support',
    find: ({ slot: { status, bookingDeepLink, offering } }) => {
      const { bookingPhone, location } = offering
      const known = bookingDeepLink ?? bookingPhone ?? location?.phone ?? location?.website
      return status === 'free' && known === undefined ? 'no booking link, telephone number or website' : undefined
    },
  }),
]

/** Rules that are checked while slots are read. */
export const NOTED_SLOT_RULES = {
  publishedTwice: errorRule('slot-published-twice', {
    right: 'a slot is published once; a second one of the same Schedule, id, start and end is rejected',
    source: 'Slot file: id',
  }),
  offeringTooLarge: errorRule('slot-offering-size', {
    right:
      'the data that slots share (location, provider and service) has at most 4096 bytes as JSON; a slot with more is rejected',
    source: 'this service',
  }),
  idRepeated: warningRule('slot-id-repeated', {
    right: '`id` is unique among the slots of a feed; slots with the same id are distinguished by their times',
    source: 'Slot file: id; FHIR R4: Resource.id',
  }),
}

/** Unfilled templates, and the texts of undefined values. */
const UNFILLED =
  /\$\{|\{\{|%7B%7B|\$%7B|[/=](?:undefined|null|NaN|\[object(?:%20| )Object\])(?:[/?&#]|$)|[/=](?:\{|%7B)\w+(?:\}|%7D)/

/** True for a host in a private network; links to the host of the feed itself are allowed. */
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

/** In milliseconds; not a number if `start` or `end` is invalid. */
function lengthOf({ start, end }: Json): number {
  return (instantOf(end) ?? Number.NaN) - (instantOf(start) ?? Number.NaN)
}

function targetOf(schedule: unknown): Target | undefined {
  return parseReference(asObject(schedule) ?? {})
}

function isLooseInstant(value: unknown): boolean {
  return (
    instantOf(value) !== undefined &&
    (parseRfc3339(String(value)) === undefined || !/^[\d-]{10}T[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(String(value)))
  )
}

/** An offset of zero is UTC and always correct; another rule reports it. */
function wrongOffset({ offering, ...slot }: Slot, name: 'start' | 'end', atMs: number): string | undefined {
  const state = offering.location?.state
  if (state === undefined) return undefined
  const minutes = offsetMinutesOf(slot[name])
  if (minutes === 0) return undefined
  const inUse = offsetsInUse(state, atMs)
  if (inUse.length === 0 || inUse.includes(minutes)) return undefined
  return `${quote(name, slot[name])} in ${state}, where clocks show ${inUse.map(formatOffset).join(' or ')}`
}
