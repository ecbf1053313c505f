import type { SlotStatus } from '../../src/slot/slot.ts'

/** A slot as its publisher knows it. No two of all publishers begin at the same time, so the start alone orders them. */
export interface TrueSlot {
  readonly id: string
  readonly publisher: string
  readonly scheduleId: string
  readonly state: string
  readonly status: SlotStatus
  readonly startMs: number
  /** Another one whenever anything of the slot is another. */
  readonly bookingDeepLink: string
}

/** How large a feed is, and how much of it a version changes, takes away or puts in. */
export interface FeedSize {
  /** There are fewer slots than places. */
  readonly places: number
  readonly changedOf100: number
}

/** What a publisher offered from one moment on, until the next version. */
export interface Version {
  readonly number: number
  /** Of `performance.now()`. */
  readonly publishedAtMs: number
  /** Those of one status and, if it is given, one state; by start. */
  select(status: SlotStatus, state: string | undefined): readonly TrueSlot[]
  readonly slots: readonly TrueSlot[]
}

export const STATES = ['MA', 'NY', 'TX', 'CA'] as const
export const STATUSES = ['free', 'busy', 'busy-tentative', 'busy-unavailable'] as const

const STEP_MS = 600_000
const BASE_MS = Date.UTC(2031, 2, 3, 8)

/**
 * All that one publisher ever offered: version after version, each with other slots.
 *
 * The first slot of all is another in each version, and free: who sees it knows the version.
 */
export class FeedHistory {
  readonly slug: string
  readonly #versions: Version[] = []
  readonly #places: number
  readonly #changedOf100: number
  readonly #offsetMs: number

  /** `number` tells the publishers apart. */
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

  /** The version of that number; undefined if there is none yet. */
  find(number: number): Version | undefined {
    return this.#versions[number]
  }

  /** Makes and publishes the next version. */
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

  #slot(place: number, version: number): TrueSlot {
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
  readonly slots: readonly TrueSlot[]
  readonly #selected = new Map<string, readonly TrueSlot[]>()

  constructor(number: number, slots: readonly TrueSlot[]) {
    this.number = number
    this.slots = slots
  }

  select(status: SlotStatus, state: string | undefined): readonly TrueSlot[] {
    const key = `${status} ${state}`
    let selected = this.#selected.get(key)
    if (selected === undefined) {
      selected = this.slots.filter((slot) => slot.status === status && (state === undefined || slot.state === state))
      this.#selected.set(key, selected)
    }
    return selected
  }
}
