import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import type { Slot } from '../../slot/slot.ts'
import { hintRule, quote, quoteIf, type Rule, warningRule } from '../rule.ts'
import { formatOffset, offsetMinutesOf, offsetsInUse } from '../us-states.ts'
import { isLoopback } from './http-rules.ts'

/** A slot as it is served. */
interface ServedSubject {
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
  hintRule('slot-at-night', {
    right: 'an appointment in person starts by day; a start between midnight and 5:00 may be a wrong UTC offset',
    source: 'Slot file: start; tz database',
    find: ({ slot }) => quoteIf(isAtNight(slot), 'start', slot.start),
  }),
  warningRule('booking-deep-link-leads', {
    right: 'the booking link is public: it has no private host and no unfilled placeholder',
    source: 'Slot file: booking-deep-link',
    find: ({ slot: { bookingDeepLink: link }, host }) => {
      const isUseless = link !== undefined && (isPrivate(link, host) || UNFILLED.test(link))
      return quoteIf(isUseless, 'extension booking-deep-link', link)
    },
  }),
  hintRule('booking-deep-link-secure', {
    right: 'the booking link is https, so that no one on the way can read or change what patients enter',
    source: 'RFC 9110, 4.2.2',
    find: ({ slot: { bookingDeepLink: link } }) =>
      quoteIf(link?.startsWith('http:') === true && !isLoopback(new URL(link)), 'extension booking-deep-link', link),
  }),
  hintRule('booking-deep-link-example', {
    right: 'the booking link has the host of the booking portal, not one reserved for examples',
    source: 'RFC 2606, 3',
    find: ({ slot: { bookingDeepLink: link } }) =>
      quoteIf(
        link !== undefined && /(?:^|\.)example\.(?:com|net|org)$/.test(new URL(link).hostname),
        'extension booking-deep-link',
        link,
      ),
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

/** Unfilled templates, and the texts of undefined values. */
const UNFILLED =
  /\$\{|\{\{|%7B%7B|\$%7B|[/=](?:undefined|null|None|NaN|\[object(?:%20| )Object\])(?:[/?&#]|$)|[/=](?:\{|%7B|%3C)[\w.-]+(?:\}|%7D|%3E)|%(?![\dA-Fa-f]{2})[A-Za-z_]\w*%/

/** True for a host in a private network; links to the host of the feed itself are allowed. */
function isPrivate(link: string, host: string): boolean {
  const { hostname } = new URL(link)
  if (hostname === host) return false
  if (/^(?:localhost|\[.*\])$|\.(?:localhost|local|internal|lan|test|invalid)$/.test(hostname)) return true
  if (/^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d+)+$/.test(hostname)) return true
  return !hostname.includes('.')
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

/** The hours from midnight in which clinics are closed. */
const NIGHT_HOURS = 5

/** True for a short slot in person that starts at night in every time zone it may mean. */
function isAtNight({ start, startMs, endMs, offering }: Slot): boolean {
  const state = offering.location?.state
  if (state === undefined || offering.isVirtual || endMs - startMs >= 12 * HOUR_MS) return false
  const own = offsetMinutesOf(start)
  const offsets = own === 0 ? offsetsInUse(state, startMs) : [own]
  const hours = offsets.map((minutes) => new Date(startMs + minutes * MINUTE_MS).getUTCHours())
  return hours.length > 0 && hours.every((hour) => hour < NIGHT_HOURS)
}
