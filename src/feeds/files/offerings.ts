import { hash } from 'node:crypto'
import { defined } from '../../lib/optional.ts'
import type { Offering } from '../../slot/slot.ts'

/** What an offering says beside whose it is. */
export type Offered = {
  readonly [K in keyof Omit<Offering, 'publisher' | 'scheduleId' | 'isVirtual'>]: Offering[K] | undefined
} & { readonly isVirtual: boolean }

/** A table has a few for each place; one that words every row differently is not to fill the memory. */
const OFFERINGS_MAX = 20_000

/** Hands out the same Offering to slots that share it, at least to neighbours. */
export class Offerings {
  readonly #publisher: string
  readonly #known = new Map<string, Offering>()

  constructor(publisher: string) {
    this.#publisher = publisher
  }

  /** Without a Schedule's id, all of one service, place and provider belong to one, which is named by them. */
  share(scheduleId: string | undefined, offered: Offered): Offering {
    const key = JSON.stringify([scheduleId, offered])
    const known = this.#known.get(key)
    if (known !== undefined) return known
    if (this.#known.size >= OFFERINGS_MAX) this.#known.clear()
    const offering: Offering = {
      publisher: this.#publisher,
      scheduleId: scheduleId ?? nameOf(offered),
      isVirtual: offered.isVirtual,
      ...defined(offered),
    }
    this.#known.set(key, offering)
    return offering
  }
}

/** Of what seldom changes alone: with another Schedule, a slot is another slot. */
function nameOf({ location = {}, provider = {}, serviceTypeCode, serviceTypeText }: Offered): string {
  const place = [location.name, location.addressLine, location.city, location.state, location.postalCode]
  const parts = [...place, provider.name, provider.npi, serviceTypeCode, serviceTypeText]
  return hash('sha256', JSON.stringify(parts)).slice(0, 16)
}
