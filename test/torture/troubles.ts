/** Every so often the clock is looked at; where it jumped by more, the machine had no time for us. */
const TICK_MS = 20
const STARVED_MS = 150

/** What a stretch is about in which nothing can be said of how slow anything is. */
export const STARVED = 'machine'

/** What a stretch is about in which the database may lose confirmed changes: it is asynchronous. */
export const LOSS = 'loss'

/** The stretch after an outage of the database in which nodes find it again. */
export const RECONNECTING = 'reconnecting'

/** When something was away by our own doing, or the machine was; times are of `performance.now()`. */
export class Troubles {
  readonly #stretches: { readonly about: string; readonly fromMs: number; toMs: number }[] = []

  /** How long the machine had no time for this process, in all. */
  starvedMs = 0
  readonly #ticking: NodeJS.Timeout
  #tickedAtMs = performance.now()

  constructor() {
    this.#ticking = setInterval(() => this.#tick(), TICK_MS)
  }

  stop(): void {
    clearInterval(this.#ticking)
  }

  #tick(): void {
    const [fromMs, toMs] = [this.#tickedAtMs, performance.now()]
    this.#tickedAtMs = toMs
    if (toMs - fromMs < STARVED_MS) return
    this.starvedMs += toMs - fromMs
    this.#stretches.push({ about: STARVED, fromMs, toMs })
  }

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
    return this.#stretches.some((each) => abouts.includes(each.about) && each.fromMs <= toMs && each.toMs >= fromMs)
  }

  /** When the last of these was over; infinite if one is not. */
  overSinceMs(abouts: readonly string[]): number {
    const ends = this.#stretches.filter(({ about }) => abouts.includes(about)).map(({ toMs }) => toMs)
    return Math.max(0, ...ends)
  }

  /** Whether anything at all was away at any time between the two. */
  anyFellInto(fromMs: number, toMs: number): boolean {
    return this.#stretches.some((each) => each.fromMs <= toMs && each.toMs >= fromMs)
  }
}
