import type { Connector } from '../connector.ts'
import { readCsvFile } from './csv-file.ts'
import { type FileFormat, fileFormatOf } from './file-format.ts'
import { FileNotes } from './file-notes.ts'
import type { TimeRules } from './local-time.ts'
import { ResourceFile } from './resource-file.ts'
import { FILE_BYTES_MAX, readBeginning, type UploadedFile } from './uploaded-file.ts'

/** A file, and how it is to be understood. */
export interface FilesOptions extends TimeRules {
  readonly file: UploadedFile
  /** Without one, the content tells. */
  readonly format?: FileFormat | undefined
  /** Of its content, unpacked. */
  readonly bytesMax?: number
  /** Is told what was found out. */
  readonly notes?: FileNotes
}

/**
 * Reads a file that somebody brings as a whole publication of a source: what it does not hold is gone. It is CSV, NDJSON or one
 * JSON document, plain or gzip; in JSON, FHIR resources (also in a Bundle) and slots as `/v1` serves them may be mixed.
 */
export function files(options: FilesOptions): Connector {
  const { file, bytesMax = FILE_BYTES_MAX, notes = new FileNotes() } = options
  return {
    async read(source, draft, signal) {
      signal.throwIfAborted()
      const reading = { ...options, file, bytesMax, notes, source, draft, signal }
      const beginning = await readBeginning(file, bytesMax)
      // Also where the format was named: what is no text at all is refused in any case.
      const found = fileFormatOf(beginning, file.name)
      const format = options.format ?? found
      notes.format = format
      if (format === 'csv') await readCsvFile(reading, beginning)
      else await new ResourceFile(reading, format).read()
      await draft.flush()
      return { unchanged: false, memory: { reader: 'files 1', file: file.name, format } }
    },
  }
}
