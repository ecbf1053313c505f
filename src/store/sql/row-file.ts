import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { blockOf, GrowingColumns, ROW_BYTES, type RowColumns, slice } from './row-columns.ts'

/** Rows in a block, at most: 230 kB. */
export const BLOCK_ROWS = 8_192

const blockSchema = z.tuple([z.int().nonnegative(), z.int().positive().max(BLOCK_ROWS), z.int().nonnegative()])
const trailerSchema = z.object({ token: z.string(), blocks: z.array(blockSchema) })

/** Position in the file, number of rows, CRC-32. */
type Block = z.infer<typeof blockSchema>

const LENGTH_BYTES = 4
const TRAILER_BYTES_MAX = 2 ** 26

/**
 * Writes the rows of a snapshot to a file:
 *
 *     block     keys, fingerprints, parts, ends, tags: the columns of up to 8,192 rows, 28 bytes per row
 *     …
 *     trailer   JSON: token; position, rows and CRC-32 of each block, in the order of their keys; its length in 4 bytes
 *
 * In the byte order of the machine, where alone it is read.
 */
export class RowFileWriter {
  readonly path: string
  readonly #blocks: Block[] = []
  #bytes = 0

  constructor(path: string) {
    this.path = path
  }

  append(rows: RowColumns): void {
    for (let from = 0; from < rows.keys.length; from += BLOCK_ROWS)
      this.#append(slice(rows, from, Math.min(from + BLOCK_ROWS, rows.keys.length)))
  }

  /** `firstBlock`: the first in order of key; those before it come last. */
  finish(token: string, firstBlock: number): void {
    const blocks = [...this.#blocks.slice(firstBlock), ...this.#blocks.slice(0, firstBlock)]
    const trailer = Buffer.from(JSON.stringify({ token, blocks } satisfies z.infer<typeof trailerSchema>))
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32LE(trailer.length)
    appendFileSync(this.path, Buffer.concat([trailer, length]), { mode: 0o600 })
  }

  get blockCount(): number {
    return this.#blocks.length
  }

  #append(rows: RowColumns): void {
    const buffer = new ArrayBuffer(rows.keys.length * ROW_BYTES)
    const block = blockOf(rows.keys.length, buffer)
    block.keys.set(rows.keys)
    block.fingerprints.set(rows.fingerprints)
    block.parts.set(rows.parts)
    block.ends.set(rows.ends)
    block.tags.set(rows.tags)
    const bytes = new Uint8Array(buffer)
    appendFileSync(this.path, bytes, { mode: 0o600 })
    this.#blocks.push([this.#bytes, rows.keys.length, crc32(bytes)])
    this.#bytes += bytes.length
  }
}

/** The rows of a file with this token. Undefined if there is none, or if it is damaged. */
export function readRowFile(path: string, token: string): RowColumns | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return undefined
  }
  try {
    return readRows(file, token)
  } catch {
    // A torn trailer is no JSON.
    return undefined
  } finally {
    closeSync(file)
  }
}

function readRows(file: number, token: string): RowColumns | undefined {
  const { size } = fstatSync(file)
  const length = read(file, size - LENGTH_BYTES, LENGTH_BYTES).readUInt32LE()
  if (length > TRAILER_BYTES_MAX) return undefined
  const trailer = trailerSchema.parse(JSON.parse(read(file, size - LENGTH_BYTES - length, length).toString()))
  if (trailer.token !== token) return undefined
  const rows = new GrowingColumns(trailer.blocks.reduce((sum, [, count]) => sum + count, 0))
  for (const [at, count, crc] of trailer.blocks) {
    const bytes = read(file, at, count * ROW_BYTES)
    if (crc32(bytes) !== crc) return undefined
    rows.append(blockOf(count, bytes.buffer))
  }
  return rows.byKey()
}

/** Reads into a new buffer. Throws if the file ends earlier. */
function read(file: number, at: number, length: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.from(new ArrayBuffer(length))
  for (let done = 0; done < length; ) {
    const count = readSync(file, bytes, done, length - done, at + done)
    if (count === 0) throw new Error(`Cannot read ${length} bytes at ${at}: the file ends earlier`)
    done += count
  }
  return bytes
}
