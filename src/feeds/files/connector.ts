import type { Connector } from '../connector.ts'
import { readCsvFile } from './csv-file.ts'
import { type FileFormat, fileFormatOf } from './file-format.ts'
import { FileNotes } from './file-reading.ts'
import type { TimeRules } from './local-time.ts'
import { ResourceFile } from './resource-file.ts'
import { FILE_BYTES_MAX, readBeginning, type UploadedFile } from './uploaded-file.ts'

/** A file and how to read it. */
export interface FilesOptions extends TimeRules {
  readonly file: UploadedFile
  /** Detected from the content by default. */
  readonly format?: FileFormat | undefined
  /** Maximum size of the uncompressed content. */
  readonly bytesMax?: number
  /** Collects findings about the file. */
  readonly notes?: FileNotes
}

/**
 * Reads an uploaded file as the complete publication of a source: slots that are not in it are deleted. CSV, NDJSON or one
 * JSON document, plain or gzip; JSON may mix FHIR resources (also in a Bundle) and slots as `/v1` serves them.
 */
export function files(options: FilesOptions): Connector {
  const { file, bytesMax = FILE_BYTES_MAX, notes = new FileNotes() } = options
  return {
    async read(source, draft, signal) {
      signal.throwIfAborted()
      const reading = { ...options, file, bytesMax, notes, source, draft, signal }
      const beginning = await readBeginning(file, bytesMax)
      // Even if the format is given: this rejects binary files.
      const found = fileFormatOf(beginning, file.name)
      const format = options.format ?? found
      notes.format = format
      const isTable = format === 'csv'
      if (isTable) await readCsvFile(reading, beginning)
      const bySchedule = isTable ? new Map() : await new ResourceFile(reading, format).read()
      await draft.flush()
      const state = { reader: 'files 1', file: file.name, format }
      return { unchanged: false, state, horizons: { isWhole: true, bySchedule } }
    },
  }
}
