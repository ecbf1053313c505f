import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { FeedFailure } from '../connector.ts'

/** A file that somebody brings: to be read from its beginning as often as needed. */
export interface UploadedFile {
  /** What rejections and messages call it. */
  readonly name: string
  /** Its bytes from the first one on, as they are. */
  open(): Readable
}

/** What a file may come to once it is unpacked: as much as a publisher may send for one file. */
export const FILE_BYTES_MAX = 2 ** 32

/** Enough to tell what a file is. */
const BEGINNING_BYTES = 65_536

/** The content of a file, unpacked if it is gzip, in pieces. Throws `FeedFailure` if it is broken or too long. */
export async function* readContent(file: UploadedFile, bytesMax: number): AsyncGenerator<Buffer> {
  const isGzip = (await firstBytes(file.open(), GZIP.length)).equals(GZIP)
  const stream = isGzip ? pipeline(file.open(), createGunzip({ chunkSize: 65_536 }), ignore) : file.open()
  let bytes = 0
  try {
    for await (const piece of stream) {
      bytes += piece.length
      if (bytes > bytesMax) throw tooLong(file, bytesMax)
      yield piece
    }
  } catch (fault) {
    throw isGzip && isOfZlib(fault) ? brokenGzip(file, fault) : fault
  } finally {
    stream.destroy()
  }
}

/** How the content of a file begins: 64 KiB, or all of a shorter one. */
export async function readBeginning(file: UploadedFile, bytesMax: number): Promise<Buffer> {
  return firstBytes(readContent(file, bytesMax), BEGINNING_BYTES)
}

const GZIP = Buffer.from([0x1f, 0x8b])

async function firstBytes(content: AsyncIterable<Buffer>, count: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of content) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes >= count) break
  }
  return Buffer.concat(pieces).subarray(0, count)
}

/** A failure of any stage comes out of the last one. */
function ignore(): void {}

function isOfZlib(fault: unknown): fault is Error {
  return fault instanceof Error && 'code' in fault && /^Z_|^ERR_/.test(String(fault.code))
}

function brokenGzip({ name }: UploadedFile, fault: Error): FeedFailure {
  return new FeedFailure(`Cannot read ${name}: the gzip archive is truncated or damaged: ${fault.message}`, {
    cause: fault,
  })
}

function tooLong({ name }: UploadedFile, bytesMax: number): FeedFailure {
  return new FeedFailure(`Cannot read ${name}: its content must be at most ${bytesMax} bytes`)
}
