import type { SnapshotDraft, Source } from '../connector.ts'
import type { CsvDialect } from './csv-text.ts'
import type { FileFormat } from './file-format.ts'
import type { TimeRules } from './local-time.ts'
import type { UploadedFile } from './uploaded-file.ts'

/** Inputs and outputs of reading one file. */
export interface FileReadOptions extends TimeRules {
  readonly file: UploadedFile
  /** Maximum size of the uncompressed content. */
  readonly bytesMax: number
  readonly source: Source
  readonly draft: SnapshotDraft
  readonly signal: AbortSignal
  readonly notes: FileNotes
}

/** Lines between flushes of the draft. */
export const LINES_PER_FLUSH = 2000

const NOTES_MAX = 20

/** Notes about an imported file for the person who imports it. */
export class FileNotes {
  format: FileFormat | undefined
  /** Of a table. */
  dialect: CsvDialect | undefined
  /** Resources that slots refer to. */
  resources = 0
  readonly #sentences = new Set<string>()
  readonly #passedOver = new Map<string, number>()

  /** Assumptions and warnings about the file as a whole, one sentence each. */
  get sentences(): readonly string[] {
    const types = [...this.#passedOver].map(([type, count]) => `${count} ${type}`)
    const passedOver = types.length > 0 ? [`Ignored resources that slots do not need: ${types.join(', ')}.`] : []
    return [...this.#sentences, ...passedOver]
  }

  add(sentence: string | undefined): void {
    if (sentence !== undefined && this.#sentences.size < NOTES_MAX) this.#sentences.add(sentence)
  }

  /** Counts a resource of a type that slots do not need. */
  passOver(type: string): void {
    const name = /^[A-Z][A-Za-z]{1,60}$/.test(type) && this.#canCount(type) ? type : 'others'
    this.#passedOver.set(name, (this.#passedOver.get(name) ?? 0) + 1)
  }

  #canCount(type: string): boolean {
    return this.#passedOver.has(type) || this.#passedOver.size < NOTES_MAX
  }
}
