// Hot path
import type { Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'
import type { ActiveKey } from '../../../keys/key-ring.ts'
import { MINUTE_MS } from '../../../lib/time.ts'
import type { RequestContext } from '../../api-context.ts'
import type { ContentCoding } from '../../negotiation.ts'
import { Problem } from '../../problem.ts'
import { ExportTransfer, type TransferLimits } from './export-transfer.ts'
import type { ChunkSource } from './snapshot-chunks.ts'

/** Who reads an export: a key, or what stands for it. */
export type ExportCaller = Pick<ActiveKey, 'id' | 'organizationId' | 'isActive'>

/** The limits of exports in one serving thread. */
interface ExportLimits extends TransferLimits {
  readonly concurrentMax: number
  readonly concurrentPerKeyMax: number
  /** Of all keys of an organization. Without it, they may run all. */
  readonly concurrentPerOrganizationMax?: number
  /** Of the thread's time, for all exports together. Without it, the next chunk comes in the next turn of the event loop. */
  readonly threadShare?: number
  /** Once an export has run for this long, it yields to another that has no room, the slowest first. Without it, none yields. */
  readonly yieldsAfterMs?: number
}

export const EXPORT_LIMITS: ExportLimits = {
  concurrentMax: 24,
  // The SMART Scheduling Links connector prefetches four files at once.
  concurrentPerKeyMax: 6,
  concurrentPerOrganizationMax: 12,
  stalledMsMax: 30_000,
  totalMsMax: 30 * MINUTE_MS,
}

/** An export to be sent. */
interface ExportOrder {
  readonly context: RequestContext
  readonly key: ExportCaller
  /** Names and values alternating, without `Content-Encoding`. */
  readonly headers: readonly string[]
  readonly coding: ContentCoding | undefined
  /** 200 by default. */
  readonly status?: number
  readonly chunks: ChunkSource
  /** Called if a chunk cannot be encoded. */
  readonly onError: (error: unknown) => void
}

/**
 * Sends exports as fast as their callers read, without delaying other requests: one chunk per turn of the event loop, round-robin over
 * the exports whose previous chunk has been taken.
 *
 *     turn      1     2     3     4     5          A waits for its caller at 4
 *     chunk     A1    B1    A2    B2    B3
 */
export class ExportPump {
  readonly #limits: ExportLimits
  /** Milliseconds since 1970. */
  readonly #now: () => number
  readonly #transfers = new Map<ExportTransfer, ExportCaller>()
  readonly #ready: ExportTransfer[] = []
  #isScheduled = false
  /** By the latest chunk. */
  #usedMs = 0

  constructor(now: () => number, limits = EXPORT_LIMITS) {
    this.#now = now
    this.#limits = limits
  }

  /** The number of running exports. */
  get size(): number {
    return this.#transfers.size
  }

  /** Throws `Problem('too-many-exports')` if the limit of the key, its organization or the thread is reached, and no export yields. */
  requireRoom(key: ExportCaller): void {
    const { concurrentMax, concurrentPerKeyMax, concurrentPerOrganizationMax = Infinity } = this.#limits
    const ofOrganization = [...this.#transfers.values()].filter((other) => other.organizationId === key.organizationId)
    const ofKey = ofOrganization.filter((other) => other.id === key.id)
    if (ofKey.length >= concurrentPerKeyMax)
      throw tooMany(`One caller can run ${concurrentPerKeyMax} exports at once. Please wait for one to end.`, '10')
    if (ofOrganization.length >= concurrentPerOrganizationMax)
      throw tooMany(
        `One organization can run ${concurrentPerOrganizationMax} exports at once. Please wait for one to end.`,
        '10',
      )
    if (this.#transfers.size >= concurrentMax && this.#yielding() === undefined)
      throw tooMany('The limit of concurrent exports is reached. Please try again later.', '30')
  }

  /** Sends the headers now and, unless the method is HEAD, the chunks from the next turn on. Closes the chunk source in any case. */
  send(order: ExportOrder): void {
    const { context, key, headers, coding, status = 200, chunks, onError } = order
    const { request, response } = context
    const allHeaders = coding === undefined ? [...headers] : [...headers, 'Content-Encoding', coding]
    if (request.method === 'HEAD') {
      chunks.close()
      response.writeHead(status, allHeaders).end()
      return
    }
    this.#makeRoom()
    const transfer = new ExportTransfer(response, chunks, {
      compressor: coding === undefined ? undefined : COMPRESSORS[coding](),
      limits: this.#limits,
      onTaken: () => this.#enqueue(transfer),
      onError,
      onEnd: () => this.#transfers.delete(transfer),
    })
    this.#transfers.set(transfer, key)
    response.writeHead(status, allHeaders)
    this.#enqueue(transfer)
  }

  /** The slowest export of those that have run for long enough. */
  #yielding(): ExportTransfer | undefined {
    const { yieldsAfterMs = Number.POSITIVE_INFINITY } = this.#limits
    const nowMs = performance.now()
    let slowest: ExportTransfer | undefined
    for (const transfer of this.#transfers.keys()) {
      const isSlower = slowest === undefined || transfer.speedAt(nowMs) < slowest.speedAt(nowMs)
      if (isSlower && nowMs - transfer.startedMs >= yieldsAfterMs) slowest = transfer
    }
    return slowest
  }

  /** Aborts an export if the limit of the thread is reached. */
  #makeRoom(): void {
    const slowest = this.#transfers.size < this.#limits.concurrentMax ? undefined : this.#yielding()
    if (slowest === undefined) return
    this.#transfers.delete(slowest)
    slowest.abort()
  }

  #enqueue(transfer: ExportTransfer): void {
    this.#ready.push(transfer)
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#schedule()
  }

  #schedule(): void {
    const { threadShare } = this.#limits
    if (threadShare === undefined) setImmediate(this.#sendNext)
    else setTimeout(this.#sendNext, this.#usedMs / threadShare)
  }

  readonly #sendNext = (): void => {
    const startedMs = performance.now()
    const transfer = this.#ready.shift()
    const key = transfer === undefined ? undefined : this.#transfers.get(transfer)
    // A revoked key takes effect at once, also during an export.
    if (key?.isActive(this.#now())) transfer?.sendChunk()
    else if (key !== undefined) transfer?.abort()
    this.#usedMs = performance.now() - startedMs
    this.#isScheduled = this.#ready.length > 0
    if (this.#isScheduled) this.#schedule()
  }
}

/** They compress in threads of the libuv pool. */
export const COMPRESSORS: Readonly<Record<ContentCoding, () => Transform>> = {
  zstd: () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: () => createGzip({ level: 1 }),
}

function tooMany(message: string, retryAfter: string): Problem {
  return new Problem('too-many-exports', message, { headers: { 'retry-after': retryAfter } })
}
