import { IdSet } from '../feeds/id-set.ts'

/**
 * The resources of a Bulk Publish manifest that count: the latest version of each, unless a later page deletes it. Files are read in
 * reverse order, so the first version that is read counts.
 */
export class Versions {
  /** The last page that deletes each resource. */
  readonly #deletedOn = new Map<string, number>()
  readonly #ids: IdSet
  #idsOfFile: IdSet
  readonly #idsMax: number | undefined
  /** Resources that are deleted on a page after one that lists them. */
  readonly #deletedLater = new Set<string>()

  constructor(idsMax?: number) {
    this.#idsMax = idsMax
    this.#ids = new IdSet(idsMax)
    this.#idsOfFile = new IdSet(idsMax)
  }

  /** Adds a deletion. False if there are too many: further ones are ignored. */
  delete(name: string, page: number): boolean {
    if (this.#deletedOn.size >= DELETIONS_MAX) return false
    this.#deletedOn.set(name, Math.max(page, this.#deletedOn.get(name) ?? 0))
    return true
  }

  /** The next lines are of another file. */
  startFile(): void {
    this.#idsOfFile = new IdSet(this.#idsMax)
  }

  /** The outcome for a resource on a page: `repeated` if its file has it again. */
  add(name: string, page: number): 'current' | 'repeated' | 'replaced' | 'deleted' {
    const deletedOn = this.#deletedOn.get(name)
    if (deletedOn !== undefined && deletedOn >= page) {
      this.#deletedLater.add(name)
      return 'deleted'
    }
    const isFirstOfFile = this.#idsOfFile.add(name)
    if (this.#ids.add(name)) return 'current'
    return isFirstOfFile ? 'replaced' : 'repeated'
  }

  /** Deleted resources that no page up to their deletion lists. */
  unknownDeletions(): string[] {
    return [...this.#deletedOn.keys()].filter((name) => !this.#deletedLater.has(name))
  }
}

/** As many as duplicates are detected among. */
const DELETIONS_MAX = 2 ** 21
