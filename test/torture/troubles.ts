/** When something was away by our own doing; times are of `performance.now()`. */
export class Troubles {
  readonly #stretches: { readonly about: string; readonly fromMs: number; toMs: number }[] = []

  /** `about`: the name of a node, or `database`. The stretch is open until the returned function is called. */
  begin(about: string): () => void {
    const stretch = { about, fromMs: performance.now(), toMs: Number.POSITIVE_INFINITY }
    this.#stretches.push(stretch)
    return () => {
      stretch.toMs = performance.now()
    }
  }

  /** Whether anything of these was away at any time between the two. */
  fellInto(fromMs: number, toMs: number, abouts: readonly string[]): boolean {
    return this.#stretches.some(
      (each) => abouts.includes(each.about) && each.fromMs <= toMs && each.toMs >= fromMs,
    )
  }

  /** Whether anything at all was away at any time between the two. */
  anyFellInto(fromMs: number, toMs: number): boolean {
    return this.#stretches.some((each) => each.fromMs <= toMs && each.toMs >= fromMs)
  }
}
