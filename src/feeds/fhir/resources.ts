import { asObject, asText, got, type Json, objectsIn, textsIn } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import type { Identifier, Modality } from '../../slot/slot.ts'
import type { StatedOrganization } from '../../slot/source-resources.ts'
import { InvalidData } from '../rejections.ts'
import { channelsOf } from './channel.ts'
import {
  type Concept,
  conceptOf,
  extensions,
  isPlainReference,
  mergeConcepts,
  npiOf,
  parseReference,
  type Target,
} from './data-types.ts'
import type { ParsedLocation } from './location.ts'
import { hasEnded } from './period.ts'
import { type Described, identifiersIn } from './resource-details.ts'

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
  find<T extends DirectoryResourceType>(type: T, target: Target | undefined): FoundResource<T> | undefined
}

/** A resource of the directory. */
export type FoundResource<T extends DirectoryResourceType> = ParsedResources[T] & Described

/** The resources of one type among the targets; a dangling reference is left out. */
export function findAll<T extends DirectoryResourceType>(
  type: T,
  targets: readonly (Target | undefined)[],
  directory: ResourceLookup,
): FoundResource<T>[] {
  return targets.map((target) => directory.find(type, target)).filter((resource) => resource !== undefined)
}

/** How resources are read. */
export interface ReadingRules {
  readonly strict: boolean
  readonly nowMs: number
}

/** The fields of a Schedule that slots need. */
export interface ParsedSchedule {
  readonly actors: readonly ScheduleActor[]
  /** From its channel extensions; absent if they are not understood, or without any. */
  readonly modalities?: readonly Modality[]
  readonly serviceType?: Concept
  readonly specialty?: Concept
}

/** An actor of a Schedule. One without a target is known by an identifier or a display text only. */
export interface ScheduleActor {
  readonly target?: Target
  /** Of the target, or of what is meant without one. */
  readonly type?: string
  readonly display?: string
}

/** Throws `InvalidData` if `strict` and an actor is not a plain reference. */
export function parseSchedule(resource: Json, { strict }: ReadingRules): ParsedSchedule {
  const actors = objectsIn(resource.actor)
  const wrong = strict ? actors.find((actor) => !isPlainReference(actor)) : undefined
  if (wrong !== undefined) throw new InvalidData(`actor must be a reference "Type/id": ${got(wrong.reference)}`)
  if (strict && actors.length === 0) throw new InvalidData('actor must have a reference')
  return {
    actors: actors.map(parseActor),
    ...defined({
      modalities: channelsOf(resource),
      serviceType: conceptOf(resource.serviceType),
      specialty: specialty(resource),
    }),
  }
}

function parseActor(actor: Json): ScheduleActor {
  const target = parseReference(actor)
  return defined({ target, type: target?.type ?? asText(actor.type), display: asText(actor.display) })
}

/** The extension of the guide, else of the 2025 draft, else the element of FHIR. */
function specialty(resource: Json): Concept | undefined {
  const found = [...extensions(resource, 'schedule-specialty'), ...extensions(resource, 'specialty')]
  const concepts = found.map(({ valueCoding, valueCodeableConcept, valueString }) =>
    conceptOf(valueCoding ?? valueCodeableConcept ?? { text: valueString }),
  )
  return mergeConcepts(concepts) ?? conceptOf(resource.specialty)
}

/** The fields of a Practitioner that slots need. */
export interface ParsedPractitioner {
  /** No longer active. */
  readonly isFormer?: true
  readonly name?: string
  readonly npi?: string
}

/** The fields of a PractitionerRole that slots need. */
interface ParsedRole {
  /** No longer active, or its period has ended. */
  readonly isFormer?: true
  readonly practitioner?: Target
  /** The display text of the practitioner's reference, and an identifier of the practitioner in it. */
  readonly practitionerName?: string
  readonly practitionerIdentifier?: readonly Identifier[]
  readonly organization?: StatedOrganization
  readonly specialty?: Concept
  readonly npi?: string
  readonly locations: readonly Target[]
  readonly services: readonly Target[]
}

/** The fields of a HealthcareService that slots need. */
interface ParsedService {
  readonly name?: string
  readonly organization?: StatedOrganization
  readonly type?: Concept
  readonly specialty?: Concept
  readonly locations: readonly Target[]
}

export function parsePractitioner(resource: Json): ParsedPractitioner {
  const names = objectsIn(resource.name)
  // Prefers the usual or official name; an old or maiden name is the last choice.
  const current =
    names.find(({ use }) => use === 'usual' || use === 'official') ??
    names.find(({ use }) => use !== 'old' && use !== 'maiden')
  return defined({
    isFormer: formerIf(resource.active === false),
    name: humanName(current ?? names[0]),
    npi: npiOf(resource.identifier),
  })
}

/** References stay unresolved: their targets may come later in the feed. */
export function parseRole(resource: Json, { nowMs }: ReadingRules): ParsedRole {
  const practitioner = asObject(resource.practitioner) ?? {}
  return {
    ...defined({
      isFormer: formerIf(resource.active === false || hasEnded(resource.period, nowMs)),
      practitioner: parseReference(practitioner),
      practitionerName: asText(practitioner.display),
      practitionerIdentifier: identifiersIn(practitioner.identifier),
      organization: organizationIn(asObject(resource.organization)),
      specialty: conceptOf(resource.specialty),
      npi: npiOf(resource.identifier),
    }),
    locations: targets(resource.location),
    services: targets(resource.healthcareService),
  }
}

/** References stay unresolved: their targets may come later in the feed. */
export function parseService(resource: Json): ParsedService {
  const details = defined({
    name: asText(resource.name),
    organization: organizationIn(asObject(resource.providedBy)),
    type: conceptOf(resource.type),
    specialty: conceptOf(resource.specialty),
  })
  return { ...details, locations: targets(resource.location) }
}

/** By its reference, or by the identifier of one that is not a resource of the feed. */
function organizationIn(reference: Json | undefined): StatedOrganization | undefined {
  if (reference === undefined) return undefined
  const organization = defined({
    id: parseReference(reference)?.id,
    identifier: identifiersIn(reference.identifier)?.[0],
    display: asText(reference.display),
  })
  return Object.keys(organization).length > 0 ? organization : undefined
}

function humanName(name: Json | undefined): string | undefined {
  if (name === undefined) return undefined
  const parts = [...textsIn(name.given), ...textsIn(name.family)]
  if (parts.length === 0) return asText(name.text)
  const full = [...textsIn(name.prefix), ...parts].join(' ')
  return asText(name.text) ?? asText([full, ...textsIn(name.suffix)].join(', '))
}

function formerIf(isFormer: boolean): true | undefined {
  return isFormer || undefined
}

function targets(value: unknown): Target[] {
  return objectsIn(value)
    .map(parseReference)
    .filter((target) => target !== undefined)
}
