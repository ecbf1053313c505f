import type { SourceFreshness } from '../slot/source-freshness.ts'

/** What became of the sources. `whole`: there are no others. */
export interface SourceChanges {
  /** As they are now. */
  readonly sources: readonly SourceFreshness[]
  /** The slugs of those that were removed. */
  readonly gone: readonly string[]
  readonly whole: boolean
}

/** The sources and how fresh they are, in memory: as the store said a second ago. */
export class KnownSources {
  #bySlug = new Map<string, SourceFreshness>()
  #inOrder: readonly SourceFreshness[] | undefined
  #nextLookAtMs: number | undefined
  #changes = 0

  /** In order of their slugs. */
  get all(): readonly SourceFreshness[] {
    this.#inOrder ??= [...this.#bySlug.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1))
    return this.#inOrder
  }

  /** How often something changed: another number, other answers. */
  get changes(): number {
    return this.#changes
  }

  /** When the first of them is looked at that is not paused; undefined if none is. */
  get nextLookAtMs(): number | undefined {
    return this.#nextLookAtMs
  }

  find(slug: string): SourceFreshness | undefined {
    return this.#bySlug.get(slug)
  }

  apply({ sources, gone, whole }: SourceChanges): void {
    if (whole) this.#bySlug = new Map()
    for (const slug of gone) this.#bySlug.delete(slug)
    for (const source of sources) this.#bySlug.set(source.slug, source)
    this.#inOrder = undefined
    this.#changes++
    const looks = this.all.filter(({ paused }) => !paused).map(({ nextSyncAtMs }) => nextSyncAtMs)
    this.#nextLookAtMs = looks.length === 0 ? undefined : looks.reduce((a, b) => Math.min(a, b))
  }
}
