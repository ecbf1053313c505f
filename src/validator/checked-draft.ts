import type { Origin, Rejected, SnapshotDraft } from '../feeds/connector.ts'
import { IdSet } from '../feeds/id-set.ts'
import { duplicateRejection } from '../feeds/rejections.ts'
import type { ServedView } from '../shared/contract/feed-checks.ts'
import { encodeOffering, encodeSlot, SLOT_STATUSES, type Slot, type SlotStatus } from '../slot/slot.ts'
import type { Findings } from './report.ts'
import { type FindingPosition, quote } from './rule.ts'
import { NOTED_SLOT_RULES, SERVED_RULES } from './rules/slot-rules.ts'

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

/** A snapshot draft that is discarded: the parsers of a sync fill it, and it counts the outcome of each line. */
export class CheckedDraft implements SnapshotDraft {
  readonly state = undefined
  readonly counts: ServedCounts
  /** The first slots as `/v1` would serve them, as JSON. */
  readonly samples: string[] = []
  /** States of the slots in the current file; cleared by the caller for the next file. */
  readonly statesFound = new Set<string>()
  readonly #findings: Findings
  readonly #ids: IdSet
  readonly #sourceIds: IdSet
  #locator: LineLocator = { where: () => ({ file: '' }) }
  #rejections = new Map<number, Rejected>()
  #pass: Pass = 'directory'
  #host = ''
  /** Slot lines that are never served. */
  withheld = 0
  /** Rejected Slot lines. */
  rejected = 0
  /** Rejected lines of the other files. */
  directoryRejected = 0

  constructor(findings: Findings, nowMs: number, idsMax = IDS_MAX) {
    this.#findings = findings
    this.#ids = new IdSet(idsMax)
    this.#sourceIds = new IdSet(idsMax)
    this.counts = new ServedCounts(nowMs)
  }

  /** True once there were too many slots or ids to detect duplicates. */
  get isFull(): boolean {
    return this.#ids.isOverfull || this.#sourceIds.isOverfull
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
    if (!this.#ids.add(slot.id)) {
      this.#findings.note(NOTED_SLOT_RULES.publishedTwice, where, `slot: got "${slot.start} to ${slot.end}" again`)
      this.reject(duplicateRejection(slot, origin))
      return
    }
    this.counts.add(slot)
    const { location } = slot.offering
    if (location?.state !== undefined) this.statesFound.add(location.state)
    if (this.samples.length < SAMPLES_MAX) this.samples.push(encodeSlot(slot) + encodeOffering(slot.offering))
    this.#findings.applyAll(SERVED_RULES, { slot, host: this.#host }, where)
  }

  reject(rejected: Rejected): void {
    if (this.#pass === 'slots') this.rejected++
    else this.directoryRejected++
    this.#rejections.set(rejected.line, rejected)
  }

  withhold(): void {
    this.withheld++
  }

  async recall(): Promise<void> {}

  keep(): boolean {
    return false
  }

  keepPart(): number {
    return 0
  }

  async flush(): Promise<void> {}
}

/** Counts served slots by status, state and service mode. */
export class ServedCounts {
  readonly #nowMs: number
  readonly #byStatus = new Map<SlotStatus, number>(SLOT_STATUSES.map((status) => [status, 0]))
  readonly #byState = new Map<string, number>()
  readonly #schedules = new Set<string>()
  readonly #counts = { slots: 0, stateless: 0, inPerson: 0, virtual: 0, both: 0, ended: 0 }
  #first: Slot | undefined
  #last: Slot | undefined

  constructor(nowMs: number) {
    this.#nowMs = nowMs
  }

  add(slot: Slot): void {
    const { offering } = slot
    const counts = this.#counts
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

  /** True if a slot belongs to the Schedule. */
  hasSlots(scheduleId: string): boolean {
    return this.#schedules.has(scheduleId)
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
