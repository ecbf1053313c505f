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
  /** Number of changes so far; a different number means different responses. Set by `apply()` only. */
  changes = 0
  /** The next sync of any source that is not paused; undefined if there is none. Set by `apply()` only. */
  nextSyncAtMs: number | undefined

  /** In order of their slugs. */
  get all(): readonly SourceFreshness[] {
    this.#inOrder ??= [...this.#bySlug.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1))
    return this.#inOrder
  }

  find(slug: string): SourceFreshness | undefined {
    return this.#bySlug.get(slug)
  }

  apply({ sources, gone, whole }: SourceChanges): void {
    if (whole) this.#bySlug = new Map()
    for (const slug of gone) this.#bySlug.delete(slug)
    for (const source of sources) this.#bySlug.set(source.slug, source)
    this.#inOrder = undefined
    this.changes++
    const syncs = this.all.filter(({ paused }) => !paused).map(({ nextSyncAtMs }) => nextSyncAtMs)
    this.nextSyncAtMs = syncs.length === 0 ? undefined : syncs.reduce((a, b) => Math.min(a, b))
  }
}
