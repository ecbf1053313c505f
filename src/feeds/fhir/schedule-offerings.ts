import { defined } from '../../lib/optional.ts'
import { truncate } from '../../lib/text.ts'
import type { AcceptingPatients, Location, Modality, Offering, Provider } from '../../slot/slot.ts'
import { InvalidData } from '../rejections.ts'
import { boundedOffering, usableOffering } from '../slot-bounds.ts'
import type { Concept, Target } from './data-types.ts'
import type { ParsedLocation } from './location.ts'
import type {
  DirectoryResourceType,
  ParsedResources,
  ParsedRole,
  ParsedSchedule,
  ResourceLookup,
  ScheduleActor,
} from './resources.ts'

/** Fields of a Slot that override those of its Schedule. */
export interface SlotOverrides {
  readonly serviceType?: Concept | undefined
  readonly appointmentType?: string | undefined
  readonly acceptingPatients?: AcceptingPatients | undefined
  readonly modalities?: readonly Modality[] | undefined
  readonly bookingPhone?: string | undefined
}

/** A Schedule has a few; the limit bounds memory for a feed with different texts in every slot. */
const VARIANTS_MAX = 1000

/** Interns the offerings of one Schedule: neighboring slots with equal fields share one object. */
export class ScheduleOfferings {
  readonly id: string
  readonly #publisher: string
  readonly #serviceMode: ServiceMode
  readonly #provider: Provider | undefined
  readonly #serviceType: Concept | undefined
  readonly #variants = new Map<string, Offering | InvalidData>()
  #plain: Offering | InvalidData | undefined
  /** One-entry cache: neighboring slots are equal, and a comparison takes a tenth of a lookup. */
  #lastOverrides: SlotOverrides = {}
  #lastVariant: Offering | InvalidData | undefined

  /** Throws `InvalidData` if the directory is strict and an actor is not in it. */
  constructor(id: string, schedule: ParsedSchedule, directory: ResourceLookup) {
    this.id = id
    this.#publisher = directory.publisher
    this.#serviceMode = serviceModeOf(schedule, directory)
    this.#provider = providerOf(schedule, directory)
    this.#serviceType = schedule.serviceType ?? this.#serviceMode.serviceType
  }

  /** The offering of a slot without overrides. Throws `InvalidData` if it is too large. */
  plain(): Offering {
    this.#plain ??= this.#compose({})
    return usableOffering(this.#plain)
  }

  /** The offering of a slot with overrides. Throws `InvalidData` if it is too large. */
  variant(overrides: SlotOverrides): Offering {
    if (this.#lastVariant === undefined || !areEqual(overrides, this.#lastOverrides)) {
      this.#lastVariant = this.#lookUp(overrides)
      this.#lastOverrides = overrides
    }
    return usableOffering(this.#lastVariant)
  }

  #lookUp(overrides: SlotOverrides): Offering | InvalidData {
    const { serviceType, appointmentType, acceptingPatients, modalities, bookingPhone } = overrides
    const key = JSON.stringify([serviceType, appointmentType, acceptingPatients, modalities, bookingPhone])
    const known = this.#variants.get(key) ?? this.#compose(overrides)
    if (this.#variants.size >= VARIANTS_MAX) this.#variants.clear()
    this.#variants.set(key, known)
    return known
  }

  #compose(overrides: SlotOverrides): Offering | InvalidData {
    const { location, serviceStates } = this.#serviceMode
    const modalities = overrides.modalities ?? this.#serviceMode.modalities
    const serviceType = overrides.serviceType ?? this.#serviceType
    const offering = {
      serviceTypeCode: serviceType?.code,
      serviceTypeText: serviceType?.text,
      appointmentType: overrides.appointmentType,
      acceptingPatients: overrides.acceptingPatients,
      bookingPhone: overrides.bookingPhone,
      isVirtual: modalities?.includes('virtual') ?? false,
      modalities,
      location,
      serviceStates,
      provider: this.#provider,
    }
    return boundedOffering({
      publisher: this.#publisher,
      scheduleId: this.id,
      isVirtual: offering.isVirtual,
      ...defined(offering),
    })
  }
}

function areEqual(a: SlotOverrides, b: SlotOverrides): boolean {
  return (
    a.bookingPhone === b.bookingPhone &&
    a.appointmentType === b.appointmentType &&
    a.acceptingPatients === b.acceptingPatients &&
    a.serviceType?.code === b.serviceType?.code &&
    a.serviceType?.text === b.serviceType?.text &&
    areEqualModalities(a.modalities, b.modalities)
  )
}

function areEqualModalities(a: readonly Modality[] | undefined, b: readonly Modality[] | undefined): boolean {
  if (a === b) return true
  return a !== undefined && b !== undefined && a.length === b.length && a[0] === b[0] && a[1] === b[1]
}

/** Location, modalities and service type of a Schedule. */
interface ServiceMode {
  readonly modalities?: readonly Modality[] | undefined
  readonly location?: Location | undefined
  readonly serviceStates?: readonly string[] | undefined
  readonly serviceType?: Concept | undefined
}

/** Throws `InvalidData` if the directory is strict and an actor is not in it. */
function serviceModeOf(schedule: ParsedSchedule, directory: ResourceLookup): ServiceMode {
  if (directory.strict) refuseDangling(schedule, directory)
  const targets = schedule.actors.map(({ target }) => target)
  const roles = findAll('PractitionerRole', targets, directory)
  const services = findAll('HealthcareService', [...targets, ...roles.flatMap((role) => role.services)], directory)
  const locationsOf = (targets: readonly (Target | undefined)[]) => findAll('Location', targets, directory)
  const actors = locationsOf(targets)
  const ofRoles = locationsOf(roles.flatMap(({ locations }) => locations))
  const ofServices = locationsOf(services.flatMap(({ locations }) => locations))
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

function findAll<T extends DirectoryResourceType>(
  type: T,
  targets: readonly (Target | undefined)[],
  directory: ResourceLookup,
): ParsedResources[T][] {
  return targets.map((target) => directory.find(type, target)).filter((resource) => resource !== undefined)
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

/**
 * The provider of a Schedule: its first PractitionerRole actor with that role's Practitioner, or its first Practitioner
 * actor. If they are not in the feed, the display text of the reference. Undefined without any.
 */
function providerOf(schedule: ParsedSchedule, directory: ResourceLookup): Provider | undefined {
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
  const services = findAll('HealthcareService', targets, directory)
  return services.find((service) => service.specialty !== undefined)?.specialty
}
