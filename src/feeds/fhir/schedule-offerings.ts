import { defined } from '../../lib/optional.ts'
import type { AcceptingPatients, Coding, Modality, Offering, Provider, ResourceDetails } from '../../slot/slot.ts'
import { InvalidData } from '../rejections.ts'
import { boundedOffering, usableOffering } from '../slot-bounds.ts'
import type { Concept, Target } from './data-types.ts'
import { identitiesOf, resourcesBehind, withoutServed } from './offering-details.ts'
import { providersOf, specialtyConcept } from './provider.ts'
import type { FoundResource, ResourceLookup } from './resources.ts'
import { scheduleAt } from './scheduling-location.ts'
import { isRemote, modalitiesWith, type ServiceMode, serviceModeOf } from './service-mode.ts'

/** Fields of a Slot that override those of its Schedule. */
export interface SlotOverrides {
  readonly serviceType?: Concept | undefined
  readonly specialty?: Concept | undefined
  readonly appointmentType?: Concept | undefined
  readonly acceptingPatients?: AcceptingPatients | undefined
  /** Empty if no channel of the slot is understood. */
  readonly modalities?: readonly Modality[] | undefined
  readonly bookingPhone?: string | undefined
  /** Where the slot can be booked, instead of the Locations of its Schedule. */
  readonly place?: Target | undefined
  /** Labels of the Slot itself. */
  readonly labels?: Pick<ResourceDetails, 'tag' | 'security'> | undefined
}

type Behind = ReturnType<typeof resourcesBehind>

/** A Schedule has a few; the limit bounds memory for a feed with different texts in every slot. */
const VARIANTS_MAX = 1000

/** Interns the offerings of one Schedule: neighboring slots with equal fields share one object. */
export class ScheduleOfferings {
  readonly id: string
  readonly #publisher: string
  readonly #schedule: FoundResource<'Schedule'>
  readonly #directory: ResourceLookup
  readonly #serviceMode: ServiceMode
  readonly #providers: readonly Provider[]
  readonly #serviceType: Concept | undefined
  readonly #specialty: Concept | undefined
  /** By the served location: one for each way to attend. */
  readonly #details = new Map<ResourceDetails | undefined, Behind>()
  readonly #variants = new Map<string, Offering | InvalidData>()
  #plain: Offering | InvalidData | undefined
  /** One-entry cache: neighboring slots are equal, and a comparison takes a tenth of a lookup. */
  #lastOverrides: SlotOverrides = {}
  #lastVariant: Offering | InvalidData | undefined

