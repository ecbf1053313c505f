import type { AcceptingPatients, Modality, Offering, Provider } from '../../slot/slot.ts'
import { type Attendance, attendanceOf } from './attendance.ts'
import type { Calendar } from './calendar.ts'
import type { Concept } from './concept.ts'
import type { Directory } from './directory.ts'
import { defined } from './person.ts'
import { providerOf } from './provider.ts'

/** What a Slot says itself of what otherwise its Schedule says. */
export interface SlotWords {
  readonly serviceType?: Concept | undefined
  readonly appointmentType?: string | undefined
  readonly acceptingPatients?: AcceptingPatients | undefined
  readonly modalities?: readonly Modality[] | undefined
}

/** One Schedule with everything it refers to: hands out the same Offering to all slots that share it. */
export class ScheduleOfferings {
  readonly id: string
  readonly #publisher: string
  readonly #attendance: Attendance
  readonly #provider: Provider | undefined
  readonly #serviceType: Concept | undefined
  readonly #variants = new Map<string, Offering>()
  #plain: Offering | undefined

  /** Throws `Unreadable` if the directory is strict and an actor is not in it. */
  constructor(id: string, calendar: Calendar, directory: Directory) {
    this.id = id
    this.#publisher = directory.publisher
    this.#attendance = attendanceOf(calendar, directory)
    this.#provider = providerOf(calendar, directory)
    this.#serviceType = calendar.serviceType ?? this.#attendance.serviceType
  }

  /** For a slot that says nothing itself. */
  plain(): Offering {
    this.#plain ??= this.#compose({})
    return this.#plain
  }

  variant(words: SlotWords): Offering {
    const { serviceType, appointmentType, acceptingPatients, modalities } = words
    const key = JSON.stringify([serviceType, appointmentType, acceptingPatients, modalities])
    const known = this.#variants.get(key) ?? this.#compose(words)
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
      isVirtual: modalities?.includes('virtual') ?? false,
      modalities,
      location,
      serviceStates,
      provider: this.#provider,
    }
    return { publisher: this.#publisher, scheduleId: this.id, isVirtual: said.isVirtual, ...defined(said) }
  }
}
