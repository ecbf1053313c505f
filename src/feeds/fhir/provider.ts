import { distinctByJson } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import type { Provider } from '../../slot/slot.ts'
import { type Concept, mergeConcepts } from './data-types.ts'
import {
  findAll,
  type ParsedPractitioner,
  type ParsedSchedule,
  type ResourceLookup,
  type ScheduleActor,
} from './resources.ts'

/**
 * The providers of a Schedule: its PractitionerRole actors with their Practitioners, then its other Practitioner actors. One that
 * is not in the feed has the display text of the reference. Former roles and practitioners are left out. See `specialtyConcept()`.
 */
export function providersOf(schedule: ParsedSchedule, directory: ResourceLookup): readonly Provider[] {
  const actors = schedule.actors.flatMap((actor) => providerActor(actor, directory))
  const roles = actors.filter(({ isRole }) => isRole)
  const others = actors.filter(
    ({ isRole, practitioner }) =>
      !isRole && !(practitioner && roles.some((role) => role.practitioner === practitioner)),
  )
  const providers = [...roles, ...others].map(({ provider }) => provider)
  // A role whose Practitioner is not in the feed is that of the Practitioner beside it.
  if (roles.length > 0 && others.length > 0 && roles[0].practitioner === undefined) {
    const [beside] = providers.splice(roles.length, 1)
    providers[0] = { ...providers[0], ...beside }
  }
  return distinctByJson(providers)
    .filter((provider) => Object.keys(provider).length > 0)
    .slice(0, PROVIDERS_MAX)
}

/** A group practice has some; the limit bounds an offering, which is repeated for each slot of a page. */
const PROVIDERS_MAX = 20

interface ProviderActor {
  readonly isRole: boolean
  readonly practitioner: ParsedPractitioner | undefined
  readonly provider: Provider
}

/** Empty for an actor that is no provider, or no longer. */
function providerActor({ target, type, display }: ScheduleActor, directory: ResourceLookup): ProviderActor[] {
  const role = directory.find('PractitionerRole', target)
  const practitioner = directory.find('Practitioner', role === undefined ? target : role.practitioner)
  const isRole = role !== undefined || type === 'PractitionerRole'
  const isProvider = isRole || practitioner !== undefined || type === 'Practitioner'
  if (!isProvider || role?.isFormer || practitioner?.isFormer) return []
  const provider = defined({
    name: practitioner?.name ?? role?.practitionerName ?? display,
    npi: practitioner?.npi ?? role?.npi,
  })
  return [{ isRole, practitioner, provider }]
}

/** The specialties of a Schedule: those of its PractitionerRoles, else its own, else those of its HealthcareServices. */
export function specialtyConcept(schedule: ParsedSchedule, directory: ResourceLookup): Concept | undefined {
  const targets = schedule.actors.map(({ target }) => target)
  const roles = findAll('PractitionerRole', targets, directory).filter(({ isFormer }) => !isFormer)
  const services = findAll('HealthcareService', [...targets, ...roles.flatMap((role) => role.services)], directory)
  const specialtyOf = ({ specialty }: { readonly specialty?: Concept }) => specialty
  return mergeConcepts(roles.map(specialtyOf)) ?? schedule.specialty ?? mergeConcepts(services.map(specialtyOf))
}
