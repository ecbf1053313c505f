// Hot path: the loop over every line of a feed.

import { got } from '../../lib/json.ts'
import { hasSignature, type SignedFormat } from '../../lib/signature.ts'
import { FeedFailure, type LineDraft, type Rejected } from '../connector.ts'
import type { DirectorySize } from '../directory-size.ts'
import { type Directory, isDirectoryResourceType } from '../fhir/directory.ts'
import { parseResource } from '../fhir/parse-resource.ts'
import { readSlot } from '../fhir/read-slot.ts'
import type { ScannedLines } from '../http/line-scanner.ts'
import { fingerprint, isBlankLine, LINE_BYTES_MAX, type LineBatch } from '../http/lines.ts'
import { InvalidData, rejectionOf } from '../rejections.ts'
import { isWebPage, type ListedFile } from './manifest.ts'

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
    const resource = parseResource(bytes.toString(), this.directory.strict)
    const type = resource.resourceType ?? (types.length === 1 ? types[0] : undefined)
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
  const must = otherContent(line, bytes, sample)
  if (must !== undefined) throw new FeedFailure(`Cannot read ${file}: it must ${must}`, { cause: error })
  return rejectionOf(error, { what: 'line', file, line, sample })
}

/** The requirement that the whole file violates: a web page is recognized by any line, other content by the first. */
function otherContent(line: number, bytes: Buffer, sample: string): string | undefined {
  if (isWebPage(sample)) return 'be NDJSON: got a web page'
  if (line !== 1) return undefined
  const other = OTHER_CONTENT.find(({ format }) => hasSignature(bytes, format))
  if (other !== undefined) return other.must
  const isMessage = MESSAGE.test(sample) && !RESOURCE.test(sample)
  return isMessage || DOCUMENT.test(sample) ? `be NDJSON of FHIR resources: ${got(sample)}` : undefined
}

const SAMPLE_BYTES = 2000

/** Members that error messages in JSON have, and resources do not. */
const MESSAGE = /^\s*\{.*"(?:errors?|message|title|fault)"\s*:/i

/** Each resource has one of them, also if its JSON is broken. */
const RESOURCE = /"(?:resourceType|id)"\s*:/

/** XML, a JSON array, and resources that a server sends in place of others. */
const DOCUMENT = /^\s*(?:<|\[|\{\s*"resourceType"\s*:\s*"(?:Bundle|OperationOutcome)")/

const OTHER_CONTENT: readonly { readonly format: SignedFormat; readonly must: string }[] = [
  { format: 'gzip', must: 'be NDJSON, compressed only with the header Content-Encoding: got gzip data' },
  { format: 'zip', must: 'be NDJSON: got a ZIP archive' },
  { format: 'utf-16', must: 'be NDJSON in UTF-8: got UTF-16 text' },
]
