import { truncate } from '../../lib/text.ts'
import type { Location, Modality, OfferingDetails, ResourceDetails } from '../../slot/slot.ts'
import { InvalidData } from '../rejections.ts'
import { type Concept, mergeConcepts, type Target } from './data-types.ts'
import { contactOf, type ParsedLocation } from './location.ts'
import type { Described } from './resource-details.ts'
import { findAll, type ParsedSchedule, type ResourceLookup, type ScheduleActor } from './resources.ts'

/** How and where the slots of a Schedule are attended, and the service type of its HealthcareService. */
export interface ServiceMode {
  readonly modalities?: readonly Modality[] | undefined
  /** Of slots that can be attended in person or do not specify. */
  readonly onSite: Place
  /** Of slots that are virtual only. */
  readonly remote: Place
  /** Of slots that can be attended both ways. */
  readonly either: Place & Pick<OfferingDetails, 'modeStates'>
  readonly serviceType?: Concept | undefined
}

interface Place {
  readonly location?: Location | undefined
  /** Of that location; absent if it is not in the feed. */
  readonly resource?: ResourceDetails | undefined
  readonly serviceStates?: readonly string[] | undefined
}

/** `details` are absent if it is not in the feed. */
type KnownLocation = ParsedLocation & Partial<Described>

/** Throws `InvalidData` if the directory is strict and an actor is not in it. */
export function serviceModeOf(schedule: ParsedSchedule, directory: ResourceLookup): ServiceMode {
  if (directory.strict) refuseDangling(schedule, directory)
  const targets = schedule.actors.map(({ target }) => target)
  const roles = findAll('PractitionerRole', targets, directory)
  const services = findAll('HealthcareService', [...targets, ...roles.flatMap((role) => role.services)], directory)
  const locationsOf = (targets: readonly Target[]) =>
    findAll('Location', targets, directory).map((location) => withAddress(location, directory))
  const locations = {
    actors: schedule.actors.flatMap((actor) => actorLocation(actor, directory)),
    ofRoles: locationsOf(roles.flatMap(({ locations }) => locations)),
    ofServices: locationsOf(services.flatMap(({ locations }) => locations)),
  }
  return {
    modalities: modalitiesWith(schedule.modalities, modalitiesOf(nearest(locations))),
    // Computed when they are read: most Schedules need one of them.
    get onSite() {
      return onSite(locations)
    },
    get remote() {
      return remote(locations)
    },
    get either() {
      return either(locations)
    },
    serviceType: mergeConcepts(services.map(({ type }) => type)),
  }
}

/** The modalities of a slot or Schedule that has channels, from what else is known. Empty channels are not understood. */
export function modalitiesWith(
  channels: readonly Modality[] | undefined,
  otherwise: readonly Modality[] | undefined,
): readonly Modality[] | undefined {
  if (channels === undefined) return otherwise
  if (channels.length > 0) return channels
  // An unknown channel to a virtual Location is still virtual.
  return isRemote(otherwise) ? otherwise : undefined
}

/** True for modalities that are virtual only. */
export function isRemote(modalities: readonly Modality[] | undefined): boolean {
  return modalities?.[0] === 'virtual'
}

/** The Locations of a Schedule by the actor that refers to them: the Schedule itself, its roles, its services. */
interface Locations {
  readonly actors: readonly KnownLocation[]
  readonly ofRoles: readonly KnownLocation[]
  readonly ofServices: readonly KnownLocation[]
}

/** Locations of the Schedule take precedence over those of its role, and these over those of its service. */
function nearest({ actors, ofRoles, ofServices }: Locations): readonly KnownLocation[] {
  return [actors, ofRoles, ofServices].find((locations) => locations.length > 0) ?? []
}

/** A Location that is not in the feed is known by the display text of the reference, if it has one. */
function actorLocation({ target, type, display: name }: ScheduleActor, directory: ResourceLookup): KnownLocation[] {
  const location = directory.find('Location', target)
  if (location !== undefined) return [withAddress(location, directory)]
  return type === 'Location' && name !== undefined ? [{ location: { name }, licensedStates: [] }] : []
}

/** Rooms in floors in wings in buildings on sites; the limit ends cycles. */
const PARENTS_MAX = 8

/** A physical Location without an address has the address and position of the nearest one around it that has an address. */
export function withAddress<Known extends KnownLocation>(location: Known, directory: ResourceLookup): Known {
  if (!needsParent(location)) return location
  let around = directory.find('Location', location.partOf)
  for (let steps = 1; around !== undefined && !hasAddress(around) && steps < PARENTS_MAX; steps++)
    around = directory.find('Location', around.partOf)
  if (around === undefined || !hasAddress(around)) return location
  const { name: _name, phone: _phone, website: _website, ...address } = around.location ?? {}
  return { ...location, location: { ...location.location, ...address, ...location.location } }
}

