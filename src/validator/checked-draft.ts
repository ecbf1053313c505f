import type { LineDraft, Origin, Rejected } from '../feeds/connector.ts'
import { IdSet } from '../feeds/id-set.ts'
import { duplicateRejection } from '../feeds/rejections.ts'
import type { ServedView } from '../shared/contract/feed-checks.ts'
import { encoded, encodeOffering, encodeSlot, SLOT_STATUSES, type Slot, type SlotStatus } from '../slot/slot.ts'
import { isTestData } from '../slot/test-data.ts'
import type { Findings } from './report.ts'
import { type FindingPosition, quote } from './rule.ts'
import { SERVED_RULES } from './rules/served-rules.ts'
import { NOTED_SLOT_RULES } from './rules/slot-rules.ts'

/** Number of sample slots in a report. */
const SAMPLES_MAX = 3

/** Duplicates are detected among this many ids, in 50 to 100 MB. */
const IDS_MAX = 2 ** 21

/** The two passes over a feed: first all other resources, then the slots. */
export type Pass = 'directory' | 'slots'

/** Finds the position of a line. */
export interface LineLocator {
  where(line: number): FindingPosition
}

interface DraftOptions {
  readonly idsMax?: number | undefined
  /** Slots of test data count as served. */
  readonly serveTestData?: boolean | undefined
}

/** A snapshot draft that is discarded: the parsers of a sync fill it, and it counts the outcome of each line. */
export class CheckedDraft implements LineDraft {
  readonly counts: ServedCounts
  /** The first slots as `/v1` would serve them, as JSON. */
  readonly samples: string[] = []
  /** States of the slots in the current file; cleared by the caller for the next file. */
  readonly statesFound = new Set<string>()
  readonly #findings: Findings
  readonly #ids: IdSet
  /** The ids of slots that are not free. */
  readonly #idsNotFree: IdSet
  readonly #sourceIds: IdSet
  readonly #times: IdSet
  readonly #withholdsTestData: boolean
  #locator: LineLocator = { where: () => ({ file: '' }) }
  #rejections = new Map<number, Rejected>()
  #pass: Pass = 'directory'
  #host = ''
  /** Slot lines that are never served. */
  withheld = 0
  /** Slot lines with a version that does not count. */
  superseded = 0
  /** Rejected Slot lines. */
  rejected = 0
  /** Rejected lines of the other files. */
  directoryRejected = 0

  constructor(findings: Findings, nowMs: number, { idsMax = IDS_MAX, serveTestData = false }: DraftOptions = {}) {
    this.#withholdsTestData = !serveTestData
    this.#findings = findings
    this.#ids = new IdSet(idsMax)
    this.#idsNotFree = new IdSet(idsMax)
    this.#sourceIds = new IdSet(idsMax)
    this.#times = new IdSet(idsMax)
    this.counts = new ServedCounts(nowMs)
  }

  /** True once there were too many slots or ids to detect duplicates. */
  get isFull(): boolean {
    return this.#ids.isOverfull || this.#sourceIds.isOverfull || this.#times.isOverfull
  }

  /** Sets the lines and the pass of the following calls. */
  startBatch(locator: LineLocator, pass: Pass): void {
    this.#pass = pass
    this.#locator = locator
    this.#host = URL.parse(locator.where(0).file)?.hostname ?? ''
    this.#rejections = new Map()
  }

  /** The rejection of a line of the current batch. */
  rejectionAt(line: number): Rejected | undefined {
    return this.#rejections.get(line)
  }

