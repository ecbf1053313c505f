import type { UploadedFile } from './uploaded-file.ts'
import { readContent } from './uploaded-file.ts'

/** Encoding and delimiter of a CSV file. */
export interface CsvDialect {
  /** Without a byte order mark, text that is not valid UTF-8 is taken for Windows-1252, a superset of Latin-1. */
  readonly encoding: 'utf-8' | 'windows-1252'
  readonly delimiter: string
  /** The first line declares the delimiter (`sep=;`), as Excel writes it. */
  readonly hasDelimiterLine: boolean
}

/** Detects encoding and delimiter. Reads the whole file: the last character may be the only one that is not UTF-8. */
export async function detectCsvDialect(
  file: UploadedFile,
  beginning: Buffer,
  { bytesMax, signal }: { bytesMax: number; signal: AbortSignal },
): Promise<CsvDialect> {
  const hasMark = beginning.subarray(0, 3).equals(MARK)
  const isUtf8 = hasMark || (await isAllUtf8(readContent(file, bytesMax), signal))
  const text = beginning.toString('latin1', hasMark ? 3 : 0)
  const declared = /^"?sep=(.)"?$/i.exec(firstLine(text))?.[1]
  return {
    encoding: isUtf8 ? 'utf-8' : 'windows-1252',
    delimiter: declared ?? delimiterOf(firstLine(text.replace(QUOTED_CELL, '""'))),
    hasDelimiterLine: declared !== undefined,
  }
}

/** The bytes of a table as UTF-8, without a byte order mark. */
export async function* inUtf8(
  content: AsyncIterable<Buffer>,
  encoding: CsvDialect['encoding'],
): AsyncGenerator<Buffer> {
  // Removes the byte order mark and replaces invalid UTF-8 by U+FFFD.
  const decoder = new TextDecoder(encoding)
  for await (const piece of content) yield Buffer.from(decoder.decode(piece, { stream: true }))
  yield Buffer.from(decoder.decode())
}

const MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** It may contain delimiters and line breaks. A quote within a cell begins none. */
const QUOTED_CELL = /(?<=(?:^|[,;\t|\r\n]) *)"[^"]*(?:""[^"]*)*"/g

function firstLine(text: string): string {
  const lines = text.split(/\r\n|\n|\r/, 100)
  return lines.find((line) => line.trim() !== '') ?? ''
}

/** In order of preference if counts are equal. */
const DELIMITERS = [',', ';', '\t', '|']

function delimiterOf(head: string): string {
  const counts = DELIMITERS.map((delimiter) => head.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))]
}

async function isAllUtf8(content: AsyncIterable<Buffer>, signal: AbortSignal): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const piece of content) {
      signal.throwIfAborted()
      decoder.decode(piece, { stream: true })
    }
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}
