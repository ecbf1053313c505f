import { SharedSteps } from '../../../lib/shared-steps.ts'
import type { Steps } from '../../../lib/steps.ts'
import { MINUTE_MS } from '../../../lib/time.ts'
import type { SourceFreshness } from '../../../slot/source-freshness.ts'
import type { CommittedRevision } from '../../../slot-index/index-content.ts'
import type { KnownSources } from '../../../slot-index/known-sources.ts'
import type { SlotIndex } from '../../../slot-index/slot-index.ts'
import type { IndexSnapshot } from '../../../slot-index/snapshots/open-snapshots.ts'
import { partitionPublishers, partitionStates } from '../../../slot-index/snapshots/primary-partition.ts'
import { usedOfferings } from '../../../slot-index/used-offerings.ts'
import type { JsonBody } from '../../send-json.ts'
import type { ChunkSource } from '../export-slots/snapshot-chunks.ts'
import type { FeedAccess } from './feed-access.ts'
import { type FeedFile, type FileAt, formatFileName } from './feed-file.ts'
import { FeedFiles, type FileSize, measure } from './feed-files.ts'
import { FeedProvenance } from './feed-provenance.ts'
import { FileRevisions } from './file-revisions.ts'
import type { CommitRevision, ManifestPageName } from './update-names.ts'

interface FeedVersionLimits {
  /** The shortest interval between two new versions. */
  readonly intervalMs: number
  /** The same if a reader has the manifest of a later version, of another thread or node. */
  readonly catchUpMs: number
  /** How long a version is kept after the last request for it. */
  readonly keepMs: number
  /** Older versions can no longer be requested; what is being read is sent to its end. */
  readonly countMax: number
}

export const FEED_VERSION_LIMITS: FeedVersionLimits = {
  intervalMs: 30_000,
  catchUpMs: 5_000,
  keepMs: 5 * MINUTE_MS,
  countMax: 8,
}

/** The sources of the feed's content. */
interface FeedOrigin {
  readonly index: SlotIndex
  readonly sources: KnownSources
  /** The public URL of the service, without a trailing slash. */
  readonly baseUrl: string
}

/** A commit that is published, and since when. */
interface PublishedCommit extends CommittedRevision {
  readonly sinceMs: number
  /** Whether the addresses of its publishers are unchanged. Compares each. */
  readonly isCurrent?: () => boolean
}

/** The versions of the feed that can be read now. */
export class FeedVersions {
  readonly #origin: FeedOrigin
  readonly #limits: FeedVersionLimits
  readonly #fileRevisions: FileRevisions
  readonly #creation = new SharedSteps(() => this.#create())
  /** The newest first. */
  #versions: FeedVersion[] = []
  #nowMs = 0
  #updates: PublishedCommit = { store: 0, revision: 0, atMs: 0, sinceMs: 0 }

  constructor(origin: FeedOrigin, limits = FEED_VERSION_LIMITS) {
    this.#origin = origin
    this.#fileRevisions = new FileRevisions(() => new FeedProvenance(origin.baseUrl, origin.sources))
    this.#limits = limits
  }

  /**
   * The version for a new manifest: of the current slots or not much older, and if possible not before `since`. Its files are measured, so
   * it is created in many steps.
   */
  *newest(nowMs: number, since?: CommitRevision): Steps<FeedVersion> {
    const newest = this.#newestOpen()
    this.#nowMs = nowMs
    const isRecent = newest !== undefined && this.#isRecent(newest.until, nowMs)
    const mustCatchUp = newest !== undefined && since !== undefined && this.#mayCatchUp(newest.until, since, nowMs)
    const version = isRecent && !mustCatchUp ? newest : yield* this.#creation.run()
    version.touch()
    return version
  }

  /**
   * The commit up to which updates are published: of the current slots or not much older, and if possible not before `after`, or a page
   * would be from before the one that links to it.
   */
  updatesUntil(nowMs: number, after: CommitRevision): CommittedRevision {
    const isBehind = after.store === this.#updates.store && after.revision > this.#updates.revision
    if (isBehind || !this.#isRecent(this.#updates, nowMs))
      this.#updates = { ...this.#origin.index.committed, sinceMs: nowMs }
    return this.#updates
  }

  /** The newest version that contains a file at its revision; undefined if none is kept. */
  find(at: FileAt): FeedVersion | undefined {
    return this.#versions.find((version) => version.snapshot.isOpen && version.has(at))
  }

  /** The version of a page of a manifest; undefined if it is not kept. */
  findManifest({ snapshot, variant }: ManifestPageName): FeedVersion | undefined {
    return this.#versions.find(
      (version) =>
        version.snapshot.isOpen && version.files.variant === variant && isSame(version.snapshot.committed, snapshot),
    )
  }

  close(): void {
    for (const version of this.#versions) version.close()
  }

  /** Of this store, and of the newest commit or not much older. */
  #isRecent(known: PublishedCommit, nowMs: number): boolean {
    const { committed } = this.#origin.index
    if (known.store !== committed.store) return false
    if (Math.abs(nowMs - known.sinceMs) < this.#limits.intervalMs) return true
    return known.revision === committed.revision && known.isCurrent?.() !== false
  }

  #mayCatchUp(known: PublishedCommit, { store, revision }: CommitRevision, nowMs: number): boolean {
    const { committed } = this.#origin.index
    if (store !== committed.store || revision > committed.revision) return false
    if (Math.abs(nowMs - known.sinceMs) < this.#limits.catchUpMs) return false
    return known.revision < revision || known.isCurrent?.() === false
  }

  #newestOpen(): FeedVersion | undefined {
    this.#versions = this.#versions.filter(({ snapshot }) => snapshot.isOpen)
    return this.#versions[0]
  }

