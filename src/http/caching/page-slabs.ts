// Hot path
import type { ServerResponse } from 'node:http'

const SLAB_BYTES = 256 * 1024
/** Beyond 16 MiB a slow caller's page gets memory of its own: else it would hold back a whole slab. */
const SLABS_MAX = 64

/** Memory for pages, and the answers that are still to be sent out of it. */
interface Slab {
  readonly bytes: Buffer
  readonly lentTo: ServerResponse[]
  used: number
}

/**
 * Memory for pages that are sent once: taken again when the answers in it have gone out.
 *
 * Fresh memory for each page would be 500 MB a second at full speed, and the garbage collector would take a tenth of
 * the time.
 */
export class PageSlabs {
  /** Full slabs, the oldest first. */
  readonly #full: Slab[] = []
  #slab = newSlab()

  /** Memory that is the response's until it has been sent. */
  take(bytes: number, response: ServerResponse): Buffer {
    if (this.#slab.used + bytes > SLAB_BYTES && !this.#turn(bytes)) return Buffer.allocUnsafeSlow(bytes)
    const { bytes: memory, lentTo, used } = this.#slab
    lentTo.push(response)
    this.#slab.used = used + bytes
    return memory.subarray(used, used + bytes)
  }

  /** Takes another slab to write in. False if there is none, or the page is too large for any. */
  #turn(bytes: number): boolean {
    const slab = bytes > SLAB_BYTES ? undefined : this.#reusable()
    if (slab === undefined && (bytes > SLAB_BYTES || this.#full.length >= SLABS_MAX)) return false
    this.#full.push(this.#slab)
    this.#slab = slab ?? newSlab()
    return true
  }

  /** The oldest slab, if all that was in it has gone out. A slow caller's slab waits behind the others. */
  #reusable(): Slab | undefined {
    for (let tries = 0; tries < 2; tries++) {
      const oldest = this.#full.shift()
      if (oldest === undefined) return undefined
      if (oldest.lentTo.every((response) => response.writableFinished || response.destroyed)) {
        oldest.lentTo.length = 0
        oldest.used = 0
        return oldest
      }
      this.#full.push(oldest)
    }
    return undefined
  }
}

function newSlab(): Slab {
  return { bytes: Buffer.allocUnsafeSlow(SLAB_BYTES), lentTo: [], used: 0 }
}
