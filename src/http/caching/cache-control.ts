// Hot path
import type { KnownSources } from '../../slot-index/known-sources.ts'

/** Nobody is to believe for longer than this that nothing has happened: slots end, and sources are added. */
const MAX_AGE_S = 60
/** An answer may be kept by its caller, who is to ask each time whether it still holds. */
const ASK_EACH_TIME = 'private, no-cache'

/**
 * What `Cache-Control` (RFC 9111, 5.2.2) says of answers from memory: they are fresh until the first source is looked at again
 * that is not paused, in whole seconds, at most 60. Without such a source, or while one is due, there is nothing to promise.
 */
export class CacheControl {
  readonly #sources: KnownSources
  #text = ASK_EACH_TIME
  /** The text is right from here to before there, as long as the sources are the same. */
  #fromMs = 0
  #untilMs = 0
  #changes = -1

  constructor(sources: KnownSources) {
    this.#sources = sources
  }

  /** Works it out at most once a second, unless the sources change. */
  textAt(nowMs: number): string {
    if (nowMs < this.#fromMs || nowMs >= this.#untilMs || this.#changes !== this.#sources.changes)
      this.#renew(nowMs)
    return this.#text
  }

  #renew(nowMs: number): void {
    const leftMs = (this.#sources.nextLookAtMs ?? nowMs) - nowMs
    const seconds = Math.max(0, Math.min(MAX_AGE_S, Math.floor(leftMs / 1000)))
    this.#text = seconds === 0 ? ASK_EACH_TIME : `private, max-age=${seconds}`
    this.#fromMs = nowMs
    // What is due stays due until it was looked at, which changes the sources.
    this.#untilMs = seconds === 0 ? Infinity : nowMs + Math.min(1000, leftMs - seconds * 1000 + 1)
    this.#changes = this.#sources.changes
  }
}