  /** Throws `InvalidData` if the directory is strict and an actor is not in it. */
  constructor(id: string, schedule: FoundResource<'Schedule'>, directory: ResourceLookup) {
    this.id = id
    this.#publisher = directory.publisher
    this.#schedule = schedule
    this.#directory = directory
    this.#serviceMode = serviceModeOf(schedule, directory)
    this.#providers = providersOf(schedule, directory)
    this.#serviceType = schedule.serviceType ?? this.#serviceMode.serviceType
    this.#specialty = specialtyConcept(schedule, directory)
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
    const key = JSON.stringify(overrides)
    const known = this.#variants.get(key) ?? this.#compose(overrides)
    if (this.#variants.size >= VARIANTS_MAX) this.#variants.clear()
    this.#variants.set(key, known)
    return known
  }

  /** Read once for all variants: they differ in other fields. */
  #detailsOf(schedule: FoundResource<'Schedule'>, served: ResourceDetails | undefined): Behind {
    const known = schedule === this.#schedule ? this.#details.get(served) : undefined
    const details = known ?? resourcesBehind(schedule, this.#directory, served)
    if (schedule === this.#schedule) this.#details.set(served, details)
    return details
  }

  #scheduleAt(place: Target | undefined): FoundResource<'Schedule'> {
    return place === undefined ? this.#schedule : scheduleAt(this.#schedule, place, this.#directory)
  }

  #compose(overrides: SlotOverrides): Offering | InvalidData {
    const schedule = this.#scheduleAt(overrides.place)
    const mode = schedule === this.#schedule ? this.#serviceMode : serviceModeOf(schedule, this.#directory)
    const modalities = modalitiesWith(overrides.modalities, mode.modalities)
    const isEither = !isRemote(modalities) && modalities?.includes('virtual') === true
    const { location, serviceStates, resource } = isRemote(modalities)
      ? mode.remote
      : isEither
        ? mode.either
        : mode.onSite
    const { appointmentType, labels } = overrides
    const serviceType = overrides.serviceType ?? this.#serviceType
    const specialty = overrides.specialty ?? this.#specialty
    const [first, ...others] = this.#providers
    const provider = defined({ ...first, specialty: specialty?.text ?? specialty?.code })
    const { languages, resources: behind } = this.#detailsOf(schedule, resource)
    const resources = withoutServed(behind, location)
    const details = defined({
      appointmentTypes: codingsBeyond(appointmentType),
      specialties: codingsBeyond(specialty),
      providers: others.length > 0 ? others : undefined,
      languages,
      modeStates: isEither ? mode.either.modeStates : undefined,
      resources: labels === undefined ? resources : { ...resources, Slot: [labels] },
    })
    const offering = {
      serviceTypeCode: serviceType?.code,
      serviceTypeText: serviceType?.text,
      serviceTypes: serviceType?.codings,
      appointmentType: appointmentType?.code ?? appointmentType?.text,
      acceptingPatients: overrides.acceptingPatients,
      bookingPhone: overrides.bookingPhone,
      isVirtual: modalities?.includes('virtual') ?? false,
      modalities,
      location,
      serviceStates,
      provider: Object.keys(provider).length > 0 ? provider : undefined,
      details: Object.keys(details).length > 0 ? details : undefined,
    }
    return bounded({
      publisher: this.#publisher,
      scheduleId: this.id,
      isVirtual: offering.isVirtual,
      ...defined(offering),
    })
  }
}

/** Without the contents of the resources if the offering is too large with them. */
function bounded(offering: Offering): Offering | InvalidData {
  const whole = boundedOffering(offering)
  const { resources } = offering.details ?? {}
  if (!(whole instanceof InvalidData) || resources === undefined) return whole
  return boundedOffering({ ...offering, details: { ...offering.details, resources: identitiesOf(resources) } })
}

/** The codings, unless they are a single text or code, which is served. */
function codingsBeyond(concept: Concept | undefined): readonly Coding[] | undefined {
  const codings = concept?.codings ?? []
  const isMore = codings.length > 1 || codings.some((coding) => Object.keys(coding).length > 1)
  return isMore ? codings : undefined
}

function areEqual(a: SlotOverrides, b: SlotOverrides): boolean {
  return (
    a.bookingPhone === b.bookingPhone &&
    a.place?.id === b.place?.id &&
    a.acceptingPatients === b.acceptingPatients &&
    areEqualConcepts(a.serviceType, b.serviceType) &&
    areEqualConcepts(a.appointmentType, b.appointmentType) &&
    areEqualConcepts(a.specialty, b.specialty) &&
    (a.labels === b.labels || JSON.stringify(a.labels) === JSON.stringify(b.labels)) &&
    areEqualModalities(a.modalities, b.modalities)
  )
}

function areEqualConcepts(a: Concept | undefined, b: Concept | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return (
    a.text === b.text && a.codings.length === b.codings.length && a.codings.every((one, n) => isSame(one, b.codings[n]))
  )
}

function isSame(a: Coding, b: Coding): boolean {
  return a.code === b.code && a.system === b.system && a.display === b.display
}

function areEqualModalities(a: readonly Modality[] | undefined, b: readonly Modality[] | undefined): boolean {
  if (a === b) return true
  return a !== undefined && b !== undefined && a.length === b.length && a.every((one, at) => one === b[at])
}
