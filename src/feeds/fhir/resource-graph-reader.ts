import { distinctByJson } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import type { ResourceDetails } from '../../slot/slot.ts'
import type {
  LocationDetails,
  PractitionerDetails,
  RoleDetails,
  ServiceDetails,
  SourceResources,
  StatedConcept,
} from '../../slot/source-resources.ts'
import type { Concept, Target } from './data-types.ts'
import type { Described } from './resource-details.ts'
import type { FoundResource, ParsedSchedule, ResourceLookup, ScheduleActor } from './resources.ts'
import { withAddress } from './service-mode.ts'

/** Resources in order, each once, by the number under which others refer to them. */
class Numbered<Details> {
  readonly all: Details[] = []
  readonly #numbers = new Map<unknown, number>()

  /** `key`: the parsed resource. */
  numberOf(key: unknown, read: () => Details): number {
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = this.all.push(read()) - 1
    this.#numbers.set(key, number)
    return number
  }
}

/** Reads the resources behind one Schedule with their references, as they are published again. */
export class ResourceGraphReader {
  readonly #directory: ResourceLookup
  readonly #locations = new Numbered<LocationDetails>()
  readonly #practitioners = new Numbered<PractitionerDetails>()
  readonly #services = new Numbered<ServiceDetails>()

  constructor(directory: ResourceLookup) {
    this.#directory = directory
  }

  /** `served`: the location whose fields are served; it comes first, and current roles before former ones. */
  read(schedule: ParsedSchedule & Described, served: ResourceDetails | undefined): SourceResources {
    if (served?.id !== undefined) this.#location({ type: 'Location', id: served.id })
    else for (const actor of schedule.actors) this.#missingPlace(actor)
    const locations = schedule.actors.flatMap((actor) => this.#place(actor))
    const actingRoles = this.#roles(schedule)
    const roles = actingRoles.toSorted((a, b) => Number(a.isFormer ?? false) - Number(b.isFormer ?? false))
    const services = schedule.actors.flatMap(({ target }) => this.#service(target))
    // The Schedule's id is the `scheduleId` of the slot.
    const { id: _, ...own } = schedule.details
    const actors = defined({
      Location: some([...new Set(locations)]),
      PractitionerRole: some(actingRoles.map((role) => roles.indexOf(role))),
      HealthcareService: some([...new Set(services)]),
    })
    const known = { ...own, ...(Object.keys(actors).length > 0 && { actors }) }
    return {
      ...(Object.keys(known).length > 0 && { Schedule: [known] }),
      ...defined({
        Location: some(this.#locations.all),
        PractitionerRole: some(roles),
        Practitioner: some(this.#practitioners.all),
        HealthcareService: some(this.#services.all),
      }),
    }
  }

  #place(actor: ScheduleActor): number[] {
    const found = this.#location(actor.target)
    return found.length > 0 ? found : this.#missingPlace(actor)
  }

  /** A Location that is not in the feed has the display text of the reference as its name. */
  #missingPlace(actor: ScheduleActor): number[] {
    const { target, type, display: name } = actor
    const isMissing = type === 'Location' && this.#directory.find('Location', target) === undefined
    if (!isMissing || name === undefined) return []
    return [this.#locations.numberOf(actor, () => ({ location: { name } }))]
  }

  #location(target: Target | undefined): number[] {
    const found = this.#directory.find('Location', target)
    return found === undefined ? [] : [this.#locations.numberOf(found, () => this.#locationDetails(found))]
  }

  #locationDetails(found: FoundResource<'Location'>): LocationDetails {
    const { location, physicalType, licensedStates, virtualService, details } = withAddress(found, this.#directory)
    return { ...details, ...defined({ location, physicalType, licensedStates: some(licensedStates), virtualService }) }
  }

  /** The roles of the Schedule; then the practitioners who are actors themselves, in roles without other data. */
  #roles({ actors }: ParsedSchedule): readonly RoleDetails[] {
    const roles = distinctByJson(actors.flatMap((actor) => this.#role(actor)))
    const alone = distinctByJson(actors.flatMap((actor) => this.#practitionerAlone(actor)))
    const others = alone.filter(
      ({ practitioner: one }) => one === undefined || !roles.some(({ practitioner }) => practitioner === one),
    )
    const first = roles.findIndex(({ isFormer }) => !isFormer)
    // A role whose Practitioner is not in the feed is that of the Practitioner beside it.
    if (first >= 0 && roles[first].practitioner === undefined && others.length > 0) {
      const [beside] = others.splice(0, 1)
      roles[first] = { ...roles[first], ...beside }
    }
    return [...roles, ...others]
  }

  #role({ target, type, display }: ScheduleActor): RoleDetails[] {
    const role = this.#directory.find('PractitionerRole', target)
    if (role === undefined)
      return type === 'PractitionerRole' && display !== undefined ? [{ practitionerName: display }] : []
    const practitioner = this.#directory.find('Practitioner', role.practitioner)
    const isFormer = role.isFormer ?? practitioner?.isFormer
    const places = {
      locations: some(role.locations.flatMap((one) => this.#location(one))),
      services: some(role.services.flatMap((one) => this.#service(one))),
    }
    if (isFormer) return [{ isFormer, ...defined(places) }]
    const { specialty, organization, details } = role
    const name = role.practitionerName ?? display
    const named = {
      practitioner: practitioner && this.#practitioner(practitioner, role),
      practitionerName: practitioner?.name === undefined ? name : undefined,
    }
    return [
      {
        ...details,
        ...defined({ ...named, organization, specialty: stated(specialty), ...places }),
      },
    ]
  }

  #practitionerAlone({ target, type, display }: ScheduleActor): RoleDetails[] {
    const practitioner = this.#directory.find('Practitioner', target)
    if (practitioner?.isFormer) return []
    if (practitioner !== undefined) {
      const practitionerName = practitioner.name === undefined ? display : undefined
      return [{ practitioner: this.#practitioner(practitioner), ...defined({ practitionerName }) }]
    }
    return type === 'Practitioner' && display !== undefined ? [{ practitionerName: display }] : []
  }

  /** An identifier in the reference of a role is one of the practitioner. */
  #practitioner(found: FoundResource<'Practitioner'>, role?: FoundResource<'PractitionerRole'>): number {
    const { name, languages, details } = found
    return this.#practitioners.numberOf(found, () => {
      const identifier = some([...(details.identifier ?? []), ...(role?.practitionerIdentifier ?? [])])
      return { ...details, ...defined({ identifier, name, languages }) }
    })
  }

  #service(target: Target | undefined): number[] {
    const found = this.#directory.find('HealthcareService', target)
    return found === undefined ? [] : [this.#services.numberOf(found, () => this.#serviceDetails(found))]
  }

  #serviceDetails(service: FoundResource<'HealthcareService'>): ServiceDetails {
    const { name, organization, type, specialty, locations, languages, details } = service
    return {
      ...details,
      ...defined({
        name,
        organization,
        type: stated(type),
        specialty: stated(specialty),
        locations: some(locations.flatMap((one) => this.#location(one))),
        languages,
      }),
    }
  }
}

function stated(concept: Concept | undefined): StatedConcept | undefined {
  return concept && { codings: concept.codings, ...defined({ text: concept.text }) }
}

function some<Value>(values: readonly Value[]): readonly Value[] | undefined {
  return values.length > 0 ? values : undefined
}