  /** Starts over if the index has to close the snapshot. */
  *#create(): Steps<FeedVersion> {
    for (;;) {
      const createdAtMs = this.#nowMs
      const snapshot = this.#origin.index.openSnapshot()
      const readSources = this.#sourcesWhile(snapshot.committed)
      let version: FeedVersion | undefined
      try {
        version = yield* this.#versionOf(snapshot, { createdAtMs, readSources, keepMs: this.#limits.keepMs })
      } finally {
        if (version === undefined) snapshot.close()
      }
      if (version === undefined) continue
      this.#versions.unshift(version)
      for (const old of this.#versions.splice(this.#limits.countMax)) old.expire()
      return version
    }
  }

  /** The sources as last read while a commit was the newest: later syncs may have read slots that it lacks. */
  #sourcesWhile(commit: CommitRevision): () => readonly SourceFreshness[] {
    const { index, sources } = this.#origin
    let known = sources.all
    return () => {
      if (isSame(commit, index.committed)) known = sources.all
      return known
    }
  }

  /** Undefined if the snapshot was closed meanwhile. */
  *#versionOf(snapshot: IndexSnapshot, parts: Omit<FeedVersionParts, 'sizes'>): Steps<FeedVersion | undefined> {
    const used = yield* usedOfferings(snapshot.content)
    if (!snapshot.isOpen) return undefined
    const states = yield* partitionStates(snapshot)
    if (!snapshot.isOpen) return undefined
    const publishers = yield* partitionPublishers(snapshot, used)
    if (!snapshot.isOpen) return undefined
    const directory = this.#fileRevisions.at(snapshot, states.keys(), { used, publishers })
    const files = new FeedFiles(snapshot, { states, ...directory })
    const sizes = new Map<string, FileSize>()
    for (const at of files.listed) {
      const name = formatFileName(at)
      const known = this.#versions.find((version) => version.sizes.has(name))?.sizes.get(name)
      const size = known ?? (yield* measure(files, at.file, snapshot))
      if (size === undefined) return undefined
      sizes.set(name, size)
    }
    return new FeedVersion(files, { sizes, ...parts })
  }
}

function isSame(one: CommitRevision, other: CommitRevision): boolean {
  return one.store === other.store && one.revision === other.revision
}

interface KeptManifest {
  readonly pages: readonly JsonBody[]
  readonly madeAtMs: number
}

interface FeedVersionParts extends Pick<FeedVersion, 'sizes' | 'createdAtMs'> {
  readonly readSources: () => readonly SourceFreshness[]
  readonly keepMs: number
}

/** The feed of one snapshot, kept so that its files can be read one after the other. Created when a manifest is requested. */
export class FeedVersion {
  readonly snapshot: IndexSnapshot
  readonly files: FeedFiles
  readonly createdAtMs: number
  /** By file name. */
  readonly sizes: ReadonlyMap<string, FileSize>
  /** The pages of the manifest by the path of the feed; made when they are requested. */
  readonly manifests = new Map<FeedAccess['path'], KeptManifest>()
  readonly #readSources: FeedVersionParts['readSources']
  readonly #expiry: NodeJS.Timeout
  #readers = 0

  constructor(files: FeedFiles, { sizes, createdAtMs, readSources, keepMs }: FeedVersionParts) {
    this.snapshot = files.snapshot
    this.files = files
    this.sizes = sizes
    this.createdAtMs = createdAtMs
    this.#readSources = readSources
    this.#expiry = setTimeout(() => this.expire(), keepMs).unref()
  }

  /** Whether a file at its revision has the content that it has in this version. */
  has(at: FileAt): boolean {
    return this.files.has(at)
  }

  /** The commit that it shows, and since when. */
  get until(): PublishedCommit {
    const isCurrent = () => this.files.provenance.isCurrent
    return { ...this.snapshot.committed, sinceMs: this.createdAtMs, isCurrent }
  }

  /** The sources, with no sync whose slots it may lack. */
  get sources(): readonly SourceFreshness[] {
    return this.#readSources()
  }

  sizeOf({ file }: FileAt): FileSize | undefined {
    const listed = this.files.find(file)
    return listed && this.sizes.get(formatFileName(listed))
  }

  /** A file for one reader; undefined if the index closed the snapshot meanwhile. Close it. */
  *open(file: FeedFile): Steps<ChunkSource | undefined> {
    const snapshot = this.read()
    let chunks: ChunkSource | undefined
    try {
      chunks = yield* this.files.open(file, snapshot)
      return chunks
    } finally {
      if (chunks === undefined) snapshot.close()
    }
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
      get content() {
        return snapshot.content
      },
      get open() {
        return snapshot.open
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

  /** Closes it, or postpones that while a file is read. */
  expire(): void {
    if (this.#readers > 0) this.touch()
    else this.close()
  }

  close(): void {
    clearTimeout(this.#expiry)
    this.snapshot.close()
  }
}