/** True for a physical Location without an address: it has that of the Location around it. */
export function needsParent(location: KnownLocation): boolean {
  return !isVirtual(location) && !hasAddress(location)
}

function hasAddress({ location = {} }: KnownLocation): boolean {
  const { addressLine, city, state, postalCode } = location
  return (addressLine ?? city ?? state ?? postalCode) !== undefined
}

function refuseDangling(schedule: ParsedSchedule, directory: ResourceLookup): void {
  const dangling = schedule.actors.find((actor) => !isInFeed(actor, directory))?.target
  if (dangling === undefined) return
  throw new InvalidData(
    `actor of the schedule must be in the feed: got "${dangling.type ?? ''}/${truncate(dangling.id, 80)}"`,
  )
}

/** Other types of actors, such as Device, are allowed but not part of feeds. */
function isInFeed({ target, type }: ScheduleActor, directory: ResourceLookup): boolean {
  const types = ['Location', 'PractitionerRole', 'Practitioner', 'HealthcareService'] as const
  const known = types.some((one) => one === type)
  return !known || types.some((one) => directory.find(one, target) !== undefined)
}

/** A Location that says nothing is in person only beside a virtual one, from which the publisher distinguishes it. */
export function modalitiesOf(
  locations: readonly Pick<ParsedLocation, 'attendance'>[],
): readonly Modality[] | undefined {
  const virtual = locations.some(isVirtual)
  const inPerson = locations.some(({ attendance }) => (virtual ? attendance !== 'virtual' : attendance === 'in-person'))
  if (virtual) return inPerson ? ['in-person', 'virtual'] : ['virtual']
  return inPerson ? ['in-person'] : undefined
}

function isVirtual({ attendance }: Pick<ParsedLocation, 'attendance'>): boolean {
  return attendance === 'virtual'
}

/**
 * The first Location that is not virtual. The slots are also offered where it and the virtual Locations are licensed, and, if the
 * Schedule itself has several Locations, in the states of all. Other Locations of a role or service say nothing about its slots.
 */
function onSite(locations: Locations): Place {
  const { actors, ofRoles, ofServices } = locations
  const place = [...actors, ...ofRoles, ...ofServices].find((location) => !isVirtual(location))
  const near = nearest(locations)
  const counted = actors.length > 0 ? actors : near.filter((location) => location === place || isVirtual(location))
  return {
    location: place?.location,
    resource: place?.details,
    serviceStates: statesOf(
      counted,
      counted.filter((location) => location !== place),
    ),
  }
}

/**
 * The contact of the first virtual Location that has one; without virtual Locations, of the first Location. The slots are offered
 * in the states of these, of the licences of all Locations, and where the role works.
 */
function remote(locations: Locations): Place {
  const { actors, ofRoles, ofServices } = locations
  const all = [...actors, ...ofRoles, ...ofServices]
  const near = nearest(locations)
  const virtual = all.filter(isVirtual)
  const contacts = (virtual.length > 0 ? virtual : near).map(({ location, details: resource }) => ({
    location: location && contactOf(location),
    resource,
  }))
  return {
    ...contacts.find(({ location }) => location !== undefined),
    serviceStates: statesOf(all, [...ofRoles, ...(virtual.length > 0 ? near.filter(isVirtual) : near)]),
  }
}

/** The place of slots in person. They are offered there, and virtually where virtual slots would be. */
function either(locations: Locations): ServiceMode['either'] {
  const place = onSite(locations)
  const isPhysical = (location: KnownLocation) => !isVirtual(location)
  const physical = onSite({
    actors: locations.actors.filter(isPhysical),
    ofRoles: locations.ofRoles.filter(isPhysical),
    ofServices: locations.ofServices.filter(isPhysical),
  })
  const own = place.location?.state === undefined ? [] : [place.location.state]
  const inPerson = distinct([...own, ...(physical.serviceStates ?? [])])
  const virtual = remote(locations).serviceStates ?? own
  const elsewhere = virtual.filter((state) => !own.includes(state))
  const serviceStates = distinct([...(physical.serviceStates ?? []), ...elsewhere])
  return {
    ...place,
    serviceStates: serviceStates.length > 0 ? serviceStates : undefined,
    ...(String(inPerson) !== String(virtual) && { modeStates: { inPerson, virtual } }),
  }
}

function distinct(states: readonly string[]): readonly string[] {
  return [...new Set(states)].sort()
}

/** The states of all licences, and of the addresses of Locations. */
function statesOf(
  licensed: readonly KnownLocation[],
  located: readonly KnownLocation[],
): readonly string[] | undefined {
  const licences = licensed.flatMap(({ licensedStates }) => licensedStates)
  const states = located.map(({ location }) => location?.state).filter((state) => state !== undefined)
  const all = [...new Set([...licences, ...states])].sort()
  return all.length > 0 ? all : undefined
}
