import { once } from 'node:events'
import { PassThrough, type Transform } from 'node:stream'
import { groupDigits } from '../../lib/text.ts'
import { EXPLORE_CSV_ROWS_MAX } from '../../shared/explore-csv.ts'
import type { SlotIndex } from '../../slot-index/slot-index.ts'
import type { SnapshotReader } from '../../slot-index/snapshots/snapshot-reader.ts'
import type { FairCaller, FairQueue } from '../fair-queue.ts'
import type { ContentCoding } from '../negotiation.ts'
import { Problem } from '../problem.ts'
import { CsvExport } from '../v1/export-slots/csv-export.ts'
import { COMPRESSORS } from '../v1/export-slots/export-pump.ts'
import { parseExportQuery } from '../v1/export-slots/export-slots.ts'

/** A download of the slots of a query string. */
interface CsvDownload {
  readonly search: string
  readonly coding: ContentCoding | undefined
  readonly by: FairCaller
  /** Aborts when the download is not needed any more. */
  readonly signal: AbortSignal | undefined
}

interface DownloadNode {
  readonly index: SlotIndex
  readonly queue: FairQueue
  /** Milliseconds since 1970. */
  readonly now: () => number
}

interface DownloadLimits {
  readonly rowsMax: number
  /** Of a response, after compression. */
  readonly bytesMax: number
  readonly concurrentMax: number
}

const LIMITS: DownloadLimits = { rowsMax: EXPLORE_CSV_ROWS_MAX, bytesMax: 32 * 1024 * 1024, concurrentMax: 4 }

/**
 * Writes slots as the CSV of `/v1`, from one snapshot, for the users of the dashboard: one download at a time for each. The thread is
 * shared through the fair queue, a chunk of rows at a time.
 */
export class CsvDownloads {
  readonly #limits: DownloadLimits
  /** The users with a running download. */
  readonly #running = new Set<string>()

  constructor(limits = LIMITS) {
    this.#limits = limits
  }

  /**
   * Resolves with the whole file, compressed by `coding`. Rejects with `InvalidParameter` and `Problem`: `content-too-large` or
   * `too-many-exports`.
   */
  async write(download: CsvDownload, node: DownloadNode): Promise<Uint8Array> {
    const query = parseExportQuery(download.search)
    this.#requireRoom(download.by.id)
    this.#running.add(download.by.id)
    try {
      const steps = node.index.openInSteps(query, node.now)
      const reader = await node.queue.finish(download.by, steps, download.signal)
      try {
        return await this.#encode(reader, download, node.queue)
      } finally {
        reader.close()
      }
    } finally {
      this.#running.delete(download.by.id)
    }
  }

  #requireRoom(user: string): void {
    const { concurrentMax } = this.#limits
    if (this.#running.has(user)) throw tooMany('You have a running download. Wait until it ends, then try again.')
    if (this.#running.size >= concurrentMax)
      throw tooMany(`${concurrentMax} downloads are running, which is the limit. Try again in a few seconds.`)
  }

  async #encode(reader: SnapshotReader, download: CsvDownload, queue: FairQueue): Promise<Uint8Array> {
    const { rowsMax, bytesMax } = this.#limits
    if (reader.total > rowsMax)
      throw tooLarge(`${groupDigits(reader.total)} slots match; a download has at most ${groupDigits(rowsMax)}.`)
    const { coding, by, signal } = download
    const csv = new CsvExport(reader)
    const parts: Buffer[] = []
    let bytes = 0
    const sink: Transform = coding === undefined ? new PassThrough() : COMPRESSORS[coding]()
    try {
      sink.on('data', (part: Buffer) => {
        parts.push(part)
        bytes += part.length
      })
      for (;;) {
        const chunk = await queue.finish(by, nextChunk(csv), signal)
        if (chunk === undefined) break
        if (!sink.write(chunk)) await once(sink, 'drain', { signal })
        if (bytes > bytesMax)
          throw tooLarge(`The file would be larger than ${groupDigits(bytesMax / 1024 / 1024)} MiB.`)
      }
      const ended = once(sink, 'end', { signal })
      sink.end()
      await ended
    } finally {
      sink.destroy()
    }
    // A copy: a small buffer is part of a larger one, which would be cloned whole.
    return new Uint8Array(Buffer.concat(parts, bytes))
  }
}

/** A copy of the next rows: the encoder uses its memory again. */
function* nextChunk(csv: CsvExport): Generator<void, Buffer | undefined> {
  yield
  if (!csv.isOpen) throw new Problem('not-ready', 'The download was interrupted. Try again in a few seconds.')
  const chunk = csv.next()
  return chunk === undefined ? undefined : Buffer.from(chunk)
}

function tooLarge(reason: string): Problem {
  const message = `${reason} Add filters, or export all with an API key: see /docs/export.`
  return new Problem('content-too-large', message)
}

function tooMany(message: string): Problem {
  return new Problem('too-many-exports', message)
}
