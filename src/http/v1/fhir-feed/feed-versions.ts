import type { IndexState, ListGroups } from '../../../slot-index/index-state.ts'
import type { Moment } from '../../../slot-index/open-snapshots.ts'
import { homeStates } from '../../../slot-index/primary-partition.ts'
import type { Shown, SlotIndex } from '../../../slot-index/slot-index.ts'
import { type FeedFile, type FileAt, labelOf } from './feed-file.ts'
import { FileVersions } from './file-versions.ts'
import { DIRECTORY_TYPES } from './offering-resources.ts'

/** How often a new edition is made at most, how long one is held after it was last asked for, and how many are. */
export interface EditionLimits {
  readonly everyMs: number
  readonly keepMs: number
  readonly heldMax: number
}

export const EDITION_LIMITS: EditionLimits = { everyMs: 30_000, keepMs: 5 * 60_000, heldMax: 8 }

/**
 * The feed at one moment, held so that its files can be read one after the other while slots come and go. Made only when
 * somebody asks for a manifest.
 */
export class Edition {
  readonly moment: Moment
  readonly madeAtMs: number
  /** For each state of which there is a file, all states of its slots. */
  readonly states: ReadonlyMap<string | undefined, readonly string[]>
  readonly #versions: ReadonlyMap<string, number>
  readonly #closing: NodeJS.Timeout
  #readers = 0

  constructor(
    moment: Moment,
    versions: FileVersions,
    { madeAtMs, keepMs }: { madeAtMs: number; keepMs: number },
  ) {
    this.moment = moment
    this.madeAtMs = madeAtMs
    this.states = homeStates(moment)
    this.#versions = versions.at(moment, this.states.keys())
    this.#closing = setTimeout(() => this.#closeUnread(), keepMs).unref()
  }

  get files(): readonly FileAt[] {
    const slots = [...this.states.keys()].sort().map((state): FeedFile => ({ type: 'Slot', state }))
    return [...DIRECTORY_TYPES.map((type): FeedFile => ({ type })), ...slots].map((file) =>
      this.current(file),
    )
  }

  /** A file under the revision since which it is as it is here. Of one that is not in this edition, the edition's own. */
  current(file: FeedFile): FileAt {
    const { store, revision } = this.moment.shown
    return { file, revision: { store, revision: this.#versions.get(labelOf(file)) ?? revision } }
  }

  /** Whether a file as of that revision is the one of this edition. */
  has({ file, revision: { store, revision } }: FileAt): boolean {
    const since = this.#versions.get(labelOf(file))
    const { shown } = this.moment
    return since !== undefined && store === shown.store && revision >= since && revision <= shown.revision
  }

  /** Somebody asked for it. */
  touch(): void {
    this.#closing.refresh()
  }

  /** The moment, for one who reads a file: it stays open until they close it. */
  read(): Moment {
    this.touch()
    this.#readers++
    return new Reading(this.moment, () => this.#readers--)
  }

  close(): void {
    clearTimeout(this.#closing)
    this.moment.close()
  }

  #closeUnread(): void {
    if (this.#readers > 0) this.touch()
    else this.moment.close()
  }
}

/** A moment of an edition, which closes for one reader alone. */
class Reading implements Moment {
  readonly #moment: Moment
  readonly #onClose: () => void
  #isReading = true

  constructor(moment: Moment, onClose: () => void) {
    this.#moment = moment
    this.#onClose = onClose
  }

  get state(): IndexState {
    return this.#moment.state
  }

  get groups(): ListGroups {
    return this.#moment.groups
  }

  get shown(): Shown {
    return this.#moment.shown
  }

  get isOpen(): boolean {
    return this.#isReading && this.#moment.isOpen
  }

  close(): void {
    if (this.#isReading) this.#onClose()
    this.#isReading = false
  }
}

/** The editions that can be read at a time. */
export class Editions {
  readonly #index: SlotIndex
  readonly #limits: EditionLimits
  readonly #versions = new FileVersions()
  /** The newest first. */
  #held: Edition[] = []

  constructor(index: SlotIndex, limits = EDITION_LIMITS) {
    this.#index = index
    this.#limits = limits
  }

  /** The one to begin with: of what is shown now, or not much older. */
  newest(nowMs: number): Edition {
    this.#held = this.#held.filter(({ moment }) => moment.isOpen)
    const [newest] = this.#held
    const isGood = newest !== undefined && this.#isGood(newest, nowMs)
    const edition = isGood ? newest : this.#make(nowMs)
    edition.touch()
    return edition
  }

  /** The newest that has a file as of its revision; undefined if none is held any more. */
  find(at: FileAt): Edition | undefined {
    return this.#held.find((edition) => edition.moment.isOpen && edition.has(at))
  }

  close(): void {
    for (const edition of this.#held) edition.close()
  }

  #isGood({ moment: { shown }, madeAtMs }: Edition, nowMs: number): boolean {
    const now = this.#index.shown
    if (shown.store !== now.store) return false
    return shown.revision === now.revision || Math.abs(nowMs - madeAtMs) < this.#limits.everyMs
  }

  #make(nowMs: number): Edition {
    const { keepMs, heldMax } = this.#limits
    const edition = new Edition(this.#index.hold(), this.#versions, { madeAtMs: nowMs, keepMs })
    this.#held.unshift(edition)
    for (const old of this.#held.splice(heldMax)) old.close()
    return edition
  }
}
