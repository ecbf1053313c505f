import type { IndexSnapshot } from '../../../slot-index/open-snapshots.ts'
import type { PostingList } from '../../../slot-index/posting-list.ts'
import { partitionLists } from '../../../slot-index/primary-partition.ts'
import { type FeedFile, labelOf } from './feed-file.ts'
import { DIRECTORY_TYPES } from './offering-resources.ts'

/** Something of which files are made, and the first revision at which it was seen as it is. */
interface Seen {
  readonly what: PostingList | string
  readonly sinceRevision: number
}

/**
 * Since which revision the files of a feed are as they are, as far as this node knows: what it first saw at a revision was so
 * then, and may have been so before. So a file as of any revision from there on is this file, on whichever node.
 *
 * Lists never change, so a file of slots has changed only if one of its lists is another object than before. The directory
 * files change when an offering comes; one that goes may stay in them for a while, which does no harm.
 */
export class FileVersions {
  #store: number | undefined
  readonly #seen = new Map<string, Seen>()
  /** Tells tables of offerings apart, each of which counts for itself. */
  readonly #tables = new WeakMap<object, number>()
  #tableCount = 0

  /** To be asked of moments in their order. By the files' labels. */
  at(snapshot: IndexSnapshot, states: Iterable<string | undefined>): ReadonlyMap<string, number> {
    const { store, revision } = snapshot.committed
    if (store !== this.#store) this.#seen.clear()
    this.#store = store
    const offerings = this.#nameOfferings(snapshot)
    const versions = new Map<string, number>()
    for (const type of DIRECTORY_TYPES) versions.set(type, this.#note('offerings', offerings, revision))
    for (const state of states) {
      const file: FeedFile = { type: 'Slot', state }
      const since = partitionLists(snapshot, state).map((list, status) =>
        this.#note(`${labelOf(file)} ${status}`, list, revision),
      )
      versions.set(labelOf(file), Math.max(...since))
    }
    return versions
  }

  #nameOfferings({ state: { offerings } }: IndexSnapshot): string {
    const table = this.#tables.get(offerings) ?? this.#tableCount++
    this.#tables.set(offerings, table)
    return `${table} ${offerings.puts}`
  }

  #note(name: string, what: Seen['what'], revision: number): number {
    const before = this.#seen.get(name)
    if (before?.what === what) return before.sinceRevision
    this.#seen.set(name, { what, sinceRevision: revision })
    return revision
  }
}
