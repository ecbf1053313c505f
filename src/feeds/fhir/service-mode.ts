import { truncate } from '../../lib/text.ts'
import type { Location, Modality } from '../../slot/slot.ts'
import { InvalidData } from '../invalid-data.ts'
import type { Concept } from './concept.ts'
import type { ParsedLocation } from './location.ts'
import type { ParsedService } from './practitioner.ts'
import type { Target } from './reference.ts'
import type { ResourceLookup } from './resources.ts'
import type { ParsedSchedule, ScheduleActor } from './schedule.ts'

/** Location, modalities and service type of a Schedule. */
export interface ServiceMode {
  readonly modalities?: readonly Modality[] | undefined
  readonly location?: Location | undefined
  readonly serviceStates?: readonly string[] | undefined
  readonly serviceType?: Concept | undefined
}

/** Throws `InvalidData` if the directory is strict and an actor is not in it. */
export function serviceModeOf(schedule: ParsedSchedule, directory: ResourceLookup): ServiceMode {
  if (directory.strict) refuseDangling(schedule, directory)
  const targets = schedule.actors.map(({ target }) => target)
  const roles = targets.map((target) => directory.find('PractitionerRole', target)).filter((role) => role !== undefined)
  const services = findServices([...targets, ...roles.flatMap((role) => role.services)], directory)
  const actors = findLocations(targets, directory)
  const ofRoles = findLocations(
    roles.flatMap(({ locations }) => locations),
    directory,
  )
  const ofServices = findLocations(
    services.flatMap(({ locations }) => locations),
    directory,
  )
  // Locations of the Schedule take precedence over those of its role, and these over those of its service.
  const where = [actors, ofRoles, ofServices].find((locations) => locations.length > 0) ?? []
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

function refuseDangling(schedule: ParsedSchedule, directory: ResourceLookup): void {
  const dangling = schedule.actors.find((actor) => !isInFeed(actor, directory))?.target
  if (dangling === undefined) return
  throw new InvalidData(
    `actor of the schedule must be in the feed: got "${dangling.type ?? ''}/${truncate(dangling.id, 80)}"`,
  )
}

/** Other types of actors, such as Device, are allowed but not part of feeds. */
function isInFeed({ target }: ScheduleActor, directory: ResourceLookup): boolean {
  const types = ['Location', 'PractitionerRole', 'Practitioner', 'HealthcareService'] as const
  const known = types.some((type) => type === target?.type)
  return !known || types.some((type) => directory.find(type, target) !== undefined)
}

function findLocations(targets: readonly (Target | undefined)[], directory: ResourceLookup): ParsedLocation[] {
  return targets.map((target) => directory.find('Location', target)).filter((location) => location !== undefined)
}

function findServices(targets: readonly (Target | undefined)[], directory: ResourceLookup): ParsedService[] {
  return targets.map((target) => directory.find('HealthcareService', target)).filter((service) => service !== undefined)
}

function modalitiesOf(locations: readonly ParsedLocation[]): readonly Modality[] | undefined {
  const inPerson = locations.some(({ virtual }) => !virtual)
  const virtual = locations.some((location) => location.virtual)
  if (inPerson && virtual) return ['in-person', 'virtual']
  if (virtual) return ['virtual']
  return inPerson ? ['in-person'] : undefined
}

/** States of all licenses, and of locations whose address only states where the service is offered. */
function serviceStatesOf(
  licensed: readonly ParsedLocation[],
  offered: readonly ParsedLocation[],
): readonly string[] | undefined {
  const licences = licensed.flatMap(({ licensedStates }) => licensedStates)
  const states = offered.map(({ state }) => state).filter((state) => state !== undefined)
  const all = [...new Set([...licences, ...states])].sort()
  return all.length > 0 ? all : undefined
}
