// Hot path: the loop over every line of a feed.

import { got } from '../../lib/json.ts'
import type { LineDraft, Rejected } from '../connector.ts'
import type { DirectorySize } from '../directory-size.ts'
import { type Directory, isDirectoryResourceType } from '../fhir/directory.ts'
import { parseResource } from '../fhir/parse-resource.ts'
import { readSlot } from '../fhir/read-slot.ts'
import type { ScannedLines } from '../http/line-scanner.ts'
import { fingerprint, isBlankLine, LINE_BYTES_MAX, type LineBatch } from '../http/lines.ts'
import { InvalidData, rejectionOf } from '../rejections.ts'
import { otherContent, otherContentOf, SAMPLE_BYTES } from './file-content.ts'
import type { ListedFile } from './manifest.ts'

/** Reads the lines of one file, and counts and rejects invalid ones. */
abstract class LineReader<File extends ListedFile> {
  protected readonly file: File
  protected readonly directory: Directory
  protected readonly draft: LineDraft
  rejected = 0

  constructor(file: File, directory: Directory, draft: LineDraft) {
    this.file = file
    this.directory = directory
    this.draft = draft
  }

  take(batch: LineBatch): void {
    for (let at = 0; at < batch.lines.length; at++)
      this.takeLine(batch.lines[at], batch.first + at, batch.overlong.has(at))
  }

  protected takeLine(bytes: Buffer, line: number, isOverlong: boolean): void {
    try {
      if (isOverlong) throw new InvalidData(`the line must be at most ${LINE_BYTES_MAX} bytes`)
      if (!isBlankLine(bytes)) this.read(bytes, line)
    } catch (error) {
      this.rejected++
      this.draft.reject(rejectionOfLine(error, this.file.url, line, bytes))
    }
  }

  /** Throws `InvalidData`. */
  protected abstract read(bytes: Buffer, line: number): void
}

/** Reads the lines of one file into the directory. */
export class DirectoryLineReader extends LineReader<ListedFile> {
  readonly #size: DirectorySize

  /** `size`: of all directory files of the feed. `take()` throws `FeedFailure` if it becomes too large. */
  constructor(file: ListedFile, directory: Directory, draft: LineDraft, size: DirectorySize) {
    super(file, directory, draft)
    this.#size = size
  }

  protected override read(bytes: Buffer): void {
    this.#size.add(bytes.length, this.file.url)
    const { types } = this.file
    const { strict } = this.directory
    const resource = parseResource(bytes.toString(), strict)
    const type = resource.resourceType ?? (types.length === 1 && !strict ? types[0] : undefined)
    if (isDirectoryResourceType(type)) this.directory.put(type, resource)
    else if (type !== 'Slot' || !types.includes('Slot'))
      throw new InvalidData(`resourceType must be ${types.join(' or ')}: ${got(type)}`)
  }
}

/** Reads the lines of one Slot file into the draft. */
export class SlotLineReader extends LineReader<ListedFile & { readonly part: number }> {
  readonly #mayKeep: boolean
  #fingerprint: number | undefined
  /** Lines that were read as slots, kept ones among them. */
  slots = 0
  withheld = 0

  /** `mayKeep`: the directory is unchanged, so a known line has the same meaning as before. */
  constructor(file: ListedFile & { readonly part: number }, directory: Directory, draft: LineDraft, mayKeep: boolean) {
    super(file, directory, draft)
    this.#mayKeep = mayKeep
  }

  takeScanned(lines: ScannedLines): void {
    for (let at = 0; at < lines.count; at++) {
      const isOverlong = lines.isOverlong(at)
      this.#fingerprint = lines.fingerprint(at)
      const isKept = this.#mayKeep && !isOverlong && this.draft.keep(this.#fingerprint)
      if (isKept) this.slots++
      else this.takeLine(lines.line(at), lines.first + at, isOverlong)
    }
  }

  protected override read(bytes: Buffer, line: number): void {
    const { url: file, part, types } = this.file
    const resource = parseResource(bytes.toString(), this.directory.strict)
    const type = resource.resourceType
    if (type !== 'Slot' && (type !== undefined || this.directory.strict)) {
      // A file that is listed under several types was already read for the others.
      if (types.length > 1 && isDirectoryResourceType(type)) return
      throw new InvalidData(`resourceType must be Slot: ${got(type)}`)
    }
    const slot = readSlot(resource, this.directory)
    if (slot === undefined) {
      this.withheld++
      this.draft.withhold()
      return
    }
    this.slots++
    this.draft.put(slot, { file, line, part, fingerprint: this.#fingerprint ?? fingerprint(bytes, part) })
  }
}

/**
 * The rejection of a line that could not be read. Throws `FeedFailure` if the whole file is something else than lines: an error page with
 * status 200 does not mean that the resources of the file are gone.
 */
export function rejectionOfLine(error: unknown, file: string, line: number, bytes: Buffer): Rejected {
  const sample = bytes.toString('utf8', 0, SAMPLE_BYTES)
  const must = otherContentOf(line, bytes, sample)
  if (must !== undefined) throw otherContent(file, must, error)
  return rejectionOf(error, { what: 'line', file, line, sample })
}
