import type { ServedView } from '../shared/contract/feed-checks.ts'
import { SLOT_STATUSES, type Slot, type SlotStatus } from '../slot/slot.ts'

/** Counts slots as callers would find them. */
export class ServedCounts {
  readonly #nowMs: number
  readonly #byStatus = new Map<SlotStatus, number>(SLOT_STATUSES.map((status) => [status, 0]))
  readonly #byState = new Map<string, number>()
  readonly #schedules = new Set<string>()
  #slots = 0
  #stateless = 0
  #inPerson = 0
  #virtual = 0
  #both = 0
  #ended = 0
  #first: Slot | undefined
  #last: Slot | undefined

  constructor(nowMs: number) {
    this.#nowMs = nowMs
  }

  add(slot: Slot): void {
    const { offering } = slot
    this.#slots++
    this.#byStatus.set(slot.status, (this.#byStatus.get(slot.status) ?? 0) + 1)
    this.#addStates(offering.location?.state, offering.serviceStates)
    const inPerson = offering.modalities?.includes('in-person') ?? !offering.isVirtual
    this.#inPerson += inPerson ? 1 : 0
    this.#virtual += offering.isVirtual ? 1 : 0
    this.#both += inPerson && offering.isVirtual ? 1 : 0
    this.#ended += slot.endMs < this.#nowMs ? 1 : 0
    this.#schedules.add(offering.scheduleId)
    if (this.#first === undefined || slot.startMs < this.#first.startMs) this.#first = slot
    if (this.#last === undefined || slot.endMs > this.#last.endMs) this.#last = slot
  }

  /** True if a slot belongs to the Schedule. */
  hasSlots(scheduleId: string): boolean {
    return this.#schedules.has(scheduleId)
  }

  view(): ServedView {
    return {
      slots: this.#slots,
      byStatus: Object.fromEntries(this.#byStatus) as Record<SlotStatus, number>,
      byState: Object.fromEntries([...this.#byState].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))),
      stateless: this.#stateless,
      inPerson: this.#inPerson,
      virtual: this.#virtual,
      both: this.#both,
      ended: this.#ended,
      schedules: this.#schedules.size,
      ...(this.#first === undefined ? {} : { firstStart: this.#first.start }),
      ...(this.#last === undefined ? {} : { lastEnd: this.#last.end }),
    }
  }

  #addStates(own: string | undefined, licensed: readonly string[] = []): void {
    if (own !== undefined && !licensed.includes(own))
      this.#byState.set(own, (this.#byState.get(own) ?? 0) + 1)
    for (const state of licensed) this.#byState.set(state, (this.#byState.get(state) ?? 0) + 1)
    if (own === undefined && licensed.length === 0) this.#stateless++
  }
}
