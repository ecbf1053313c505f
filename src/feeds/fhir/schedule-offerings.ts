import { defined } from '../../lib/optional.ts'
import type { AcceptingPatients, Modality, Offering, Provider } from '../../slot/slot.ts'
import type { Concept } from './concept.ts'
import { providerOf } from './practitioner.ts'
import type { ResourceLookup } from './resources.ts'
import type { ParsedSchedule } from './schedule.ts'
import { type ServiceMode, serviceModeOf } from './service-mode.ts'

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
  readonly #variants = new Map<string, Offering>()
  #plain: Offering | undefined
  /** One-entry cache: neighboring slots are equal, and a comparison takes a tenth of a lookup. */
  #lastOverrides: SlotOverrides = {}
  #lastVariant: Offering | undefined

  /** Throws `InvalidData` if the directory is strict and an actor is not in it. */
  constructor(id: string, schedule: ParsedSchedule, directory: ResourceLookup) {
    this.id = id
    this.#publisher = directory.publisher
    this.#serviceMode = serviceModeOf(schedule, directory)
    this.#provider = providerOf(schedule, directory)
    this.#serviceType = schedule.serviceType ?? this.#serviceMode.serviceType
  }

  /** The offering of a slot without overrides. */
  plain(): Offering {
    this.#plain ??= this.#compose({})
    return this.#plain
  }

  /** The offering of a slot with overrides. */
  variant(overrides: SlotOverrides): Offering {
    if (this.#lastVariant === undefined || !areEqual(overrides, this.#lastOverrides)) {
      this.#lastVariant = this.#lookUp(overrides)
      this.#lastOverrides = overrides
    }
    return this.#lastVariant
  }

  #lookUp(overrides: SlotOverrides): Offering {
    const { serviceType, appointmentType, acceptingPatients, modalities, bookingPhone } = overrides
    const key = JSON.stringify([serviceType, appointmentType, acceptingPatients, modalities, bookingPhone])
    const known = this.#variants.get(key) ?? this.#compose(overrides)
    if (this.#variants.size >= VARIANTS_MAX) this.#variants.clear()
    this.#variants.set(key, known)
    return known
  }

  #compose(overrides: SlotOverrides): Offering {
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
    return {
      publisher: this.#publisher,
      scheduleId: this.id,
      isVirtual: offering.isVirtual,
      ...defined(offering),
    }
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
