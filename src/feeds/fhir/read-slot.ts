// Hot path: called for every new or changed line of a feed, 3 µs each with parsing.

import { asObject, excerpt, type Json } from '../../lib/json.ts'
import { type Instant, parseInstant } from '../../slot/instant.ts'
import { SLOT_STATUSES, type Slot, type SlotStatus } from '../../slot/slot.ts'
import { slotId } from '../../slot/slot-id.ts'
import { InvalidData } from '../invalid-data.ts'
import { type Concept, conceptOf } from './concept.ts'
import type { Directory } from './directory.ts'
import { idOf, isPlainReference } from './reference.ts'
import { readSlotExtensions } from './slot-extensions.ts'

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/**
 * Reads a Slot resource and resolves its references. Undefined if it is valid but never served: `entered-in-error`, or no
 * patients are accepted (`nopt`). Throws `InvalidData` if it is invalid; with a strict directory also for a capacity as
 * text, an instant that is not RFC 3339, or an unusable link.
 */
export function readSlot(resource: Json, directory: Directory): Slot | undefined {
  const status = readStatus(resource.status)
  const sourceId = idOf(resource, directory.strict)
  const start = readInstant(resource.start, 'start', directory.strict)
  const end = readInstant(resource.end, 'end', directory.strict)
  if (end.ms < start.ms) throw new InvalidData(`end must not be before start: got "${end.text}" before "${start.text}"`)
  if (directory.strict) refuseLooseReference(resource.schedule)
  const schedule = directory.schedule(resource.schedule)
  const own = readSlotExtensions(resource.extension, directory.strict)
  if (status === undefined || own.closed) return undefined
  const slot: Writable<Slot> = {
    id: slotId(directory.publisher, schedule.id, sourceId, { startMs: start.ms, endMs: end.ms }),
    status,
    start: start.text,
    end: end.text,
    startMs: start.ms,
    endMs: end.ms,
    offering: schedule.plain(),
  }
  if (own.bookingDeepLink !== undefined) slot.bookingDeepLink = own.bookingDeepLink
  if (own.capacity !== undefined) slot.capacity = own.capacity
  const serviceType = resource.serviceType === undefined ? undefined : conceptOf(resource.serviceType)
  const appointmentType = wordOf(resource.appointmentType)
  const { bookingPhone, acceptingPatients, modalities } = own
  const words = { serviceType, appointmentType, acceptingPatients, modalities, bookingPhone }
  if (serviceType ?? appointmentType ?? acceptingPatients ?? modalities ?? bookingPhone) {
    slot.offering = schedule.variant(words)
  }
  return slot
}

/** Undefined for `entered-in-error`. */
function readStatus(status: unknown): SlotStatus | undefined {
  if (status === 'entered-in-error') return undefined
  const known = SLOT_STATUSES.find((one) => one === status)
  if (known === undefined)
    throw new InvalidData(`status must be one of ${SLOT_STATUSES.join(', ')}: got "${excerpt(status)}"`)
  return known
}

function readInstant(value: unknown, name: string, strict: boolean): Instant {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined
  if (instant === undefined) {
    throw new InvalidData(
      `${name} must be a valid instant with an offset (2026-03-21T10:45:00-04:00): got "${excerpt(value)}"`,
    )
  }
  if (strict && instant.text !== value) {
    throw new InvalidData(`${name} must be an instant like "${instant.text}": got "${excerpt(value)}"`)
  }
  return instant
}

function refuseLooseReference(schedule: unknown): void {
  const reference = asObject(schedule)
  if (reference !== undefined && isPlainReference(reference)) return
  throw new InvalidData(`schedule must be a reference "Schedule/id": got "${excerpt(reference?.reference)}"`)
}

function wordOf(value: unknown): string | undefined {
  const concept: Concept | undefined = value === undefined ? undefined : conceptOf(value)
  return concept?.code ?? concept?.text
}
