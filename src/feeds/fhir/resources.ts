import { asObject, asText, excerpt, type Json, objectsIn, textsIn } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import { InvalidData } from '../rejections.ts'
import {
  type Concept,
  conceptOf,
  extensions,
  isPlainReference,
  npiOf,
  parseReference,
  type Target,
} from './data-types.ts'
import type { ParsedLocation } from './location.ts'

/** The resource types that are read. */
export const READ_TYPES = [
  'Slot',
  'Schedule',
  'Location',
  'PractitionerRole',
  'Practitioner',
  'HealthcareService',
] as const

/** The parsed form of each resource type. */
export interface ParsedResources {
  Location: ParsedLocation
  Schedule: ParsedSchedule
  PractitionerRole: ParsedRole
  Practitioner: ParsedPractitioner
  HealthcareService: ParsedService
}

/** The resource types that slots refer to, directly or indirectly. */
export type DirectoryResourceType = keyof ParsedResources

/** Finds the resources that slots refer to. */
export interface ResourceLookup {
  readonly publisher: string
  readonly strict: boolean
  /** Undefined for a dangling reference. A target without a type matches every type. */
  find<T extends DirectoryResourceType>(type: T, target: Target | undefined): ParsedResources[T] | undefined
}

/** The fields of a Schedule that slots need. */
export interface ParsedSchedule {
  readonly actors: readonly ScheduleActor[]
  readonly serviceType?: Concept
  readonly specialty?: string
}

/** An actor of a Schedule; without a target, only a display text. */
export interface ScheduleActor {
  readonly target?: Target
  readonly display?: string
}

/** Throws `InvalidData` if `strict` and an actor is not a plain reference. */
export function parseSchedule(resource: Json, strict: boolean): ParsedSchedule {
  const actors = objectsIn(resource.actor)
  const wrong = strict ? actors.find((actor) => !isPlainReference(actor)) : undefined
  if (wrong !== undefined)
    throw new InvalidData(`actor must be a reference "Type/id": got "${excerpt(wrong.reference)}"`)
  if (strict && actors.length === 0) throw new InvalidData('actor must have a reference')
  return {
    actors: actors.map((actor) => defined({ target: parseReference(actor), display: asText(actor.display) })),
    ...defined({ serviceType: conceptOf(resource.serviceType), specialty: specialty(resource) }),
  }
}

/** The extension of the guide, else of the 2025 draft, else the element of FHIR. */
function specialty(resource: Json): string | undefined {
  const [extension] = [...extensions(resource, 'schedule-specialty'), ...extensions(resource, 'specialty')]
  const value = extension?.valueCoding ?? extension?.valueCodeableConcept
  return specialtyOf(value) ?? asText(extension?.valueString) ?? specialtyOf(resource.specialty)
}

/** The fields of a Practitioner that slots need. */
export interface ParsedPractitioner {
  readonly name?: string
  readonly npi?: string
}

/** The fields of a PractitionerRole that slots need. */
export interface ParsedRole {
  readonly practitioner?: Target
  /** The display text of the practitioner's reference. */
  readonly practitionerName?: string
  readonly specialty?: string
  readonly npi?: string
  readonly locations: readonly Target[]
  readonly services: readonly Target[]
}

/** The fields of a HealthcareService that slots need. */
export interface ParsedService {
  readonly type?: { readonly code?: string; readonly text?: string }
  readonly specialty?: string
  readonly locations: readonly Target[]
}

export function parsePractitioner(resource: Json): ParsedPractitioner {
  const names = objectsIn(resource.name)
  // Prefers the usual or official name; an old or maiden name is the last choice.
  const current =
    names.find(({ use }) => use === 'usual' || use === 'official') ??
    names.find(({ use }) => use !== 'old' && use !== 'maiden')
  return defined({ name: humanName(current ?? names[0]), npi: npiOf(objectsIn(resource.identifier)) })
}

/** References stay unresolved: their targets may come later in the feed. */
export function parseRole(resource: Json): ParsedRole {
  const practitioner = asObject(resource.practitioner) ?? {}
  return {
    ...defined({
      practitioner: parseReference(practitioner),
      practitionerName: asText(practitioner.display),
      specialty: specialtyOf(resource.specialty),
      npi: npiOf(objectsIn(resource.identifier)),
    }),
    locations: targets(resource.location),
    services: targets(resource.healthcareService),
  }
}

/** References stay unresolved: their targets may come later in the feed. */
export function parseService(resource: Json): ParsedService {
  const said = defined({ type: conceptOf(resource.type), specialty: specialtyOf(resource.specialty) })
  return { ...said, locations: targets(resource.location) }
}

/** The text of a specialty, else its code. */
export function specialtyOf(value: unknown): string | undefined {
  const concept = conceptOf(value)
  return concept?.text ?? concept?.code
}

function humanName(name: Json | undefined): string | undefined {
  if (name === undefined) return undefined
  const parts = [...textsIn(name.given), ...textsIn(name.family)].join(' ')
  const suffix = textsIn(name.suffix).join(', ')
  return asText(name.text) ?? asText(suffix === '' || parts === '' ? parts : `${parts}, ${suffix}`)
}

function targets(value: unknown): Target[] {
  return objectsIn(value)
    .map(parseReference)
    .filter((target) => target !== undefined)
}
