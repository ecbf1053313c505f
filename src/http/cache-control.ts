import type { IncomingMessage } from 'node:http'
import type { KnownSources } from '../slot-index/known-sources.ts'

/** Upper bound of freshness: slots end and sources are added at any time. */
const MAX_AGE_S = 60
/** The caller may store the response and must revalidate it. */
export const REVALIDATE = 'private, no-cache'

/**
 * `Cache-Control` (RFC 9111, 5.2.2) of responses from the index: fresh until the next sync of any source that is not paused, in whole
 * seconds, at most 60. Without such a source, or while one is due, the caller must revalidate.
 */
export class CacheControl {
  readonly #sources: KnownSources
  #text = REVALIDATE
  /** The text is valid from `#fromMs` to before `#untilMs` while the sources are unchanged. */
  #fromMs = 0
  #untilMs = 0
  #changes = -1

  constructor(sources: KnownSources) {
    this.#sources = sources
  }

  /** Recomputed at most once a second unless the sources change. */
  textAt(nowMs: number): string {
    if (nowMs < this.#fromMs || nowMs >= this.#untilMs || this.#changes !== this.#sources.changes) this.#update(nowMs)
    return this.#text
  }

  #update(nowMs: number): void {
    const leftMs = (this.#sources.nextLookAtMs ?? nowMs) - nowMs
    const seconds = Math.max(0, Math.min(MAX_AGE_S, Math.floor(leftMs / 1000)))
    this.#text = seconds === 0 ? REVALIDATE : `private, max-age=${seconds}`
    this.#fromMs = nowMs
    // A due source stays due until its sync, which changes the sources.
    this.#untilMs = seconds === 0 ? Infinity : nowMs + Math.min(1000, leftMs - seconds * 1000 + 1)
    this.#changes = this.#sources.changes
  }
}

/** Whether `If-None-Match` (RFC 9110, 13.1.2) matches an ETag, by weak comparison. */
export function isNotModified(request: Pick<IncomingMessage, 'headers'>, etag: string): boolean {
  const condition = request.headers['if-none-match']
  if (condition === undefined) return false
  if (condition === etag || condition.trim() === '*') return true
  return condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
