import type { Steps } from '../../../lib/steps.ts'
import type { IndexSnapshot } from '../../../slot-index/snapshots/open-snapshots.ts'
import { readPartition } from '../../../slot-index/snapshots/primary-partition.ts'
import type { ChunkSource } from '../export-slots/snapshot-chunks.ts'
import { FeedDirectoryLines } from './feed-directory-lines.ts'
import { type FeedFile, type FileAt, labelOf, variantName } from './feed-file.ts'
import type { FeedProvenance } from './feed-provenance.ts'
import { FeedSlotLines } from './feed-slot-lines.ts'
import type { FileVersion } from './file-revisions.ts'
import { DIRECTORY_TYPES } from './published-resource.ts'

/** The size of a file: resources, and bytes without compression. */
export interface FileSize {
  readonly count: number
  readonly bytes: number
}

interface FeedContent {
  /** For each state with a file, all states of its slots. */
  readonly states: ReadonlyMap<string | undefined, readonly string[]>
  /** 1 at the numbers of its offerings: the index adds others to the same table. */
  readonly offerings: Uint8Array
  /** By label. */
  readonly versions: ReadonlyMap<string, FileVersion>
  readonly provenance: FeedProvenance
}

/** The files of the feed as of one snapshot. */
export class FeedFiles {
  readonly snapshot: IndexSnapshot
  readonly states: FeedContent['states']
  readonly provenance: FeedProvenance
  /** Directory resources first, then slots by state. */
  readonly listed: readonly FileAt[]
  /** Of the variants of the listed files: part of the names of manifest pages, whose content never changes. */
  readonly variant: string
  readonly #byLabel: ReadonlyMap<string, FileAt>
  readonly #offerings: Uint8Array
  readonly #versions: FeedContent['versions']

  constructor(snapshot: IndexSnapshot, { states, offerings, versions, provenance }: FeedContent) {
    this.snapshot = snapshot
    this.states = states
    this.provenance = provenance
    this.#offerings = offerings
    this.#versions = versions
    const slots = [...states.keys()].sort().map((state): FeedFile => ({ type: 'Slot', state }))
    const all = [...DIRECTORY_TYPES.map((type): FeedFile => ({ type })), ...slots]
    this.listed = all.map((file) => this.#current(file))
    this.variant = variantName(this.listed.map(({ variant }) => variant))
    this.#byLabel = new Map(this.listed.map((at) => [labelOf(at.file), at]))
  }

  /** A file at its revision here; undefined if there is none. */
  find(file: FeedFile): FileAt | undefined {
    return this.#byLabel.get(labelOf(file))
  }

  /** Whether a file at its revision has the content that it has here. */
  has({ file, revision: { store, revision }, variant }: FileAt): boolean {
    const here = this.#versions.get(labelOf(file))
    const { committed } = this.snapshot
    if (here?.variant !== variant || store !== committed.store) return false
    return revision >= here.revision && revision <= committed.revision
  }

  /** Reads a file from a snapshot, which the chunks close; undefined if it was closed meanwhile. */
  *open(file: FeedFile, snapshot: IndexSnapshot): Steps<ChunkSource | undefined> {
    if (file.type !== 'Slot')
      return new FeedDirectoryLines({ snapshot, offerings: this.#offerings }, file.type, this.provenance)
    if (!snapshot.isOpen) return undefined
    const reader = yield* readPartition(snapshot, file.state)
    return snapshot.isOpen ? new FeedSlotLines(reader, this.provenance) : undefined
  }

  /** A file at the first revision of its content here. */
  #current(file: FeedFile): FileAt {
    const { store } = this.snapshot.committed
    const { revision = 0, variant = '' } = this.#versions.get(labelOf(file)) ?? {}
    return { file, revision: { store, revision }, variant }
  }
}

/** The size of a file; undefined if the snapshot was closed meanwhile. */
export function* measure(files: FeedFiles, file: FeedFile, snapshot: IndexSnapshot): Steps<FileSize | undefined> {
  const chunks = yield* files.open(file, snapshot)
  const size = { count: 0, bytes: 0 }
  while (chunks?.isOpen) {
    const chunk = chunks.next()
    if (chunk === undefined) return size
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) size.count++
    size.bytes += chunk.length
    yield
  }
  return undefined
}

const LINE_FEED = 0x0a
