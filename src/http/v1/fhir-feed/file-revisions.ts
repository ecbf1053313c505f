import type { IndexTables } from '../../../slot-index/index-content.ts'
import type { IndexSnapshot } from '../../../slot-index/open-snapshots.ts'
import { partitionRevision } from '../../../slot-index/primary-partition.ts'
import { horizonLookup } from '../../../slot-index/shared-horizons.ts'
import { labelOf } from './feed-file.ts'
import type { FeedProvenance } from './feed-provenance.ts'
import { DIRECTORY_TYPES } from './published-resource.ts'

interface Directory {
  /** Exclusive upper bound of the numbers of its offerings. */
  readonly end: number
  readonly revision: number
  readonly provenance: FeedProvenance
}

interface DirectoryRevisions {
  readonly revisions: ReadonlyMap<string, number>
  readonly provenance: FeedProvenance
}

/**
 * The first revision of each file's current content, as far as this node knows. It may be older, so a file at any later revision is the
 * same file, on every node.
 *
 * The directory files change when an offering is added, Schedules also when a planning horizon moves. An offering without slots remains in
 * them until the index is loaded again, which is harmless.
 */
export class FileRevisions {
  readonly #createProvenance: () => FeedProvenance
  /** The last directory that was seen of each table of offerings. */
  readonly #directories = new WeakMap<IndexTables, Directory>()

  /** A directory states when its publishers were checked. As its files must not change, it keeps its provenance. */
  constructor(createProvenance: () => FeedProvenance) {
    this.#createProvenance = createProvenance
  }

  /** By the label of the file. Snapshots must be passed in order. */
  at(snapshot: IndexSnapshot, states: Iterable<string | undefined>, offeringsEnd: number): DirectoryRevisions {
    const revisions = new Map<string, number>()
    const { revision, provenance } = this.#directoryOf(snapshot, offeringsEnd)
    const { horizons } = snapshot.content
    for (const type of DIRECTORY_TYPES) revisions.set(type, revision)
    const moved = [...horizons.values()].map((each) => each.revision)
    revisions.set(
      'Schedule',
      moved.reduce((one, other) => Math.max(one, other), revision),
    )
    for (const state of states) revisions.set(labelOf({ type: 'Slot', state }), partitionRevision(snapshot, state))
    return { revisions, provenance: provenance.withHorizons(horizonLookup(horizons)) }
  }

  #directoryOf({ content: { tables }, committed: { revision } }: IndexSnapshot, end: number): Directory {
    const known = this.#directories.get(tables)
    if (known?.end === end) return known
    const directory = { end, revision, provenance: this.#createProvenance() }
    this.#directories.set(tables, directory)
    return directory
  }
}
