import { collectYoungGarbage } from '../../lib/collect-garbage.ts'
import { encodedId, type Offering, SLOT_STATUSES } from '../../slot/slot.ts'
import type { SnapshotDraft } from '../connector.ts'
import type { Directory } from '../fhir/directory.ts'
import { LineScanner, type ScannedLines } from '../http/line-scanner.ts'
import { freeChunk } from '../http/lines.ts'
import type { FileState } from './connector-state.ts'
import { SlotLineReader } from './line-reader.ts'
import { LineWorker, type ReadLines, SLOT_NUMBERS, type SlotFile } from './line-worker.ts'

/** How many lines of a file were read as slots, withheld and rejected. */
export type SlotLineCounts = Required<Pick<FileState, 'slots' | 'withheld' | 'rejected'>>

interface SlotFilesOptions {
  readonly directory: Directory
  /** Of the fingerprints of the source's lines. */
  readonly lineKey: string
  readonly draft: SnapshotDraft
  readonly signal: AbortSignal
  /** New lines of a feed beyond as many bytes are read in another thread, which takes a third of a second and 40 MB. */
  readonly hereBytesMax?: number
}

const HERE_BYTES_MAX = 8 * 2 ** 20

/** Lines between two flushes of the draft. */
const LINES_PER_FLUSH = 2000

/** Bytes of a request to the thread, and requests ahead: enough for it while the draft writes. */
const REQUEST_BYTES = 2 ** 18
const REQUESTS_MAX = 8

/**
 * Known lines leave so little garbage that the buffers of the network, which nothing else frees, start a full collection for every 25 MB:
 * a quarter of the CPU time of a second sync.
 */
const BYTES_PER_COLLECTION = 8 * 2 ** 20

type Chunks = AsyncIterable<Buffer>

/**
 * Reads the Slot files of one publication into the draft, one after the other.
 *
 *     lines that may be known       here: most are only hashed
 *     few new lines                 here
 *     many new lines                chunks ─► thread: JSON, slots, ids ─► here: the draft, in the order of the lines
 */
export class SlotFiles {
  readonly #options: SlotFilesOptions
  readonly #hereBytesMax: number
  #bytes = 0
  #linesSinceFlush = 0
  #scanner: LineScanner | undefined
  #worker: LineWorker | undefined
  #offerings: Offering[] = []

  constructor(options: SlotFilesOptions) {
    this.#options = options
    this.#hereBytesMax = options.hereBytesMax ?? HERE_BYTES_MAX
  }

  /** `mayKeep`: see `SlotLineReader`. */
  async read(file: SlotFile, body: Chunks, mayKeep: boolean): Promise<SlotLineCounts> {
    if (mayKeep || this.#options.draft.putEncoded === undefined) return this.#readHere(file, body, mayKeep)
    const chunks = body[Symbol.asyncIterator]()
    const first: Buffer[] = []
    while (this.#bytes <= this.#hereBytesMax) {
      const { done, value } = await chunks.next()
      if (done) return this.#readHere(file, inOrder(first, chunks), false)
      first.push(value)
      this.#bytes += value.length
    }
    return this.#readThere(file, inOrder(first, chunks))
  }

  async close(): Promise<void> {
    await this.#worker?.close()
  }

  async #readHere(file: SlotFile, body: Chunks, mayKeep: boolean): Promise<SlotLineCounts> {
    const { directory, draft, lineKey, signal } = this.#options
    const lines = new SlotLineReader(file, directory, draft, mayKeep)
    this.#scanner ??= new LineScanner(lineKey)
    this.#scanner.startFile(file.part)
    for await (const scanned of scanLines(body, this.#scanner)) {
      signal.throwIfAborted()
      lines.takeScanned(scanned)
      await this.#flush(scanned.count)
    }
    const { slots, withheld, rejected } = lines
    return { slots, withheld, rejected }
  }

  async #readThere(file: SlotFile, body: Chunks): Promise<SlotLineCounts> {
    this.#worker ??= new LineWorker(this.#options.directory, this.#options.lineKey)
    const replies: Promise<ReadLines>[] = []
    const counts = { slots: 0, withheld: 0, rejected: 0 }
    const putNext = async () => {
      const read = await replies.shift()
      if (read === undefined) return
      this.#put(read, file)
      counts.slots += read.json.length
      counts.withheld += read.withheld
      counts.rejected += read.rejected.length
      await this.#flush(read.json.length)
    }
    let newFile: SlotFile | undefined = { url: file.url, types: file.types, part: file.part }
    for await (const { chunks, isEnd } of gathered(body)) {
      this.#options.signal.throwIfAborted()
      replies.push(this.#worker.read({ newFile, chunks, isEnd }))
      newFile = undefined
      if (replies.length === REQUESTS_MAX) await putNext()
    }
    while (replies.length > 0) await putNext()
    return counts
  }

  #put(read: ReadLines, { url: file, part }: SlotFile): void {
    const { draft } = this.#options
    const { json, numbers, rejected } = read
    if (read.isForgetting) this.#offerings = []
    for (const offering of read.offerings) this.#offerings.push(offering)
    let next = 0
    for (let slot = 0; slot < json.length; slot++) {
      while (next < rejected.length && rejected[next].slotsBefore <= slot) draft.reject(rejected[next++].rejected)
      const at = slot * SLOT_NUMBERS
      const encoded = {
        id: encodedId(json[slot]),
        status: SLOT_STATUSES[numbers[at]],
        startMs: numbers[at + 1],
        endMs: numbers[at + 2],
        json: json[slot],
        offering: this.#offerings[numbers[at + 5]],
      }
      draft.putEncoded?.(encoded, { file, line: numbers[at + 3], part, fingerprint: numbers[at + 4] })
    }
    while (next < rejected.length) draft.reject(rejected[next++].rejected)
    for (let n = 0; n < read.withheld; n++) draft.withhold()
  }

  async #flush(lines: number): Promise<void> {
    this.#linesSinceFlush += lines
    if (this.#linesSinceFlush < LINES_PER_FLUSH) return
    this.#linesSinceFlush = 0
    await this.#options.draft.flush()
  }
}

/** The lines of a file. Takes over the chunks, and keeps one at a time. */
async function* scanLines(body: Chunks, scanner: LineScanner): AsyncGenerator<ScannedLines> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    yield* scanner.scan(chunk)
    freeChunk(chunk)
    if (bytes < BYTES_PER_COLLECTION) continue
    bytes = 0
    collectYoungGarbage()
  }
  yield* scanner.end()
}

/** The chunks that were read already, and the rest. */
async function* inOrder(first: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* first
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

/** The chunks of requests to the thread. The last one ends the file and may have none. */
async function* gathered(
  body: Chunks,
): AsyncGenerator<{ readonly chunks: Uint8Array<ArrayBuffer>[]; readonly isEnd: boolean }> {
  let chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk as Uint8Array<ArrayBuffer>)
    bytes += chunk.length
    if (bytes < REQUEST_BYTES) continue
    yield { chunks, isEnd: false }
    chunks = []
    bytes = 0
  }
  yield { chunks, isEnd: true }
}
