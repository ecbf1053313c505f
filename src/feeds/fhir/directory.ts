import { hash } from 'node:crypto'
import { asObject, excerpt, got, type Json } from '../../lib/json.ts'
import type { PlanningHorizon } from '../../slot/planning-horizon.ts'
import { InvalidData } from '../rejections.ts'
import { idOf, parseReference, type Target } from './data-types.ts'
import { parseLocation } from './location.ts'
import { planningHorizonOf } from './period.ts'
import { describe } from './resource-details.ts'
import {
  type DirectoryResourceType,
  type FoundResource,
  type ParsedResources,
  parsePractitioner,
  parseRole,
  parseSchedule,
  parseService,
  type ReadingRules,
  type ResourceLookup,
} from './resources.ts'
import { ScheduleOfferings } from './schedule-offerings.ts'

const READERS: {
  readonly [T in DirectoryResourceType]: (resource: Json, rules: ReadingRules) => ParsedResources[T]
} = {
  Location: parseLocation,
  Schedule: parseSchedule,
  PractitionerRole: parseRole,
  Practitioner: parsePractitioner,
  HealthcareService: parseService,
}

/** `type` is an unvalidated `resourceType`. */
export function isDirectoryResourceType(type: unknown): type is DirectoryResourceType {
  return typeof type === 'string' && Object.hasOwn(READERS, type)
}

/** The resources of a directory by type and id: data that can be sent to a thread. */
export type DirectoryTables = { readonly [T in DirectoryResourceType]: Map<string, FoundResource<T>> }

/** Version of the reading rules, part of the digest: raise it when their results change, so that every slot is read again. */
const RULES = 7

/**
 * The resources that slots refer to, reduced to the fields that slots need: about 500 bytes for a Location with its
 * Schedule. Filled in any order of types, before slots are read.
 */
export class Directory implements ResourceLookup, ReadingRules {
  readonly publisher: string
  readonly strict: boolean
  /** Contacts and roles that have ended by then are not used. */
  readonly nowMs: number
  readonly tables: DirectoryTables
  readonly #schedules = new Map<string, ScheduleOfferings>()
  /** By Schedule, beside the digest: a horizon may move each day, and no slot changes with it. */
  readonly #horizons = new Map<string, PlanningHorizon>()

  /** `tables`: of a directory that is complete. */
  constructor(publisher: string, strict: boolean, nowMs: number = Date.now(), tables = emptyTables()) {
    this.publisher = publisher
    this.strict = strict
    this.nowMs = nowMs
    this.tables = tables
  }

  /**
   * Throws `InvalidData` if the resource is invalid or differs from an earlier one with its type and id; the first is kept.
   * Equal duplicates are allowed: files of neighboring states share Locations.
   */
  put(type: DirectoryResourceType, resource: Json): void {
    const id = idOf(resource, this.strict)
    const shape = { ...READERS[type](resource, this), ...describe(resource, id) }
    const table: Map<string, unknown> = this.tables[type]
    const before = table.get(id)
    if (before === undefined) {
      table.set(id, shape)
      const horizon = type === 'Schedule' ? planningHorizonOf(resource) : undefined
      if (horizon !== undefined) this.#horizons.set(id, horizon)
    } else if (JSON.stringify(before) !== JSON.stringify(shape)) {
      throw new InvalidData(
        `${type}/${excerpt(id)} must be published once: a second one with different content was ignored`,
      )
    }
  }

  find<T extends DirectoryResourceType>(type: T, target: Target | undefined): FoundResource<T> | undefined {
    if (target === undefined || (target.type !== undefined && target.type !== type)) return undefined
    return this.tables[type].get(target.id)
  }

  /** The planning horizons of the Schedules. */
  get horizons(): ReadonlyMap<string, PlanningHorizon> {
    return this.#horizons
  }

  /** The Schedule that a Slot refers to. Throws `InvalidData`, naming the reference, if it is not in the feed. */
  schedule(reference: unknown): ScheduleOfferings {
    const text = asObject(reference)?.reference
    const known = typeof text === 'string' ? this.#schedules.get(text) : undefined
    return known ?? this.#findSchedule(reference, text)
  }

  /**
   * A hash of the contents, independent of the order in which resources were added.
   */
  digest(): string {
    const lines = Object.entries(this.tables).flatMap(([type, table]) =>
      [...table].map(([id, shape]) => hash('sha256', `${type}/${id} ${JSON.stringify(shape)}`)),
    )
    return hash('sha256', [`${RULES} ${this.publisher} ${this.strict}`, ...lines.sort()].join('\n'))
  }

  #findSchedule(reference: unknown, text: unknown): ScheduleOfferings {
    const target = parseReference(asObject(reference) ?? {})
    if (target === undefined) throw new InvalidData(`schedule must refer to a Schedule: ${got(text ?? reference)}`)
    const schedule = this.find('Schedule', target)
    if (schedule === undefined) throw new InvalidData(`schedule must be in the feed: ${got(text)}`)
    const offerings = this.#schedules.get(target.id) ?? new ScheduleOfferings(target.id, schedule, this)
    this.#schedules.set(target.id, offerings)
    if (typeof text === 'string') this.#schedules.set(text, offerings)
    return offerings
  }
}

function emptyTables(): DirectoryTables {
  return {
    Location: new Map(),
    Schedule: new Map(),
    PractitionerRole: new Map(),
    Practitioner: new Map(),
    HealthcareService: new Map(),
  }
}
