import { parentPort, workerData } from 'node:worker_threads'
import { type EncodedSlot, encoded, type Offering, SLOT_STATUSES, type Slot } from '../../slot/slot.ts'
import type { LineDraft, Origin, Rejected } from '../connector.ts'
import { Directory } from '../fhir/directory.ts'
import { LineScanner } from '../http/line-scanner.ts'
import { SlotLineReader } from './line-reader.ts'
import type { LineThreadOptions, ReadLines, RejectedAt, SentChunks } from './line-worker.ts'

// Thread entry: reads the lines of Slot files. Started by LineWorker.

/** The parent keeps as many offerings: about a kilobyte each. */
const OFFERINGS_MAX = 100_000

/** Collects the slots and rejections that were read since the last call of `take()`. */
class ReadLinesDraft implements LineDraft {
  #offeringIds = new Map<Offering, number>()
  #isForgetting = false
  #json: string[] = []
  #numbers: number[] = []
  #offerings: Offering[] = []
  #rejected: RejectedAt[] = []
  #withheld = 0

  take(): ReadLines {
    const read = {
      json: this.#json,
      numbers: Float64Array.from(this.#numbers),
      offerings: this.#offerings,
      isForgetting: this.#isForgetting,
      rejected: this.#rejected,
      withheld: this.#withheld,
    }
    this.#json = []
    this.#numbers = []
    this.#offerings = []
    this.#rejected = []
    this.#withheld = 0
    this.#isForgetting = this.#offeringIds.size >= OFFERINGS_MAX
    if (this.#isForgetting) this.#offeringIds = new Map()
    return read
  }

  keep(): boolean {
    return false
  }

  put(slot: Slot, { line, fingerprint }: Origin): void {
    const { json, startMs, endMs, status, offering }: EncodedSlot = encoded(slot)
    this.#json.push(json)
    const position = SLOT_STATUSES.indexOf(status)
    this.#numbers.push(position, startMs, endMs, line, fingerprint, this.#offeringId(offering))
  }

  reject(rejected: Rejected): void {
    this.#rejected.push({ slotsBefore: this.#json.length, rejected })
  }

  withhold(): void {
    this.#withheld++
  }

  #offeringId(offering: Offering): number {
    const known = this.#offeringIds.get(offering)
    if (known !== undefined) return known
    const id = this.#offeringIds.size
    this.#offeringIds.set(offering, id)
    this.#offerings.push(offering)
    return id
  }
}

const { publisher, strict, nowMs, tables, lineKey }: LineThreadOptions = workerData
const directory = new Directory(publisher, strict, nowMs, tables)
const draft = new ReadLinesDraft()
const scanner = new LineScanner(lineKey)
let reader: SlotLineReader | undefined

parentPort?.on('message', ({ newFile, chunks, isEnd }: SentChunks) => {
  if (newFile !== undefined) {
    scanner.startFile(newFile.part)
    reader = new SlotLineReader(newFile, directory, draft, false)
  }
  for (const { buffer, byteOffset, length } of chunks) {
    for (const lines of scanner.scan(new Uint8Array(buffer, byteOffset, length))) reader?.takeScanned(lines)
    // Frees the memory, which the garbage collector would do later.
    buffer.transfer(0)
  }
  if (isEnd) for (const lines of scanner.end()) reader?.takeScanned(lines)
  const read = draft.take()
  parentPort?.postMessage(read, [read.numbers.buffer])
})
