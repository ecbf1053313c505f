import { csvLine } from '../../lib/csv.ts'
import { FeedFailure, type Rejected } from '../connector.ts'
import { openTable } from './csv-file.ts'
import type { CsvDialect } from './csv-text.ts'
import { FILE_BYTES_MAX, type UploadedFile } from './uploaded-file.ts'

/** Length of the CSV in characters; the last row may exceed it. */
const LENGTH_MAX = 2 ** 20

type Rejection = Omit<Rejected, 'code'>

/**
 * The rejected rows of a file as CSV: number, reason, and the cells as they are in the file. Reads a table once more: a rejection has
 * only the beginning of its row. Of other formats, it has that beginning.
 */
export async function rejectedRowsCsv(
  rejections: readonly Rejection[],
  options: { file: UploadedFile; bytesMax?: number; dialect: CsvDialect | undefined; signal: AbortSignal },
): Promise<string> {
  const { dialect, file, bytesMax = FILE_BYTES_MAX, signal } = options
  if (dialect === undefined)
    return [
      csvLine(['row', 'reason', 'content']),
      ...rejections.map(({ line, reason, sample }) => csvLine([line, reason, sample])),
    ].join('')
  const reasons = new Map(rejections.map(({ line, reason }) => [line, reason]))
  let csv = ''
  try {
    const { head, rows } = await openTable({ file, bytesMax, signal }, dialect)
    csv = csvLine(['row', 'reason', ...head])
    for await (const { number, cells } of rows) {
      const reason = reasons.get(number)
      if (reason === undefined) continue
      csv += csvLine([number, reason, ...cells])
      reasons.delete(number)
      if (reasons.size === 0 || csv.length > LENGTH_MAX) break
    }
  } catch (error) {
    // The import is decided by now: neither an unreadable end of the file nor an interruption may hide its result.
    if (!(error instanceof FeedFailure) && !signal.aborted) throw error
  }
  return csv
}
