// Hot path

import type { JsonBody } from '../send-json.ts'
import type { Answer } from '../v1/operation.ts'

/** An answer with the tag that tells it from all others. */
export interface RememberedAnswer extends Answer, JsonBody {
  readonly body: Buffer
  readonly etag: string
}

/** How much the bodies of one generation may weigh; two generations are held. */
const BYTES_MAX = 16 * 1024 * 1024
/** Headers, and what compressed copies take of most; the true length is added. */
const OVERHEAD_BYTES = 3072
const SEEN = 65_536

/**
 * Answers that were asked for more than once, by URL, until the data change.
 *
 * What is asked once is not worth a copy, so a page is remembered from its second time on: `#seen` holds a hash of
 * what was asked of late, each in the place that its own bits choose. When the younger generation is full it becomes
 * the older, and what is asked for moves back to the younger.
 */
export class PageMemory {
  #version = ''
  #young = new Map<string, RememberedAnswer>()
  #old = new Map<string, RememberedAnswer>()
  #youngBytes = 0
  readonly #seen = new Uint32Array(SEEN)

  /** The answer to a URL at a version of the data. */
  find(url: string, version: string): RememberedAnswer | undefined {
    if (version !== this.#version) this.#forget(version)
    const young = this.#young.get(url)
    if (young !== undefined) return young
    const old = this.#old.get(url)
    if (old !== undefined) this.#put(url, old)
    return old
  }

  /** Takes note of an answer at the version that was last asked for; keeps a copy if the URL came before. */
  note(url: string, answer: RememberedAnswer): void {
    const hash = hashOf(url)
    const place = hash & (SEEN - 1)
    if (this.#seen[place] !== hash) this.#seen[place] = hash
    else this.#put(url, { ...answer, body: Buffer.from(answer.body) })
  }

  #put(url: string, answer: RememberedAnswer): void {
    this.#young.set(url, answer)
    this.#youngBytes += answer.body.length + OVERHEAD_BYTES
    if (this.#youngBytes < BYTES_MAX) return
    this.#old = this.#young
    this.#young = new Map()
    this.#youngBytes = 0
  }

  #forget(version: string): void {
    this.#version = version
    this.#young = new Map()
    this.#old = new Map()
    this.#youngBytes = 0
  }
}

/** FNV-1a over the characters, 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
