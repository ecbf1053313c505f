import { MINUTE_MS } from '../../../lib/time.ts'
import type { IndexState, ListGroups } from '../../../slot-index/index-state.ts'
import type { IndexSnapshot } from '../../../slot-index/open-snapshots.ts'
import { partitionStates } from '../../../slot-index/primary-partition.ts'
import type { CommittedRevision, SlotIndex } from '../../../slot-index/slot-index.ts'
import { type FeedFile, type FileAt, labelOf } from './feed-file.ts'
import { FileVersions } from './file-versions.ts'
import { DIRECTORY_TYPES } from './offering-resources.ts'

/** How often a new edition is made at most, how long one is held after it was last asked for, and how many are. */
export interface EditionLimits {
  readonly everyMs: number
  readonly keepMs: number
  readonly heldMax: number
}

export const EDITION_LIMITS: EditionLimits = { everyMs: 30_000, keepMs: 5 * MINUTE_MS, heldMax: 8 }

/**
 * The feed at one snapshot, held so that its files can be read one after the other while slots come and go. Made only when
 * somebody asks for a manifest.
 */
export class Edition {
  readonly snapshot: IndexSnapshot
  readonly createdAtMs: number
  /** For each state of which there is a file, all states of its slots. */
  readonly states: ReadonlyMap<string | undefined, readonly string[]>
  readonly #versions: ReadonlyMap<string, number>
  readonly #closing: NodeJS.Timeout
  #readers = 0

  constructor(
    snapshot: IndexSnapshot,
    versions: FileVersions,
    { createdAtMs, keepMs }: { createdAtMs: number; keepMs: number },
  ) {
    this.snapshot = snapshot
    this.createdAtMs = createdAtMs
    this.states = partitionStates(snapshot)
    this.#versions = versions.at(snapshot, this.states.keys())
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
    const { store, revision } = this.snapshot.committed
    return { file, revision: { store, revision: this.#versions.get(labelOf(file)) ?? revision } }
  }

  /** Whether a file as of that revision is the one of this edition. */
  has({ file, revision: { store, revision } }: FileAt): boolean {
    const since = this.#versions.get(labelOf(file))
    const { committed } = this.snapshot
    return (
      since !== undefined && store === committed.store && revision >= since && revision <= committed.revision
    )
  }

  /** Somebody asked for it. */
  touch(): void {
    this.#closing.refresh()
  }

  /** The snapshot, for one who reads a file: it stays open until they close it. */
  read(): IndexSnapshot {
    this.touch()
    this.#readers++
    return new Reading(this.snapshot, () => this.#readers--)
  }

  close(): void {
    clearTimeout(this.#closing)
    this.snapshot.close()
  }

  #closeUnread(): void {
    if (this.#readers > 0) this.touch()
    else this.snapshot.close()
  }
}

/** A snapshot of an edition, which closes for one reader alone. */
class Reading implements IndexSnapshot {
  readonly #snapshot: IndexSnapshot
  readonly #onClose: () => void
  #isReading = true

  constructor(snapshot: IndexSnapshot, onClose: () => void) {
    this.#snapshot = snapshot
    this.#onClose = onClose
  }

  get state(): IndexState {
    return this.#snapshot.state
  }

  get groups(): ListGroups {
    return this.#snapshot.groups
  }

  get committed(): CommittedRevision {
    return this.#snapshot.committed
  }

  get isOpen(): boolean {
    return this.#isReading && this.#snapshot.isOpen
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

  /** The one to begin with: of the committed state, or a slightly older one. */
  newest(nowMs: number): Edition {
    this.#held = this.#held.filter(({ snapshot }) => snapshot.isOpen)
    const [newest] = this.#held
    const isGood = newest !== undefined && this.#isGood(newest, nowMs)
    const edition = isGood ? newest : this.#make(nowMs)
    edition.touch()
    return edition
  }

  /** The newest that has a file as of its revision; undefined if none is held any more. */
  find(at: FileAt): Edition | undefined {
    return this.#held.find((edition) => edition.snapshot.isOpen && edition.has(at))
  }

  close(): void {
    for (const edition of this.#held) edition.close()
  }

  #isGood({ snapshot: { committed }, createdAtMs }: Edition, nowMs: number): boolean {
    const now = this.#index.committed
    if (committed.store !== now.store) return false
    return committed.revision === now.revision || Math.abs(nowMs - createdAtMs) < this.#limits.everyMs
  }

  #make(nowMs: number): Edition {
    const { keepMs, heldMax } = this.#limits
    const edition = new Edition(this.#index.openSnapshot(), this.#versions, { createdAtMs: nowMs, keepMs })
    this.#held.unshift(edition)
    for (const old of this.#held.splice(heldMax)) old.close()
    return edition
  }
}
