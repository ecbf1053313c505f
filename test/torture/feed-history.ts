import type { SlotStatus } from '../../src/slot/slot.ts'

/** A published slot. No two slots of all publishers begin at the same time, so the start alone orders them. */
export interface PublishedSlot {
  readonly id: string
  readonly publisher: string
  readonly scheduleId: string
  readonly state: string
  readonly status: SlotStatus
  readonly startMs: number
  /** Differs between versions of the slot. */
  readonly bookingDeepLink: string
}

/** The size of a feed, and the share of its slots that a version changes, removes or adds. */
export interface FeedSize {
  /** The maximum number of slots. */
  readonly places: number
  readonly changedOf100: number
}

/** The slots of a publisher from one change to the next. */
export interface Version {
  readonly number: number
  /** Of `performance.now()`. */
  readonly publishedAtMs: number
  /** The slots of one status and, if given, one state, by start. */
  select(status: SlotStatus, state: string | undefined): readonly PublishedSlot[]
  readonly slots: readonly PublishedSlot[]
}

export const STATES = ['MA', 'NY', 'TX', 'CA'] as const
export const STATUSES = ['free', 'busy', 'busy-tentative', 'busy-unavailable'] as const

const STEP_MS = 600_000
const BASE_MS = Date.UTC(2031, 2, 3, 8)

/**
 * All versions of the slots of one publisher. The first slot is free and differs in each version: it identifies the version.
 */
export class FeedHistory {
  readonly slug: string
  readonly #versions: Version[] = []
  readonly #places: number
  readonly #changedOf100: number
  readonly #offsetMs: number

  /** `number` differs between publishers. */
  constructor(slug: string, { places, changedOf100, number }: FeedSize & { number: number }) {
    this.slug = slug
    this.#places = places
    this.#changedOf100 = changedOf100
    this.#offsetMs = number * 60_000
    const slots = Array.from({ length: places }, (_, place) => this.#slot(place, 0))
    this.#versions.push(new PublishedVersion(0, slots))
  }

  get latest(): Version {
    return this.#versions[this.#versions.length - 1]
  }

  /** The version with this number; undefined if it does not exist yet. */
  find(number: number): Version | undefined {
    return this.#versions[number]
  }

  /** Creates the next version. */
  change(): Version {
    const number = this.#versions.length
    const bySlot = new Map(this.latest.slots.map((slot) => [slot.startMs, slot]))
    for (let place = 0; place < this.#places; place++) {
      if (place > 0 && Math.random() * 100 >= this.#changedOf100) continue
      const slot = this.#slot(place, number)
      if (place > 0 && bySlot.has(slot.startMs) && Math.random() < 0.4) bySlot.delete(slot.startMs)
      else bySlot.set(slot.startMs, slot)
    }
    const slots = [...bySlot.values()].sort((a, b) => a.startMs - b.startMs)
    this.#versions.push(new PublishedVersion(number, slots))
    return this.latest
  }

  #slot(place: number, version: number): PublishedSlot {
    return {
      id: `slot-${place}`,
      publisher: this.slug,
      scheduleId: `schedule-${place % STATES.length}`,
      state: STATES[place % STATES.length],
      status: place === 0 || Math.random() < 0.7 ? 'free' : STATUSES[Math.floor(Math.random() * 4)],
      startMs: BASE_MS + this.#offsetMs + place * STEP_MS,
      bookingDeepLink: `https://booking.example/${this.slug}/${place}/${version}`,
    }
  }
}

class PublishedVersion implements Version {
  readonly number: number
  readonly publishedAtMs = performance.now()
  readonly slots: readonly PublishedSlot[]
  readonly #selected = new Map<string, readonly PublishedSlot[]>()

  constructor(number: number, slots: readonly PublishedSlot[]) {
    this.number = number
    this.slots = slots
  }

  select(status: SlotStatus, state: string | undefined): readonly PublishedSlot[] {
    const key = `${status} ${state}`
    let selected = this.#selected.get(key)
    if (selected === undefined) {
      selected = this.slots.filter((slot) => slot.status === status && (state === undefined || slot.state === state))
      this.#selected.set(key, selected)
    }
    return selected
  }
}
