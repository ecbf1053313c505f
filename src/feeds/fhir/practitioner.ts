import { asObject, asText, type Json, objectsIn, textsIn } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import type { Provider } from '../../slot/slot.ts'
import { conceptOf } from './concept.ts'
import { npiOf, parseReference, type Target } from './reference.ts'
import type { ResourceLookup } from './resources.ts'
import type { ParsedSchedule, ScheduleActor } from './schedule.ts'

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

/**
 * The provider of a Schedule: its first PractitionerRole actor with that role's Practitioner, or its first Practitioner
 * actor. If they are not in the feed, the display text of the reference. Undefined without any.
 */
export function providerOf(schedule: ParsedSchedule, directory: ResourceLookup): Provider | undefined {
  const role = directory.find('PractitionerRole', targetOf(schedule, 'PractitionerRole', directory))
  const practitioner =
    directory.find('Practitioner', role?.practitioner) ??
    directory.find('Practitioner', targetOf(schedule, 'Practitioner', directory))
  const provider = defined({
    name: practitioner?.name ?? role?.practitionerName ?? displayOf(schedule.actors),
    specialty: role?.specialty ?? schedule.specialty ?? specialtyOfService(schedule, role, directory),
    npi: practitioner?.npi ?? role?.npi,
  })
  return Object.keys(provider).length > 0 ? provider : undefined
}

function targetOf(
  schedule: ParsedSchedule,
  type: 'PractitionerRole' | 'Practitioner',
  directory: ResourceLookup,
): ScheduleActor['target'] {
  return schedule.actors.find(({ target }) => directory.find(type, target) !== undefined)?.target
}

function displayOf(actors: readonly ScheduleActor[]): string | undefined {
  const isProvider = ({ target }: ScheduleActor) =>
    target?.type === 'PractitionerRole' || target?.type === 'Practitioner'
  return actors.find((actor) => isProvider(actor) && actor.display !== undefined)?.display
}

function specialtyOfService(
  schedule: ParsedSchedule,
  role: ParsedRole | undefined,
  directory: ResourceLookup,
): string | undefined {
  const targets = [...schedule.actors.map(({ target }) => target), ...(role?.services ?? [])]
  const services = targets.map((target) => directory.find('HealthcareService', target))
  return services.find((service) => service?.specialty !== undefined)?.specialty
}
