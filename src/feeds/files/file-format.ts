import { asObject } from '../../lib/json.ts'
import { hasSignature } from '../../lib/signature.ts'
import { FeedFailure } from '../connector.ts'

/** CSV rows, one JSON object per line, or one JSON document. */
export const FILE_FORMATS = ['csv', 'ndjson', 'json'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

/**
 * Detects the format of a file from its beginning:
 *
 *     {…} on one line, or the first of several such lines             ndjson
 *     {"resourceType":"Bundle"…}, {"slots":[…]}, […], {⏎ …            json
 *     {"slots":[⏎{…},⏎…                                               json
 *     <…>, a ZIP or PDF, UTF-16, zeros, an empty file                 rejected, with the expected formats
 *     anything else                                                   csv
 *
 * Throws `FeedFailure`.
 */
export function fileFormatOf(beginning: Buffer, name: string): FileFormat {
  const refusal = REFUSED.find(({ is }) => is(beginning))
  if (refusal !== undefined) throw new FeedFailure(`Cannot read ${name}: ${refusal.must}`)
  const text = beginning.toString('utf8').replace(/^\ufeff/, '')
  const first = text.trimStart().charAt(0)
  if (first === '[') return 'json'
  return first === '{' ? formatOfJson(text.trimStart()) : 'csv'
}

/** Common files that are not supported. */
const REFUSED: readonly { readonly is: (beginning: Buffer) => boolean; readonly must: string }[] = [
  { is: (bytes) => bytes.length === 0, must: 'it is empty' },
  {
    is: (bytes) => hasSignature(bytes, 'utf-16') || (isMostlyZeros(bytes) && !isBinary(bytes)),
    must: 'it must be UTF-8, but is UTF-16 or not text: save it as "CSV UTF-8"',
  },
  {
    is: (bytes) => hasSignature(bytes, 'zip'),
    must: 'it must be CSV, NDJSON or JSON, plain or gzip, but is a ZIP archive or an Excel workbook: save the sheet as "CSV UTF-8"',
  },
  {
    is: (bytes) => hasSignature(bytes, 'ole'),
    must: 'it must be CSV, NDJSON or JSON, plain or gzip, but is an old Excel workbook: save the sheet as "CSV UTF-8"',
  },
  {
    is: (bytes) => hasSignature(bytes, 'pdf'),
    must: 'it must be CSV, NDJSON or JSON, plain or gzip, but is a PDF: save its source as "CSV UTF-8"',
  },
  {
    is: isBinary,
    must: 'it must be CSV, NDJSON or JSON, plain or gzip once, but is binary, such as a picture or another archive',
  },
  {
    is: (bytes) => /^\s*</.test(bytes.toString('utf8', 0, 1000).replace(/^\ufeff/, '')),
    must: 'it must be CSV, NDJSON or JSON, but is XML or HTML',
  },
  {
    is: (bytes) =>
      bytes.length < 65_536 &&
      bytes
        .toString('utf8')
        .replace(/^\ufeff/, '')
        .trim() === '',
    must: 'it contains only blank lines',
  },
]

/** UTF-16 without a byte order mark has a zero byte after each ASCII character. A few zeros are left to the line readers. */
function isMostlyZeros(bytes: Buffer): boolean {
  let zeros = 0
  for (const byte of bytes) if (byte === 0) zeros++
  return zeros > bytes.length / 10
}

/** In compressed data and images about every tenth byte is a control character, and they are not valid UTF-8. */
function isBinary(bytes: Buffer): boolean {
  let controls = 0
  for (const byte of bytes) if (byte > 0 && byte < 32 && (byte < 9 || byte > 13)) controls++
  return controls > bytes.length / 33 && bytes.toString('utf8', 0, bytes.length - 3).includes('\ufffd')
}

function formatOfJson(text: string): FileFormat {
  const [line, ...others] = text.split('\n', 3)
  const first = parsed(line)
  if (first !== undefined) return isDocument(first) ? 'json' : 'ndjson'
  // A document whose elements have a line each: its first line ends between two tokens.
  if (/[[{,:]\s*$/.test(line)) return 'json'
  // Invalid JSON in the first line: NDJSON if another line starts with an object.
  return others.some((other) => other.startsWith('{')) ? 'ndjson' : 'json'
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function isDocument(first: unknown): boolean {
  const object = asObject(first)
  return object?.resourceType === 'Bundle' || Array.isArray(object?.slots)
}
