import type { Origin, Rejected, SnapshotDraft } from '../feeds/connector.ts'
import { IdSet } from '../feeds/id-set.ts'
import { encodeOffering, encodeSlot } from '../slot/encode-slot.ts'
import type { Slot } from '../slot/slot.ts'
import type { Findings } from './findings.ts'
import type { Where } from './rule.ts'
import { SERVED_RULES, SLOT_ID_REPEATED, SLOT_TWICE } from './rules/slot-rules.ts'
import { ServedCounts } from './served-counts.ts'

/** Of the slots that callers would get, so many are shown. */
const SAMPLES_MAX = 3

/** So many ids are told apart: 50 to 100 MB. */
const IDS_MAX = 2 ** 21

/** Why a slot is rejected that was there before. Its rule tells of it at once. */
export const SLOT_TWICE_REASON = 'the slot must be published once: got "twice"'

/** In which of the two readings of a feed a file is: first all but slots, then the slots. */
export type Pass = 'directory' | 'slots'

/** Where lines lie, for those who find something about them. */
export interface Places {
  where(line: number): Where
}

/**
 * The draft of a snapshot that nobody keeps: the readers of a sync fill it, and it counts what came of each line. So
 * what is said of a feed is what would become of it.
 */
export class CheckedDraft implements SnapshotDraft {
  readonly memory = undefined
  readonly counts: ServedCounts
  /** Slots as `/v1` would serve them, as JSON. */
  readonly samples: string[] = []
  /** Where the slots of a file are; whoever opens the next one clears it. */
  readonly statesMet = new Set<string>()
  readonly #findings: Findings
  readonly #ids: IdSet
  readonly #sourceIds: IdSet
  #places: Places = { where: () => ({ file: '' }) }
  #rejections = new Map<number, string>()
  #pass: Pass = 'directory'
  #host = ''
  /** Lines of slots that are never served, and ones that were rejected. */
  withheld = 0
  rejected = 0
  /** Rejected lines of the other files. */
  directoryRejected = 0

  constructor(findings: Findings, nowMs: number, idsMax = IDS_MAX) {
    this.#findings = findings
    this.#ids = new IdSet(idsMax)
    this.#sourceIds = new IdSet(idsMax)
    this.counts = new ServedCounts(nowMs)
  }

  /** True once there were too many slots to tell twice published ones, or too many ids to tell repeated ones. */
  get isFull(): boolean {
    return this.#ids.isOverfull || this.#sourceIds.isOverfull
  }

  /** What comes next is of these lines. */
  turnTo(places: Places, pass: Pass): void {
    this.#pass = pass
    this.#places = places
    this.#host = URL.parse(places.where(0).file)?.hostname ?? ''
    this.#rejections = new Map()
  }

  /** Why a line was rejected, since the last turn. */
  rejectionOf(line: number): string | undefined {
    return this.#rejections.get(line)
  }

  /** Notes the publisher's own id of a slot. */
  noteSourceId(id: string, where: Where): void {
    if (!this.#sourceIds.add(id))
      this.#findings.note(SLOT_ID_REPEATED, where, `id: got "${id.slice(0, 80)}" again`)
  }

  put(slot: Slot, { line }: Origin): void {
    const where = this.#places.where(line)
    if (!this.#ids.add(slot.id)) {
      this.#findings.note(SLOT_TWICE, where, `slot: got "${slot.start} to ${slot.end}" again`)
      this.reject({
        file: where.file,
        line,
        reason: SLOT_TWICE_REASON,
        sample: '',
      })
      return
    }
    this.counts.add(slot)
    const { location } = slot.offering
    if (location?.state !== undefined) this.statesMet.add(location.state)
    if (this.samples.length < SAMPLES_MAX) this.samples.push(encodeSlot(slot) + encodeOffering(slot.offering))
    this.#findings.lookAll(SERVED_RULES, { slot, host: this.#host }, where)
  }

  reject({ line, reason }: Rejected): void {
    if (this.#pass === 'slots') this.rejected++
    else this.directoryRejected++
    this.#rejections.set(line, reason)
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
