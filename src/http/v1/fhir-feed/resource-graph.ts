import { defined } from '../../../lib/optional.ts'
import { statesOf } from '../../../slot/filter-values.ts'
import type { Offering, ResourceDetails } from '../../../slot/slot.ts'
import type {
  Actors,
  LocationDetails,
  PractitionerDetails,
  RoleDetails,
  ScheduleDetails,
  ServiceDetails,
  StatedConcept,
} from '../../../slot/source-resources.ts'
import { NPI, PHYSICAL, VIRTUAL } from './fhir-urls.ts'

/** The resources as which an offering is published. They refer to each other by position. */
export interface ResourceGraph {
  readonly schedule: ScheduleDetails
  readonly actors: Actors
  readonly locations: readonly LocationDetails[]
  readonly roles: readonly RoleDetails[]
  readonly practitioners: readonly PractitionerDetails[]
  readonly services: readonly ServiceDetails[]
}

/** The resources of the source if their contents are known; otherwise such as say the same as the offering. */
export function graphOf(offering: Offering): ResourceGraph {
  const { resources = {} } = offering.details ?? {}
  const [schedule = {}] = resources.Schedule ?? []
  return somewhere(schedule.actors === undefined ? composed(offering, schedule) : stated(offering, schedule.actors))
}

/** A Schedule has actors, and one of them says where; a Location of which nothing is known says that it is unknown. */
function somewhere(graph: ResourceGraph): ResourceGraph {
  if (graph.locations.length > 0) return graph
  return { ...graph, locations: [{}], actors: { ...graph.actors, Location: [0] } }
}

/** The first Location has the fields of the offering unless it says others. */
function stated({ location, details }: Offering, actors: Actors): ResourceGraph {
  const { resources = {} } = details ?? {}
  const [schedule = {}] = resources.Schedule ?? []
  const [served, ...others] = resources.Location ?? []
  return {
    schedule,
    actors,
    locations: served === undefined ? [] : [{ ...defined({ location }), ...served }, ...others],
    roles: resources.PractitionerRole ?? [],
    practitioners: resources.Practitioner ?? [],
    services: resources.HealthcareService ?? [],
  }
}

function composed(offering: Offering, schedule: ScheduleDetails): ResourceGraph {
  const locations = locationsOf(offering)
  const { roles, practitioners } = providersOf(offering)
  const actors = { Location: locations.map((_, at) => at), PractitionerRole: roles.map((_, at) => at) }
  return { schedule, actors, locations, roles, practitioners, services: [] }
}

/** A location that is not virtual, a virtual one, or both. Only a source that states it has a physical location. */
function locationsOf(offering: Offering): readonly LocationDetails[] {
  const { location, modalities = [] } = offering
  const isRemote = modalities[0] === 'virtual'
  const [identity] = offering.details?.resources?.Location ?? []
  const locations: LocationDetails[] = []
  if (!isRemote && (location !== undefined || modalities.includes('in-person')))
    locations.push({ ...identity, ...onSite(offering) })
  if (modalities.includes('virtual')) locations.push({ ...(isRemote && identity), ...remote(offering, isRemote) })
  return locations
}

function onSite({ location, modalities = [], serviceStates, details }: Offering): LocationDetails {
  const ofMode = details?.modeStates?.inPerson.filter((state) => state !== location?.state)
  return defined({
    location,
    physicalType: modalities.includes('in-person') ? [PHYSICAL] : undefined,
    licensedStates: ofMode ?? serviceStates,
  })
}

/** The licensed states are on the other location if there is one. */
function remote(offering: Offering, isRemote: boolean): LocationDetails {
  const { location, serviceStates } = offering
  const states = isRemote || serviceStates === undefined ? serviceStates : [...statesOf(offering, 'virtual')].sort()
  return {
    physicalType: [VIRTUAL],
    ...defined({ location: isRemote ? location : undefined, licensedStates: states }),
  }
}

interface Providers {
  readonly roles: readonly RoleDetails[]
  readonly practitioners: readonly PractitionerDetails[]
}

/** The provider, then others, of whom only name and NPI are known. */
function providersOf(offering: Offering): Providers {
  const { provider = {}, details } = offering
  const { resources = {}, providers: others = [], languages } = details ?? {}
  const [role] = resources.PractitionerRole ?? []
  const [practitioner] = resources.Practitioner ?? []
  const isKnown = (provider.name ?? provider.npi) !== undefined
  const first = isKnown ? [{ ...withNpi(provider, practitioner), ...defined({ languages }) }] : []
  const practitioners = [...first, ...others.map((other) => withNpi(other))]
  const roles: RoleDetails[] = practitioners.map((_, at) => ({ practitioner: at }))
  if (!isKnown && role !== undefined) roles.unshift({})
  const [ofProvider, ...ofOthers] = roles
  if (ofProvider === undefined || (!isKnown && role === undefined)) return { roles, practitioners }
  const specialty = specialtyOf(offering)
  return { roles: [{ ...role, ...ofProvider, ...defined({ specialty }) }, ...ofOthers], practitioners }
}

function withNpi(
  { name, npi }: { readonly name?: string; readonly npi?: string },
  identity: ResourceDetails = {},
): PractitionerDetails {
  const { identifier = [] } = identity
  const isListed = npi === undefined || identifier.some(({ value }) => value === npi)
  const all = isListed ? identifier : [{ system: NPI, value: npi }, ...identifier]
  return { ...identity, ...defined({ name, identifier: all.length > 0 ? all : undefined }) }
}

/** All specialties of an offering; undefined without any. */
export function specialtyOf({ provider, details }: Pick<Offering, 'provider' | 'details'>): StatedConcept | undefined {
  const { specialty: text } = provider ?? {}
  const codings = details?.specialties ?? (text === undefined ? undefined : [{ display: text }])
  return codings && { codings, ...defined({ text }) }
}
