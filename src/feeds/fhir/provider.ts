import { defined } from '../../lib/optional.ts'
import type { Provider } from '../../slot/slot.ts'
import type { ParsedRole } from './practitioner.ts'
import type { ResourceLookup } from './resources.ts'
import type { ParsedSchedule, ScheduleActor } from './schedule.ts'

/**
 * Who a Schedule's slots are with: its first PractitionerRole actor and that role's Practitioner, or its first Practitioner
 * actor. Where they are not in the feed, the words that the reference itself carries stand. Undefined if nothing is said.
 */
export function providerOf(calendar: ParsedSchedule, directory: ResourceLookup): Provider | undefined {
  const role = directory.find('PractitionerRole', targetOf(calendar, 'PractitionerRole', directory))
  const person =
    directory.find('Practitioner', role?.practitioner) ??
    directory.find('Practitioner', targetOf(calendar, 'Practitioner', directory))
  const provider = defined({
    name: person?.name ?? role?.practitionerName ?? displayOf(calendar.actors),
    specialty: role?.specialty ?? calendar.specialty ?? specialtyOfService(calendar, role, directory),
    npi: person?.npi ?? role?.npi,
  })
  return Object.keys(provider).length > 0 ? provider : undefined
}

function targetOf(
  calendar: ParsedSchedule,
  type: 'PractitionerRole' | 'Practitioner',
  directory: ResourceLookup,
): ScheduleActor['target'] {
  return calendar.actors.find(({ target }) => directory.find(type, target) !== undefined)?.target
}

function displayOf(actors: readonly ScheduleActor[]): string | undefined {
  const isPerson = ({ target }: ScheduleActor) =>
    target?.type === 'PractitionerRole' || target?.type === 'Practitioner'
  return actors.find((actor) => isPerson(actor) && actor.display !== undefined)?.display
}

function specialtyOfService(
  calendar: ParsedSchedule,
  role: ParsedRole | undefined,
  directory: ResourceLookup,
): string | undefined {
  const targets = [...calendar.actors.map(({ target }) => target), ...(role?.services ?? [])]
  const services = targets.map((target) => directory.find('HealthcareService', target))
  return services.find((service) => service?.specialty !== undefined)?.specialty
}
