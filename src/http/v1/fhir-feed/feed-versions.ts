import { MINUTE_MS } from '../../../lib/time.ts'
import type { IndexSnapshot } from '../../../slot-index/open-snapshots.ts'
import type { PostingList } from '../../../slot-index/posting-list.ts'
import { partitionLists, partitionStates } from '../../../slot-index/primary-partition.ts'
import type { SlotIndex } from '../../../slot-index/slot-index.ts'
import { type FeedFile, type FileAt, labelOf } from './feed-file.ts'
import { DIRECTORY_TYPES } from './offering-resources.ts'

export interface FeedVersionLimits {
  /** The shortest interval between two new versions. */
  readonly intervalMs: number
  /** How long a version is kept after the last request for it. */
  readonly keepMs: number
  readonly countMax: number
}

export const FEED_VERSION_LIMITS: FeedVersionLimits = {
  intervalMs: 30_000,
  keepMs: 5 * MINUTE_MS,
  countMax: 8,
}

/** The versions of the feed that can be read now. */
export class FeedVersions {
  readonly #index: SlotIndex
  readonly #limits: FeedVersionLimits
  readonly #fileRevisions = new FileRevisions()
  /** The newest first. */
  #versions: FeedVersion[] = []

  constructor(index: SlotIndex, limits = FEED_VERSION_LIMITS) {
    this.#index = index
    this.#limits = limits
  }

  /** The version for a new manifest: of the current slots or not much older. */
  newest(nowMs: number): FeedVersion {
    this.#versions = this.#versions.filter(({ snapshot }) => snapshot.isOpen)
    const [newest] = this.#versions
    const isRecent = newest !== undefined && this.#isRecent(newest, nowMs)
    const version = isRecent ? newest : this.#create(nowMs)
    version.touch()
    return version
  }

  /** The newest version that contains a file at its revision; undefined if none is kept. */
  find(at: FileAt): FeedVersion | undefined {
    return this.#versions.find((version) => version.snapshot.isOpen && version.has(at))
  }

  close(): void {
    for (const version of this.#versions) version.close()
  }

  #isRecent({ snapshot: { committed }, createdAtMs }: FeedVersion, nowMs: number): boolean {
    const now = this.#index.committed
    if (committed.store !== now.store) return false
    return committed.revision === now.revision || Math.abs(nowMs - createdAtMs) < this.#limits.intervalMs
  }

  #create(nowMs: number): FeedVersion {
    const { keepMs, countMax } = this.#limits
    const version = new FeedVersion(this.#index.openSnapshot(), this.#fileRevisions, {
      createdAtMs: nowMs,
      keepMs,
    })
    this.#versions.unshift(version)
    for (const old of this.#versions.splice(countMax)) old.close()
    return version
  }
}

/** The feed of one snapshot, kept so that its files can be read one after the other. Created when a manifest is requested. */
export class FeedVersion {
  readonly snapshot: IndexSnapshot
  readonly createdAtMs: number
  /** For each state with a file, all states of its slots. */
  readonly states: ReadonlyMap<string | undefined, readonly string[]>
  readonly #revisions: ReadonlyMap<string, number>
  readonly #expiry: NodeJS.Timeout
  #readers = 0

  constructor(
    snapshot: IndexSnapshot,
    fileRevisions: FileRevisions,
    { createdAtMs, keepMs }: { createdAtMs: number; keepMs: number },
  ) {
    this.snapshot = snapshot
    this.createdAtMs = createdAtMs
    this.states = partitionStates(snapshot)
    this.#revisions = fileRevisions.at(snapshot, this.states.keys())
    this.#expiry = setTimeout(() => this.#expire(), keepMs).unref()
  }

  get files(): readonly FileAt[] {
    const slots = [...this.states.keys()].sort().map((state): FeedFile => ({ type: 'Slot', state }))
    return [...DIRECTORY_TYPES.map((type): FeedFile => ({ type })), ...slots].map((file) => this.current(file))
  }

  /** A file at the first revision of its content here. If this version lacks the file: at the revision of the version. */
  current(file: FeedFile): FileAt {
    const { store, revision } = this.snapshot.committed
    return { file, revision: { store, revision: this.#revisions.get(labelOf(file)) ?? revision } }
  }

  /** Whether a file at its revision has the content that it has in this version. */
  has({ file, revision: { store, revision } }: FileAt): boolean {
    const since = this.#revisions.get(labelOf(file))
    const { committed } = this.snapshot
    return since !== undefined && store === committed.store && revision >= since && revision <= committed.revision
  }

  /** Postpones the expiry. */
  touch(): void {
    this.#expiry.refresh()
  }

  /** The snapshot for one reader of a file; it stays open until the reader closes it. */
  read(): IndexSnapshot {
    this.touch()
    this.#readers++
    const { snapshot } = this
    let isReading = true
    return {
      get state() {
        return snapshot.state
      },
      get groups() {
        return snapshot.groups
      },
      committed: snapshot.committed,
      get isOpen() {
        return isReading && snapshot.isOpen
      },
      close: () => {
        if (isReading) this.#readers--
        isReading = false
      },
    }
  }

  close(): void {
    clearTimeout(this.#expiry)
    this.snapshot.close()
  }

  #expire(): void {
    if (this.#readers > 0) this.touch()
    else this.snapshot.close()
  }
}

/** The content of a file, and the first revision at which it was seen. */
interface SeenContent {
  readonly content: PostingList | string
  readonly sinceRevision: number
}

/**
 * The first revision of each file's current content, as far as this node knows. Content that was first seen at a revision may be older,
 * so a file at any later revision is the same file, on every node.
 *
 * Posting lists are immutable, so a slot file has changed if one of its lists is another object. The directory files change when an
 * offering is added; one that was removed may remain in them for a while, which is harmless.
 */
class FileRevisions {
  #store: number | undefined
  readonly #seen = new Map<string, SeenContent>()
  /** Numbers the offering tables, because each counts its own changes. */
  readonly #tables = new WeakMap<object, number>()
  #tableCount = 0

  /** By the label of the file. Snapshots must be passed in order. */
  at(snapshot: IndexSnapshot, states: Iterable<string | undefined>): ReadonlyMap<string, number> {
    const { store, revision } = snapshot.committed
    if (store !== this.#store) this.#seen.clear()
    this.#store = store
    const offerings = this.#offeringsVersion(snapshot)
    const revisions = new Map<string, number>()
    for (const type of DIRECTORY_TYPES) revisions.set(type, this.#note('offerings', offerings, revision))
    for (const state of states) {
      const file: FeedFile = { type: 'Slot', state }
      const since = partitionLists(snapshot, state).map((list, status) =>
        this.#note(`${labelOf(file)} ${status}`, list, revision),
      )
      revisions.set(labelOf(file), Math.max(...since))
    }
    return revisions
  }

  #offeringsVersion({ state: { offerings } }: IndexSnapshot): string {
    const table = this.#tables.get(offerings) ?? this.#tableCount++
    this.#tables.set(offerings, table)
    return `${table} ${offerings.puts}`
  }

  #note(name: string, content: SeenContent['content'], revision: number): number {
    const before = this.#seen.get(name)
    if (before?.content === content) return before.sinceRevision
    this.#seen.set(name, { content, sinceRevision: revision })
    return revision
  }
}
