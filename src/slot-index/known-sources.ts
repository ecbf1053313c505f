import type { SourceFreshness } from '../slot/source-freshness.ts'

/** Changes of the sources. With `whole`, sources not listed are removed. */
export interface SourceChanges {
  /** New or changed sources. */
  readonly sources: readonly SourceFreshness[]
  /** Slugs of removed sources. */
  readonly gone: readonly string[]
  readonly whole: boolean
}

/** The sources and their freshness, in memory, at most about a second behind the store. */
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

  /** Number of changes so far; a different number means different responses. */
  get changes(): number {
    return this.#changes
  }

  /** The next sync of any source that is not paused; undefined if there is none. */
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
