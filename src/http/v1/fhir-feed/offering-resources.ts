import { defined } from '../../../lib/optional.ts'
import type { Offering, ResourceDetails } from '../../../slot/slot.ts'
import type { RoleDetails, ServiceDetails, StatedOrganization } from '../../../slot/source-resources.ts'
import type { FeedProvenance } from './feed-provenance.ts'
import { locationElements } from './published-location.ts'
import { practitionerElements, roleElements, serviceElements } from './published-people.ts'
import {
  type Elements,
  type FeedDirectoryType,
  type Originals,
  type PublishedResource,
  publish,
  withOriginals,
} from './published-resource.ts'
import { scheduleElements } from './published-schedule.ts'
import { graphOf, type ResourceGraph } from './resource-graph.ts'

/** A FHIR resource. */
export interface Resource extends Elements {
  readonly resourceType: string
  readonly id: string
}

/**
 * An offering as FHIR resources of one type. Reading them restores the offering, except for what each Slot resource has itself
 * (appointment type, patients, booking phone, and its own specialty or service mode).
 */
export function resourcesOf(
  published: PublishedOffering,
  type: FeedDirectoryType,
  origin: FeedProvenance,
): readonly Resource[] {
  const { publisher, scheduleId } = published.offering
  const system = origin.sourceOf(publisher)
  return published.all(type).map((resource) => {
    const { id, labels } = resource
    const own = { resourceType: type, id, meta: origin.metaOf(publisher, labels), ...withOriginals(resource, system) }
    // Not in `elements`: the id stays when the horizon moves.
    return type === 'Schedule'
      ? { ...own, ...defined({ planningHorizon: origin.horizonOf(publisher, scheduleId) }) }
      : own
  })
}

/** The resources of an offering with their references. Creating it costs the hashes of their contents. */
export class PublishedOffering {
  readonly offering: Offering
  readonly graph: ResourceGraph
  readonly #locations: readonly PublishedResource[]
  /** A service at several Locations is several resources, because the guide allows one Location. */
  readonly #services: readonly (readonly PublishedResource[])[]
  readonly #practitioners: readonly PublishedResource[]
  readonly #roles: readonly PublishedResource[]
  #schedule: PublishedResource | undefined

  constructor(offering: Offering) {
    this.offering = offering
    this.graph = graphOf(offering)
    const { locations, services, practitioners, roles } = this.graph
    this.#locations = locations.map((details) => this.#publish('Location', details, locationElements(details)))
    this.#services = services.map((details) => this.#service(details))
    this.#practitioners = practitioners.map((details) =>
      this.#publish('Practitioner', details, practitionerElements(details)),
    )
    this.#roles = roles.map((details) => this.#role(details))
  }

  all(type: FeedDirectoryType): readonly PublishedResource[] {
    switch (type) {
      case 'Location':
        return this.#locations
      case 'Schedule':
        return [this.schedule]
      case 'PractitionerRole':
        return this.#roles
      case 'Practitioner':
        return this.#practitioners
      case 'HealthcareService':
        return this.#services.flat()
    }
  }

  get schedule(): PublishedResource {
    if (this.#schedule !== undefined) return this.#schedule
    const details = { ...this.graph.schedule, id: this.offering.scheduleId }
    this.#schedule = this.#publish('Schedule', details, scheduleElements(this.offering, this.graph, this.#actors()))
    return this.#schedule
  }

  #actors(): readonly PublishedResource[] {
    const { Location = [], PractitionerRole = [], HealthcareService = [] } = this.graph.actors
    return [
      ...Location.map((at) => this.#locations[at]),
      ...PractitionerRole.map((at) => this.#roles[at]),
      ...HealthcareService.flatMap((at) => this.#services[at]),
    ]
  }

  #role(details: RoleDetails): PublishedResource {
    const { practitioner: at, locations = [], services = [] } = details
    const practitioner =
      at === undefined ? undefined : { details: this.graph.practitioners[at], resource: this.#practitioners[at] }
    const elements = roleElements(details, {
      practitioner,
      locations: locations.map((one) => this.#locations[one]),
      services: services.flatMap((one) => this.#services[one]),
    })
    const originals = { practitioner: practitioner?.details.id, organization: originalIdOf(details.organization) }
    return this.#publish('PractitionerRole', details, elements, defined(originals))
  }

  #service(details: ServiceDetails): readonly PublishedResource[] {
    const { locations = [] } = details
    const places = locations.length > 0 ? locations.map((at) => this.#locations[at]) : [undefined]
    const originals = defined({ providedBy: originalIdOf(details.organization) })
    return places.map((place) => {
      return this.#publish('HealthcareService', details, serviceElements(details, place), originals)
    })
  }

  #publish(
    type: FeedDirectoryType,
    details: ResourceDetails,
    elements: Elements,
    originals: Originals = {},
  ): PublishedResource {
    return publish(this.offering.publisher, { type, details, elements, originals })
  }
}

/** Unless it is known by an identifier. */
function originalIdOf({ id, identifier }: StatedOrganization = {}): string | undefined {
  return identifier === undefined ? id : undefined
}
