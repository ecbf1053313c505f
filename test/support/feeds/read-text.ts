import { Readable } from 'node:stream'
import { type FilesOptions, files } from '../../../src/feeds/files/connector.ts'
import { FileNotes } from '../../../src/feeds/files/file-reading.ts'
import { RecordedDraft } from './recorded-draft.ts'

/** The outcome of reading a file. */
export interface Outcome {
  readonly draft: RecordedDraft
  readonly notes: FileNotes
  /** Rejected rows or entries with their reasons, without the words that all reasons have. */
  readonly reasons: readonly (readonly [line: number, reason: string])[]
}

/** Reads a file of the given content, in pieces of the given size. */
export async function readText(
  content: string | Uint8Array | (() => Readable),
  options: Partial<Omit<FilesOptions, 'file'>> & { pieceBytes?: number; strict?: boolean } = {},
): Promise<Outcome> {
  const { pieceBytes = 65_536, strict = false, ...more } = options
  const notes = new FileNotes()
  const draft = new RecordedDraft()
  const open = typeof content === 'function' ? content : () => Readable.from(pieces(Buffer.from(content), pieceBytes))
  await files({ file: { name: 'file', open }, notes, ...more }).read(
    { slug: 'clinic', format: 'files', url: '', options: {}, strict },
    draft,
    AbortSignal.timeout(120_000),
  )
  const reasons = draft.rejected.map(
    ({ line, reason }) => [line, reason.replace(/^Cannot read the (?:row|line|entry): /, '')] as const,
  )
  return { draft, notes, reasons }
}

function* pieces(content: Buffer, bytes: number): Generator<Buffer> {
  for (let at = 0; at < content.length; at += bytes) yield content.subarray(at, at + bytes)
}
