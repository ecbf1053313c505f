import { asObject, asText, type Json, objectsIn, textsIn } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import { conceptOf } from './concept.ts'
import { npiOf } from './identity.ts'
import { parseReference, type Target } from './reference.ts'

/** What a Practitioner resource says. */
export interface ParsedPractitioner {
  readonly name?: string
  readonly npi?: string
}

/** What a PractitionerRole resource says: who, in which specialty, where and for which services. */
export interface ParsedRole {
  readonly practitioner?: Target
  /** How the role itself calls its practitioner. */
  readonly practitionerName?: string
  readonly specialty?: string
  readonly npi?: string
  readonly places: readonly Target[]
  readonly services: readonly Target[]
}

/** What a HealthcareService resource says. */
export interface ParsedService {
  readonly type?: { readonly code?: string; readonly text?: string }
  readonly specialty?: string
  readonly places: readonly Target[]
}

/** Takes the official or usual name of a Practitioner, never an old one before another. */
export function parsePractitioner(resource: Json): ParsedPractitioner {
  const names = objectsIn(resource.name)
  // The name in use, if one is marked so; an old or a maiden name never before another.
  const current =
    names.find(({ use }) => use === 'usual' || use === 'official') ??
    names.find(({ use }) => use !== 'old' && use !== 'maiden')
  return defined({ name: humanName(current ?? names[0]), npi: npiOf(objectsIn(resource.identifier)) })
}

/** References are kept as they are: what they lead to may come later in the feed. */
export function parseRole(resource: Json): ParsedRole {
  const practitioner = asObject(resource.practitioner) ?? {}
  return {
    ...defined({
      practitioner: parseReference(practitioner),
      practitionerName: asText(practitioner.display),
      specialty: specialtyOf(resource.specialty),
      npi: npiOf(objectsIn(resource.identifier)),
    }),
    places: targets(resource.location),
    services: targets(resource.healthcareService),
  }
}

/** References are kept as they are: what they lead to may come later in the feed. */
export function parseService(resource: Json): ParsedService {
  const said = defined({ type: conceptOf(resource.type), specialty: specialtyOf(resource.specialty) })
  return { ...said, places: targets(resource.location) }
}

/** The words of a specialty, or its code where there are none. */
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
