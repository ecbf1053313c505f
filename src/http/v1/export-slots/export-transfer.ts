import type { ServerResponse } from 'node:http'
import type { Transform, Writable } from 'node:stream'
import type { ChunkSource } from './snapshot-chunks.ts'

export interface TransferLimits {
  /** A caller that leaves a chunk (about 100 kB) for this long is disconnected: its snapshot keeps deleted rows in memory. */
  readonly stalledMsMax: number
  /** The limit of the whole transfer. */
  readonly totalMsMax: number
}

interface TransferOptions {
  readonly compressor: Transform | undefined
  readonly limits: TransferLimits
  /** The chunk has been taken: the next can be sent. */
  readonly onTaken: () => void
  /** A chunk could not be encoded: the transfer is aborted. */
  readonly onError: (error: unknown) => void
  /** The transfer has ended for any reason. Called once. */
  readonly onEnd: () => void
}

/**
 * One running export: its headers are sent, and chunks go one at a time.
 *
 *     sendChunk() → taken → sendChunk() → … → no chunk left → end
 *                     └ too slow, snapshot closed, key revoked, caller disconnected: aborted
 *
 * A caller can tell an abort from the end: the last chunk (RFC 9112, 8) is missing, and the connection is reset, which also discards
 * the system's buffers.
 */
export class ExportTransfer {
  /** On the clock of `performance.now()`. */
  readonly startedMs = performance.now()
  readonly #response: ServerResponse
  readonly #chunks: ChunkSource
  readonly #options: TransferOptions
  readonly #sink: Writable
  readonly #stalled: NodeJS.Timeout
  readonly #total: NodeJS.Timeout
  #chunksTaken = 0

  constructor(response: ServerResponse, chunks: ChunkSource, options: TransferOptions) {
    const { compressor, limits } = options
    this.#response = response
    this.#chunks = chunks
    this.#options = options
    this.#sink = compressor ?? response
    this.#stalled = setTimeout(() => this.abort(), limits.stalledMsMax)
    this.#total = setTimeout(() => this.abort(), limits.totalMsMax)
    compressor?.on('error', () => this.abort()).pipe(response)
    // Emitted after the end, after an abort, and if the caller disconnects.
    response.once('close', () => this.#close())
  }

  /** Chunks taken per millisecond. */
  speedAt(nowMs: number): number {
    return this.#chunksTaken / (nowMs - this.startedMs)
  }

  /** Sends the next chunk or the end. Aborts if the snapshot is closed or encoding fails. */
  sendChunk(): void {
    if (this.#response.destroyed) return
    try {
      if (this.#chunks.isOpen) this.#send()
      else this.abort()
    } catch (error) {
      this.#options.onError(error)
      this.abort()
    }
  }

  #send(): void {
    const chunk = this.#chunks.next()
    if (chunk !== undefined) {
      // Skipped bytes before a range are progress, but not speed: the caller reads nothing.
      if (chunk.length === 0) this.#continue()
      else this.#sink.write(chunk, this.#taken)
      return
    }
    this.#chunks.close()
    this.#sink.end()
  }

  /** Resets the connection, also if the response still waits behind another one and has no socket yet. */
  abort(): void {
    this.#response.req.socket.resetAndDestroy()
  }

  readonly #taken = (error?: Error | null): void => {
    if (error) return
    this.#chunksTaken++
    this.#continue()
  }

  #continue(): void {
    this.#stalled.refresh()
    this.#options.onTaken()
  }

  #close(): void {
    clearTimeout(this.#stalled)
    clearTimeout(this.#total)
    this.#chunks.close()
    this.#options.compressor?.destroy()
    this.#options.onEnd()
  }
}
