import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { hasSignature } from '../../lib/signature.ts'
import { errorCode } from '../../lib/text.ts'
import { FeedFailure } from '../connector.ts'

/** An uploaded or local file that can be read repeatedly. */
export interface UploadedFile {
  /** The name in rejections and messages. */
  readonly name: string
  /** Streams the raw bytes from the start. */
  open(): Readable
}

/** Maximum size after decompression, the same as for a file of a feed. */
export const FILE_BYTES_MAX = 2 ** 32

/** Enough to detect the format. */
const BEGINNING_BYTES = 65_536
/** Enough to detect gzip. */
const GZIP_BYTES = 2

/** Streams the content of a file, decompressing gzip. Throws `FeedFailure` if it is damaged or too long. */
export async function* readContent(file: UploadedFile, bytesMax: number): AsyncGenerator<Buffer> {
  const isGzip = hasSignature(await firstBytes(file.open(), GZIP_BYTES), 'gzip')
  const stream = isGzip ? pipeline(file.open(), createGunzip({ chunkSize: 65_536 }), ignore) : file.open()
  let bytes = 0
  try {
    for await (const piece of stream) {
      bytes += piece.length
      if (bytes > bytesMax) throw tooLong(file, bytesMax)
      yield piece
    }
  } catch (error) {
    throw isGzip && isOfZlib(error) ? brokenGzip(file, error) : error
  } finally {
    stream.destroy()
  }
}

/** The first 64 KiB of the content. */
export async function readBeginning(file: UploadedFile, bytesMax: number): Promise<Buffer> {
  return firstBytes(readContent(file, bytesMax), BEGINNING_BYTES)
}

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

/** An error of any stage is thrown by the last one. */
function ignore(): void {}

function isOfZlib(error: unknown): error is Error {
  return /^Z_|^ERR_/.test(errorCode(error) ?? '')
}

function brokenGzip({ name }: UploadedFile, error: Error): FeedFailure {
  return new FeedFailure(`Cannot read ${name}: the gzip archive is truncated or damaged: ${error.message}`, {
    cause: error,
  })
}

function tooLong({ name }: UploadedFile, bytesMax: number): FeedFailure {
  return new FeedFailure(`Cannot read ${name}: its content must be at most ${bytesMax} bytes`)
}

/** Whether the content read so far ends with a line end, or with spaces after one; true initially. */
export interface LineEnd {
  isThere: boolean
}

/** Passes the content through and updates `end`. */
export async function* watchLineEnd(content: AsyncIterable<Buffer>, end: LineEnd): AsyncGenerator<Buffer> {
  for await (const piece of content) {
    const last = piece.findLastIndex((byte) => byte !== SPACE && byte !== TAB)
    if (last >= 0) end.isThere = LINE_ENDS.has(piece[last])
    yield piece
  }
}

const [TAB, SPACE] = [9, 32]
const LINE_ENDS: ReadonlySet<number> = new Set([10, 13])
