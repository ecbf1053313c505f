// Hot path
import type { ServerResponse } from 'node:http'
import type { Transform, Writable } from 'node:stream'
import type { Pieces } from './chunks.ts'
import type { ExportLimits } from './export-limits.ts'

/** How an export is sent, and who hears of it. */
export interface SendingOptions {
  /** Compresses what is sent. */
  readonly coder: Transform | undefined
  readonly limits: Pick<ExportLimits, 'stalledMsMax' | 'wholeMsMax'>
  /** A piece is out of our hands: the next can be sent. */
  readonly onTaken: () => void
  /** A piece could not be made: it is broken off. */
  readonly onFault: (fault: unknown) => void
  /** It has ended, in whatever way; once. */
  readonly onEnd: () => void
}

/**
 * One export on its way: headers are sent, and pieces go one at a time.
 *
 *     sendPiece() → taken → sendPiece() → … → no piece is left → end
 *                     └ not within the time, gone, revoked, caller left: broken off
 *
 * A caller can tell the end from a break: what is broken off lacks its last chunk (RFC 9112, 8), and the connection is reset, so
 * that nothing is left in the system's buffers either.
 */
export class Sending {
  readonly #response: ServerResponse
  readonly #pieces: Pieces
  readonly #coder: Transform | undefined
  readonly #sink: Writable
  readonly #onTaken: () => void
  readonly #onFault: (fault: unknown) => void
  readonly #onEnd: () => void
  readonly #stalled: NodeJS.Timeout
  readonly #whole: NodeJS.Timeout

  constructor(response: ServerResponse, pieces: Pieces, options: SendingOptions) {
    this.#response = response
    this.#pieces = pieces
    this.#coder = options.coder
    this.#sink = options.coder ?? response
    this.#onTaken = options.onTaken
    this.#onFault = options.onFault
    this.#onEnd = options.onEnd
    this.#stalled = setTimeout(() => this.breakOff(), options.limits.stalledMsMax)
    this.#whole = setTimeout(() => this.breakOff(), options.limits.wholeMsMax)
    options.coder?.on('error', () => this.breakOff()).pipe(response)
    // Comes after the end, after a break, and if the caller leaves.
    response.once('close', () => this.#close())
  }

  /** Sends the next piece, or the end. Breaks off if there is none to be had. */
  sendPiece(): void {
    if (this.#response.destroyed) return
    try {
      if (this.#pieces.isOpen) this.#send()
      else this.breakOff()
    } catch (fault) {
      this.#onFault(fault)
      this.breakOff()
    }
  }

  #send(): void {
    const piece = this.#pieces.next()
    if (piece !== undefined) {
      if (piece.length === 0) this.#onTaken()
      else this.#sink.write(piece, this.#taken)
      return
    }
    this.#pieces.close()
    this.#sink.end()
  }

  breakOff(): void {
    const { socket } = this.#response
    if (socket === null) this.#response.destroy()
    else socket.resetAndDestroy()
  }

  readonly #taken = (fault?: Error | null): void => {
    if (fault) return
    this.#stalled.refresh()
    this.#onTaken()
  }

  #close(): void {
    clearTimeout(this.#stalled)
    clearTimeout(this.#whole)
    this.#pieces.close()
    this.#coder?.destroy()
    this.#onEnd()
  }
}
