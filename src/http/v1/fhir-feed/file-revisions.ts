import type { IndexTables } from '../../../slot-index/index-content.ts'
import { horizonLookup } from '../../../slot-index/shared-horizons.ts'
import type { IndexSnapshot } from '../../../slot-index/snapshots/open-snapshots.ts'
import { partitionRevision } from '../../../slot-index/snapshots/primary-partition.ts'
import { type FileAt, labelOf } from './feed-file.ts'
import type { FeedProvenance } from './feed-provenance.ts'
import { DIRECTORY_TYPES } from './published-resource.ts'

interface Directory {
  /** 1 at the numbers of its offerings. */
  readonly listed: Uint8Array
  /** When the store had last deleted offerings. */
  readonly lastDrop: number
  readonly revision: number
  /** Of its offerings. */
  readonly publishers: ReadonlySet<string>
}

/** The revision and the variant of a file. */
export type FileVersion = Pick<FileAt, 'variant'> & { readonly revision: number }

interface FileVersions {
  readonly versions: ReadonlyMap<string, FileVersion>
  readonly offerings: Uint8Array
  readonly provenance: FeedProvenance
}

/** See `usedOfferings()` and `partitionPublishers()`. */
interface UsedOfferings {
  readonly used: Uint8Array
  readonly publishers: ReadonlyMap<string | undefined, ReadonlySet<string>>
}

/**
 * The first revision of each file's current content, as far as this node knows. It may be older, so a file at any later revision is the
 * same file, on every node.
 *
 * The directory files change when an offering is added or deleted in the store, Schedules also when a planning horizon moves. An offering
 * whose slots have gone remains in them until then. The addresses of publishers, which change beside the slots, are in the variant of a file.
 */
export class FileRevisions {
  readonly #createProvenance: () => FeedProvenance
  /** The last directory that was seen of each table of offerings. */
  readonly #directories = new WeakMap<IndexTables, Directory>()

  constructor(createProvenance: () => FeedProvenance) {
    this.#createProvenance = createProvenance
  }

  /** By the label of the file. Snapshots must be passed in order. */
  at(snapshot: IndexSnapshot, states: Iterable<string | undefined>, offerings: UsedOfferings): FileVersions {
    const { horizons } = snapshot.content
    const provenance = this.#createProvenance().withHorizons(horizonLookup(horizons))
    const { revision, listed, publishers } = this.#directoryOf(snapshot, offerings)
    const variant = provenance.variantOf(publishers)
    const moved = [...horizons.values()].map((each) => each.revision)
    const scheduleRevision = moved.reduce((one, other) => Math.max(one, other), revision)
    const versions = new Map<string, FileVersion>()
    for (const type of DIRECTORY_TYPES)
      versions.set(type, { revision: type === 'Schedule' ? scheduleRevision : revision, variant })
    for (const state of states) {
      const ofState = offerings.publishers.get(state) ?? []
      const version = { revision: partitionRevision(snapshot, state), variant: provenance.variantOf(ofState) }
      versions.set(labelOf({ type: 'Slot', state }), version)
    }
    return { versions, offerings: listed, provenance }
  }

  #directoryOf({ content, committed: { revision } }: IndexSnapshot, { used, publishers }: UsedOfferings): Directory {
    const { tables, lastDrop } = content
    const known = this.#directories.get(tables)
    if (known?.lastDrop === lastDrop && used.every((isUsed, at) => isUsed === 0 || known.listed[at] === 1)) return known
    const all = new Set([...publishers.values()].flatMap((each) => [...each]))
    const directory = { listed: used, lastDrop, revision, publishers: all }
    this.#directories.set(tables, directory)
    return directory
  }
}
