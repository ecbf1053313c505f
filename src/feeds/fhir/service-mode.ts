import { truncate } from '../../lib/text.ts'
import type { Location, Modality } from '../../slot/slot.ts'
import { InvalidData } from '../invalid-data.ts'
import type { Concept } from './concept.ts'
import type { ParsedLocation } from './location.ts'
import type { ParsedService } from './practitioner.ts'
import type { Target } from './reference.ts'
import type { ResourceLookup } from './resources.ts'
import type { ParsedSchedule, ScheduleActor } from './schedule.ts'

/** Where and how the slots of a Schedule can be attended, and what its HealthcareService calls them. */
export interface ServiceMode {
  readonly modalities?: readonly Modality[] | undefined
  readonly location?: Location | undefined
  readonly serviceStates?: readonly string[] | undefined
  readonly serviceType?: Concept | undefined
}

/** Throws `InvalidData` if the directory is strict and an actor is not in it. */
export function serviceModeOf(calendar: ParsedSchedule, directory: ResourceLookup): ServiceMode {
  if (directory.strict) refuseDangling(calendar, directory)
  const targets = calendar.actors.map(({ target }) => target)
  const roles = targets
    .map((target) => directory.find('PractitionerRole', target))
    .filter((role) => role !== undefined)
  const services = findServices([...targets, ...roles.flatMap((role) => role.services)], directory)
  const actors = findPlaces(targets, directory)
  const ofRoles = findPlaces(
    roles.flatMap(({ places }) => places),
    directory,
  )
  const ofServices = findPlaces(
    services.flatMap(({ places }) => places),
    directory,
  )
  // A Schedule that names a Location means that one; only else do its role and its service say where.
  const where = [actors, ofRoles, ofServices].find((places) => places.length > 0) ?? []
  return {
    modalities: modalitiesOf(where),
    location: [...actors, ...ofRoles, ...ofServices].find(({ virtual }) => !virtual)?.location,
    serviceStates: serviceStatesOf(
      [...actors, ...ofRoles, ...ofServices],
      [...ofRoles, ...where.filter(({ virtual }) => virtual)],
    ),
    serviceType: services.find(({ type }) => type !== undefined)?.type,
  }
}

function refuseDangling(calendar: ParsedSchedule, directory: ResourceLookup): void {
  const dangling = calendar.actors.find((actor) => !isInFeed(actor, directory))?.target
  if (dangling === undefined) return
  throw new InvalidData(
    `actor of the schedule must be in the feed: got "${dangling.type ?? ''}/${truncate(dangling.id, 80)}"`,
  )
}

/** Devices, patients and the like are allowed as actors, but are not part of feeds. */
function isInFeed({ target }: ScheduleActor, directory: ResourceLookup): boolean {
  const types = ['Location', 'PractitionerRole', 'Practitioner', 'HealthcareService'] as const
  const known = types.some((type) => type === target?.type)
  return !known || types.some((type) => directory.find(type, target) !== undefined)
}

function findPlaces(targets: readonly (Target | undefined)[], directory: ResourceLookup): ParsedLocation[] {
  return targets.map((target) => directory.find('Location', target)).filter((place) => place !== undefined)
}

function findServices(targets: readonly (Target | undefined)[], directory: ResourceLookup): ParsedService[] {
  return targets
    .map((target) => directory.find('HealthcareService', target))
    .filter((service) => service !== undefined)
}

function modalitiesOf(places: readonly ParsedLocation[]): readonly Modality[] | undefined {
  const inPerson = places.some(({ virtual }) => !virtual)
  const virtual = places.some((place) => place.virtual)
  if (inPerson && virtual) return ['in-person', 'virtual']
  if (virtual) return ['virtual']
  return inPerson ? ['in-person'] : undefined
}

/** Licences of all places, and the states of those whose address is no place to go to but says where it is offered. */
function serviceStatesOf(
  licensed: readonly ParsedLocation[],
  offered: readonly ParsedLocation[],
): readonly string[] | undefined {
  const licences = licensed.flatMap(({ licensedStates }) => licensedStates)
  const states = offered.map(({ state }) => state).filter((state) => state !== undefined)
  const all = [...new Set([...licences, ...states])].sort()
  return all.length > 0 ? all : undefined
}
