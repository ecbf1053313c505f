import type { IndexTables } from '../../../slot-index/index-content.ts'
import { horizonLookup } from '../../../slot-index/shared-horizons.ts'
import type { IndexSnapshot } from '../../../slot-index/snapshots/open-snapshots.ts'
import { partitionRevision } from '../../../slot-index/snapshots/primary-partition.ts'
import { labelOf } from './feed-file.ts'
import type { FeedProvenance } from './feed-provenance.ts'
import { DIRECTORY_TYPES } from './published-resource.ts'

interface Directory {
  /** 1 at the numbers of its offerings. */
  readonly listed: Uint8Array
  /** When the store had last deleted offerings. */
  readonly lastDrop: number
  readonly revision: number
  readonly provenance: FeedProvenance
}

interface DirectoryRevisions {
  readonly revisions: ReadonlyMap<string, number>
  readonly offerings: Uint8Array
  readonly provenance: FeedProvenance
}

/**
 * The first revision of each file's current content, as far as this node knows. It may be older, so a file at any later revision is the
 * same file, on every node.
 *
 * The directory files change when an offering is added or deleted in the store, Schedules also when a planning horizon moves. An offering
 * whose slots have gone remains in them until then.
 */
export class FileRevisions {
  readonly #createProvenance: () => FeedProvenance
  /** The last directory that was seen of each table of offerings. */
  readonly #directories = new WeakMap<IndexTables, Directory>()

  /** A directory states when its publishers were checked. As its files must not change, it keeps its provenance. */
  constructor(createProvenance: () => FeedProvenance) {
    this.#createProvenance = createProvenance
  }

  /** By the label of the file. `used`: see `usedOfferings()`. Snapshots must be passed in order. */
  at(snapshot: IndexSnapshot, states: Iterable<string | undefined>, used: Uint8Array): DirectoryRevisions {
    const revisions = new Map<string, number>()
    const { revision, listed: offerings, provenance } = this.#directoryOf(snapshot, used)
    const { horizons } = snapshot.content
    for (const type of DIRECTORY_TYPES) revisions.set(type, revision)
    const moved = [...horizons.values()].map((each) => each.revision)
    revisions.set(
      'Schedule',
      moved.reduce((one, other) => Math.max(one, other), revision),
    )
    for (const state of states) revisions.set(labelOf({ type: 'Slot', state }), partitionRevision(snapshot, state))
    return { revisions, offerings, provenance: provenance.withHorizons(horizonLookup(horizons)) }
  }

  #directoryOf({ content: { tables, lastDrop }, committed: { revision } }: IndexSnapshot, used: Uint8Array): Directory {
    const known = this.#directories.get(tables)
    if (known?.lastDrop === lastDrop && used.every((isUsed, at) => isUsed === 0 || known.listed[at] === 1)) return known
    const directory = { listed: used, lastDrop, revision, provenance: this.#createProvenance() }
    this.#directories.set(tables, directory)
    return directory
  }
}
