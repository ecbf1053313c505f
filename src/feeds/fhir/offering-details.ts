import { distinctByJson } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import type { Location, OfferingDetails, ResourceDetails } from '../../slot/slot.ts'
import type { SourceResources } from '../../slot/source-resources.ts'
import type { Described } from './resource-details.ts'
import { ResourceGraphReader } from './resource-graph-reader.ts'
import { findAll, type ParsedSchedule, type ResourceLookup } from './resources.ts'

/** The details of the resources behind a Schedule beyond the fields of a slot: identity, labels, contents and references, and all languages. */
export function resourcesBehind(
  schedule: ParsedSchedule & Described,
  directory: ResourceLookup,
  served: ResourceDetails | undefined,
): Pick<OfferingDetails, 'languages' | 'resources'> {
  const resources = new ResourceGraphReader(directory).read(schedule, served)
  const languages = languagesBehind(schedule, directory)
  return {
    ...(languages.length > 0 && { languages: languages.slice(0, LANGUAGES_MAX) }),
    ...(Object.keys(resources).length > 0 && { resources }),
  }
}

function languagesBehind(schedule: ParsedSchedule, directory: ResourceLookup): NonNullable<Described['languages']> {
  const targets = schedule.actors.map(({ target }) => target)
  const roles = findAll('PractitionerRole', targets, directory).filter(({ isFormer }) => !isFormer)
  const services = findAll('HealthcareService', [...targets, ...roles.flatMap((role) => role.services)], directory)
  const ofRoles = roles.map(({ practitioner }) => practitioner)
  const practitioners = findAll('Practitioner', [...ofRoles, ...targets], directory).filter(({ isFormer }) => !isFormer)
  const all = [...practitioners, ...roles, ...services].flatMap((one) => one.languages ?? [])
  return distinctByJson(all)
}

/** Without the fields of the first Location if they are those of the offering: most have no others. */
export function withoutServed(
  resources: SourceResources | undefined,
  served: Location | undefined,
): SourceResources | undefined {
  const [{ location, ...others } = {}, ...more] = resources?.Location ?? []
  const isSame = location !== undefined && (location === served || JSON.stringify(location) === JSON.stringify(served))
  return isSame ? { ...resources, Location: [others, ...more] } : resources
}

const LANGUAGES_MAX = 20
const IDENTITIES_MAX = 5

/** The first five resources of each type without their contents, for an offering that would be too large with them. */
export function identitiesOf(resources: SourceResources): SourceResources {
  const lists = Object.entries(resources).map(([type, all]: [string, readonly ResourceDetails[]]) => {
    return [type, all.map(identityOf).slice(0, IDENTITIES_MAX)]
  })
  return Object.fromEntries(lists)
}

function identityOf({ id, identifier, tag, security, availability }: ResourceDetails): ResourceDetails {
  return defined({ id, identifier, tag, security, availability })
}
