import { defined } from '../../lib/optional.ts'
import type { AcceptingPatients, Modality, Offering, Provider } from '../../slot/slot.ts'
import type { Concept } from './concept.ts'
import { providerOf } from './provider.ts'
import type { ResourceLookup } from './resources.ts'
import type { ParsedSchedule } from './schedule.ts'
import { type ServiceMode, serviceModeOf } from './service-mode.ts'

/** What a Slot says itself of what otherwise its Schedule says. */
export interface SlotWords {
  readonly serviceType?: Concept | undefined
  readonly appointmentType?: string | undefined
  readonly acceptingPatients?: AcceptingPatients | undefined
  readonly modalities?: readonly Modality[] | undefined
  readonly bookingPhone?: string | undefined
}

/** A feed has a few for each Schedule; one that words every slot differently is not to fill the memory. */
const VARIANTS_MAX = 1000

/** One Schedule with everything it refers to: hands out the same Offering to the slots that share it, at least to neighbours. */
export class ScheduleOfferings {
  readonly id: string
  readonly #publisher: string
  readonly #attendance: ServiceMode
  readonly #provider: Provider | undefined
  readonly #serviceType: Concept | undefined
  readonly #variants = new Map<string, Offering>()
  #plain: Offering | undefined
  /** What was asked for last: neighbouring slots say the same, and to compare it takes a tenth of a look-up. */
  #lastWords: SlotWords = {}
  #lastVariant: Offering | undefined

  /** Throws `InvalidData` if the directory is strict and an actor is not in it. */
  constructor(id: string, calendar: ParsedSchedule, directory: ResourceLookup) {
    this.id = id
    this.#publisher = directory.publisher
    this.#attendance = serviceModeOf(calendar, directory)
    this.#provider = providerOf(calendar, directory)
    this.#serviceType = calendar.serviceType ?? this.#attendance.serviceType
  }

  /** For a slot that says nothing itself. */
  plain(): Offering {
    this.#plain ??= this.#compose({})
    return this.#plain
  }

  /** For a slot that says something itself. */
  variant(words: SlotWords): Offering {
    if (this.#lastVariant === undefined || !sayTheSame(words, this.#lastWords)) {
      this.#lastVariant = this.#lookUp(words)
      this.#lastWords = words
    }
    return this.#lastVariant
  }

  #lookUp(words: SlotWords): Offering {
    const { serviceType, appointmentType, acceptingPatients, modalities, bookingPhone } = words
    const key = JSON.stringify([serviceType, appointmentType, acceptingPatients, modalities, bookingPhone])
    const known = this.#variants.get(key) ?? this.#compose(words)
    if (this.#variants.size >= VARIANTS_MAX) this.#variants.clear()
    this.#variants.set(key, known)
    return known
  }

  #compose(words: SlotWords): Offering {
    const { location, serviceStates } = this.#attendance
    const modalities = words.modalities ?? this.#attendance.modalities
    const serviceType = words.serviceType ?? this.#serviceType
    const said = {
      serviceTypeCode: serviceType?.code,
      serviceTypeText: serviceType?.text,
      appointmentType: words.appointmentType,
      acceptingPatients: words.acceptingPatients,
      bookingPhone: words.bookingPhone,
      isVirtual: modalities?.includes('virtual') ?? false,
      modalities,
      location,
      serviceStates,
      provider: this.#provider,
    }
    return { publisher: this.#publisher, scheduleId: this.id, isVirtual: said.isVirtual, ...defined(said) }
  }
}

function sayTheSame(a: SlotWords, b: SlotWords): boolean {
  return (
    a.bookingPhone === b.bookingPhone &&
    a.appointmentType === b.appointmentType &&
    a.acceptingPatients === b.acceptingPatients &&
    a.serviceType?.code === b.serviceType?.code &&
    a.serviceType?.text === b.serviceType?.text &&
    areSame(a.modalities, b.modalities)
  )
}

function areSame(a: readonly Modality[] | undefined, b: readonly Modality[] | undefined): boolean {
  if (a === b) return true
  return a !== undefined && b !== undefined && a.length === b.length && a[0] === b[0] && a[1] === b[1]
}