  /** Notes the publisher's own id of a slot. */
  noteSourceId(id: string, where: FindingPosition): void {
    if (!this.#sourceIds.add(id)) this.#findings.note(NOTED_SLOT_RULES.idRepeated, where, `${quote('id', id)} again`)
  }

  put(slot: Slot, origin: Origin): void {
    const where = this.#locator.where(origin.line)
    if (this.#withholdsTestData && isTestData(slot.offering)) {
      this.withhold()
      return
    }
    if (!this.#ids.add(slot.id)) {
      this.#addDuplicate(slot, origin, where)
      return
    }
    if (slot.status !== 'free') this.#idsNotFree.add(slot.id)
    const { startMs, endMs, offering } = slot
    if (!this.#times.add(`${offering.scheduleId} ${startMs} ${endMs}`))
      this.#findings.note(NOTED_SLOT_RULES.timeRepeated, where, `${quote('start', slot.start)} of the Schedule again`)
    this.counts.add(slot)
    const { location } = offering
    if (location?.state !== undefined) this.statesFound.add(location.state)
    if (this.samples.length < SAMPLES_MAX) this.samples.push(encodeSlot(slot) + encodeOffering(slot.offering))
    this.#findings.applyAll(SERVED_RULES, { slot, host: this.#host }, where)
  }

  /** As in a sync, the slot that is not free is served. */
  #addDuplicate(slot: Slot, origin: Origin, where: FindingPosition): void {
    const { status, start, end } = slot
    const isContradiction = this.#idsNotFree.has(slot.id) === (status === 'free')
    if (isContradiction)
      this.#findings.note(NOTED_SLOT_RULES.contradictory, where, `status: got "${status}" of a slot published before`)
    else this.#findings.note(NOTED_SLOT_RULES.publishedTwice, where, `slot: got "${start} to ${end}" again`)
    if (isContradiction && status !== 'free') {
      this.#idsNotFree.add(slot.id)
      this.counts.overrule(status)
    }
    this.reject(duplicateRejection(encoded(slot), origin, isContradiction))
  }

  reject(rejected: Rejected): void {
    if (this.#pass === 'slots') this.rejected++
    else this.directoryRejected++
    this.#rejections.set(rejected.line, rejected)
  }

  withhold(): void {
    this.withheld++
  }

  keep(): boolean {
    return false
  }
}

/** Counts served slots by status, state and service mode. */
export class ServedCounts {
  readonly #nowMs: number
  readonly #byStatus = new Map<SlotStatus, number>(SLOT_STATUSES.map((status) => [status, 0]))
  readonly #byState = new Map<string, number>()
  readonly #schedules = new Set<string>()
  readonly #counts = { slots: 0, stateless: 0, inPerson: 0, virtual: 0, both: 0, ended: 0 }
  /** The booking link of every slot so far; undefined once a slot has none or another one. */
  #commonLink: string | undefined
  #first: Slot | undefined
  #last: Slot | undefined

  constructor(nowMs: number) {
    this.#nowMs = nowMs
  }

  add(slot: Slot): void {
    const { offering } = slot
    const counts = this.#counts
    if (counts.slots === 0) this.#commonLink = slot.bookingDeepLink
    else if (this.#commonLink !== slot.bookingDeepLink) this.#commonLink = undefined
    counts.slots++
    this.#byStatus.set(slot.status, (this.#byStatus.get(slot.status) ?? 0) + 1)
    this.#addStates(offering.location?.state, offering.serviceStates)
    const inPerson = offering.modalities?.includes('in-person') ?? !offering.isVirtual
    counts.inPerson += inPerson ? 1 : 0
    counts.virtual += offering.isVirtual ? 1 : 0
    counts.both += inPerson && offering.isVirtual ? 1 : 0
    counts.ended += slot.endMs < this.#nowMs ? 1 : 0
    this.#schedules.add(offering.scheduleId)
    if (this.#first === undefined || slot.startMs < this.#first.startMs) this.#first = slot
    if (this.#last === undefined || slot.endMs > this.#last.endMs) this.#last = slot
  }

  /** A free slot is not free after all. */
  overrule(status: SlotStatus): void {
    for (const [one, change] of [
      ['free', -1],
      [status, 1],
    ] as const)
      this.#byStatus.set(one, (this.#byStatus.get(one) ?? 0) + change)
  }

  /** True if a slot belongs to the Schedule. */
  hasSlots(scheduleId: string): boolean {
    return this.#schedules.has(scheduleId)
  }

  /** The booking link that several slots have, and no slot has another one or none. */
  get commonLink(): string | undefined {
    return this.#counts.slots > 1 ? this.#commonLink : undefined
  }

  view(): ServedView {
    return {
      ...this.#counts,
      byStatus: Object.fromEntries(this.#byStatus) as Record<SlotStatus, number>,
      byState: Object.fromEntries([...this.#byState].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))),
      schedules: this.#schedules.size,
      ...(this.#first !== undefined && { firstStart: this.#first.start }),
      ...(this.#last !== undefined && { lastEnd: this.#last.end }),
    }
  }

  #addStates(own: string | undefined, licensed: readonly string[] = []): void {
    if (own !== undefined && !licensed.includes(own)) this.#byState.set(own, (this.#byState.get(own) ?? 0) + 1)
    for (const state of licensed) this.#byState.set(state, (this.#byState.get(state) ?? 0) + 1)
    if (own === undefined && licensed.length === 0) this.#counts.stateless++
  }
}
