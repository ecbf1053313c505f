import type { SnapshotDraft, Source } from '../connector.ts'
import { InvalidData, rejectionReason, rejectionSample } from '../invalid-data.ts'
import type { FileNotes } from './file-notes.ts'
import type { TimeRules } from './local-time.ts'
import type { UploadedFile } from './uploaded-file.ts'

/** What one reading of a file is made of. */
export interface FileReadOptions extends TimeRules {
  readonly file: UploadedFile
  /** Of its content, unpacked. */
  readonly bytesMax: number
  readonly source: Source
  readonly draft: SnapshotDraft
  readonly signal: AbortSignal
  readonly notes: FileNotes
}

/** So many lines are put into the draft before it may write them out. */
export const LINES_PER_FLUSH = 2000

/** A fault as a rejection. Throws again what is no fault of the line. `what` it is: line, row, or entry. */
export function rejectionOf(
  fault: unknown,
  { what, file, line, sample }: { what: string; file: string; line: number; sample: string },
): { file: string; line: number; reason: string; sample: string } {
  if (!(fault instanceof InvalidData)) throw fault
  const reason = rejectionReason(`Cannot read the ${what}: ${fault.message}`)
  return { file, line, reason, sample: rejectionSample(sample) }
}
