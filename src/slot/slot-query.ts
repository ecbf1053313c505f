import { parseRfc3339 } from './instant.ts'
import { SLOT_STATUSES, type SlotStatus } from './slot.ts'

/** What a caller asks of the slots. Absent filters match everything. */
export interface SlotQuery {
  readonly status: SlotStatus
  /** Two capital letters: the location's state, or one that the service is licensed for. */
  readonly state?: string
  /** False: can be attended in person. A slot that can be attended both ways matches both. */
  readonly isVirtual?: boolean
  /** Bounds of the start, both inclusive, in milliseconds since 1970. Without the first, ended slots are left out. */
  readonly startAfterMs?: number
  readonly startBeforeMs?: number
  readonly serviceTypeCode?: string
  readonly appointmentType?: string
  /** Without regard to case. */
  readonly city?: string
  readonly publisher?: string
  /** 1 to 100. */
  readonly limit: number
  /** 0 to 2^53 - 1. */
  readonly offset: number
}

/** A parameter that is unknown, repeated, or has a wrong value. The message says what is allowed, and what came. */
export class InvalidParameter extends Error {
  override readonly name = 'InvalidParameter'
  readonly parameter: string

  constructor(parameter: string, message: string) {
    super(message)
    this.parameter = parameter
  }
}

type Draft = { -readonly [Key in keyof SlotQuery]: SlotQuery[Key] }

const LIMIT_MAX = 100
/** No code, city or slug is longer; what is longer cannot match and is not worth remembering. */
const TEXT_LENGTH_MAX = 200

/** Every parameter of the list operation, and how its value becomes part of the query. Throws `InvalidParameter`. */
export const SLOT_PARAMETERS: Readonly<Record<string, (query: Draft, value: string) => void>> = {
  state(query, value) {
    if (!/^[A-Za-z]{2}$/.test(value)) throw invalid('state', 'two letters, such as MA', value)
    query.state = value.toUpperCase()
  },
  isVirtual(query, value) {
    if (value !== 'true' && value !== 'false') throw invalid('isVirtual', 'true or false', value)
    query.isVirtual = value === 'true'
  },
  limit(query, value) {
    query.limit = integer('limit', value, { min: 1, max: LIMIT_MAX })
  },
  offset(query, value) {
    query.offset = integer('offset', value, { min: 0, max: Number.MAX_SAFE_INTEGER })
  },
  status(query, value) {
    const status = SLOT_STATUSES.find((known) => known === value)
    if (status === undefined) throw invalid('status', `one of ${SLOT_STATUSES.join(', ')}`, value)
    query.status = status
  },
  startAfter(query, value) {
    query.startAfterMs = instant('startAfter', value)
  },
  startBefore(query, value) {
    query.startBeforeMs = instant('startBefore', value)
  },
  serviceTypeCode(query, value) {
    query.serviceTypeCode = text('serviceTypeCode', value)
  },
  appointmentType(query, value) {
    query.appointmentType = text('appointmentType', value)
  },
  city(query, value) {
    query.city = text('city', value)
  },
  publisher(query, value) {
    query.publisher = text('publisher', value)
  },
}

/**
 * The query that a URL's search part asks for: what stands after the `?`, percent-encoded.
 * Throws `InvalidParameter` at the first that is wrong.
 */
export function parseSlotQuery(search: string): SlotQuery {
  const query: Draft = { status: 'free', limit: 25, offset: 0 }
  const seen: string[] = []
  for (let from = 0; from < search.length; ) {
    const next = search.indexOf('&', from)
    const to = next === -1 ? search.length : next
    if (to > from) readParameter(query, search.slice(from, to), seen)
    from = to + 1
  }
  return query
}

function readParameter(query: Draft, pair: string, seen: string[]): void {
  const equals = pair.indexOf('=')
  const name = decode(equals === -1 ? pair : pair.slice(0, equals))
  const value = decode(equals === -1 ? '' : pair.slice(equals + 1))
  if (!Object.hasOwn(SLOT_PARAMETERS, name)) {
    const known = Object.keys(SLOT_PARAMETERS).join(', ')
    throw new InvalidParameter(clip(name), `Parameter is not known: got "${clip(name)}"; known are ${known}.`)
  }
  if (seen.includes(name))
    throw new InvalidParameter(name, `${name} must be given once: got it again with "${clip(value)}".`)
  seen.push(name)
  SLOT_PARAMETERS[name](query, value)
}

/** As in a form: `+` is a space. */
function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new InvalidParameter(clip(text), `Percent-encoding must be valid UTF-8: got "${clip(text)}".`)
  }
}

function integer(parameter: string, value: string, bounds: { min: number; max: number }): number {
  const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN
  if (number >= bounds.min && number <= bounds.max) return number
  throw invalid(parameter, `an integer from ${bounds.min} to ${bounds.max}`, value)
}

function instant(parameter: string, value: string): number {
  const ms = parseRfc3339(value)
  if (ms !== undefined) return ms
  const hint = value.includes(' ') ? ' (in a URL, + is written %2B)' : ''
  throw invalid(parameter, `an RFC 3339 instant with offset, such as 2026-01-31T09:00:00Z${hint}`, value)
}

function text(parameter: string, value: string): string {
  if (value.length > 0 && value.length <= TEXT_LENGTH_MAX) return value
  throw invalid(parameter, `a text of 1 to ${TEXT_LENGTH_MAX} characters`, value)
}

function invalid(parameter: string, allowed: string, value: string): InvalidParameter {
  return new InvalidParameter(parameter, `${parameter} must be ${allowed}: got "${clip(value)}".`)
}

/** What came is told back, but not at any length. */
function clip(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
