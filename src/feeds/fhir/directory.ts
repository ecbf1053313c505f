import { hash } from 'node:crypto'
import { asObject, excerpt, type Json } from '../../lib/json.ts'
import { InvalidData } from '../invalid-data.ts'
import { idOf } from './identity.ts'
import { parseLocation } from './location.ts'
import { parsePractitioner, parseRole, parseService } from './practitioner.ts'
import { parseReference, type Target } from './reference.ts'
import type { DirectoryType, ParsedResources, ResourceLookup } from './resources.ts'
import { parseSchedule } from './schedule.ts'
import { ScheduleOfferings } from './schedule-offerings.ts'

const READERS: { readonly [T in DirectoryType]: (resource: Json, strict: boolean) => ParsedResources[T] } = {
  Location: parseLocation,
  Schedule: parseSchedule,
  PractitionerRole: parseRole,
  Practitioner: parsePractitioner,
  HealthcareService: parseService,
}

/** True for a name of one of them, as `resourceType` may be anything. */
export function isDirectoryType(type: unknown): type is DirectoryType {
  return typeof type === 'string' && Object.hasOwn(READERS, type)
}

/** Part of the digest: to be raised when the same resources come to mean something else, so that every slot is read anew. */
const RULES = 2

/**
 * Everything in a feed that slots refer to, reduced to what slots need of it: about 500 bytes for a Location with its
 * Schedule. Filled resource by resource, in any order of types; only then are slots read with it.
 */
export class Directory implements ResourceLookup {
  readonly publisher: string
  readonly strict: boolean
  readonly #tables: { readonly [T in DirectoryType]: Map<string, ParsedResources[T]> } = {
    Location: new Map(),
    Schedule: new Map(),
    PractitionerRole: new Map(),
    Practitioner: new Map(),
    HealthcareService: new Map(),
  }
  readonly #schedules = new Map<string, ScheduleOfferings>()

  constructor(publisher: string, strict: boolean) {
    this.publisher = publisher
    this.strict = strict
  }

  /**
   * Throws `InvalidData` if the resource cannot be read, or another one of its type and id was put before: the first
   * stands. An equal one is no fault: files of neighbouring states share their Locations.
   */
  put(type: DirectoryType, resource: Json): void {
    const id = idOf(resource, this.strict)
    const shape = READERS[type](resource, this.strict)
    const table: Map<string, unknown> = this.#tables[type]
    const before = table.get(id)
    if (before === undefined) table.set(id, shape)
    else if (JSON.stringify(before) !== JSON.stringify(shape)) {
      throw new InvalidData(`${type}/${excerpt(id)} must be published once: got "another one that differs"`)
    }
  }

  find<T extends DirectoryType>(type: T, target: Target | undefined): ParsedResources[T] | undefined {
    if (target === undefined || (target.type !== undefined && target.type !== type)) return undefined
    return this.#tables[type].get(target.id)
  }

  /** The Schedule that a Slot refers to. Throws `InvalidData`, naming the reference, if there is none. */
  schedule(reference: unknown): ScheduleOfferings {
    const text = asObject(reference)?.reference
    const known = typeof text === 'string' ? this.#schedules.get(text) : undefined
    return known ?? this.#findSchedule(reference, text)
  }

  /**
   * Stands for all that the directory says: equal for equal resources in any order, so that a publisher may write the
   * same directory anew.
   */
  digest(): string {
    const lines = Object.entries(this.#tables).flatMap(([type, table]) =>
      [...table].map(([id, shape]) => hash('sha256', `${type}/${id} ${JSON.stringify(shape)}`)),
    )
    return hash('sha256', [`${RULES} ${this.publisher} ${this.strict}`, ...lines.sort()].join('\n'))
  }

  #findSchedule(reference: unknown, text: unknown): ScheduleOfferings {
    const target = parseReference(asObject(reference) ?? {})
    if (target === undefined)
      throw new InvalidData(`schedule must refer to a Schedule: got "${excerpt(text)}"`)
    const calendar = this.find('Schedule', target)
    if (calendar === undefined) throw new InvalidData(`schedule must be in the feed: got "${excerpt(text)}"`)
    const offerings = this.#schedules.get(target.id) ?? new ScheduleOfferings(target.id, calendar, this)
    this.#schedules.set(target.id, offerings)
    if (typeof text === 'string') this.#schedules.set(text, offerings)
    return offerings
  }
}
