// Hot path: the loop over every line of a feed.

import { excerpt } from '../../lib/json.ts'
import { FeedFailure, type Rejected, type SnapshotDraft } from '../connector.ts'
import { type Directory, isDirectoryResourceType } from '../fhir/directory.ts'
import { parseResource } from '../fhir/parse-resource.ts'
import { readSlot } from '../fhir/read-slot.ts'
import { fingerprint, LINE_BYTES_MAX, type LineBatch } from '../http/lines.ts'
import { InvalidData, rejectionOf } from '../rejections.ts'
import type { ListedFile } from './manifest.ts'

/** Limit for resources kept in memory: about 400,000 of them. */
const DIRECTORY_BYTES_MAX = 2 ** 28

/** Reads the lines of one file into the directory and counts rejected lines. */
export class DirectoryLineReader {
  readonly #file: ListedFile
  readonly #directory: Directory
  readonly #draft: SnapshotDraft
  rejected = 0
  bytes: number

  /** `bytes`: size of the directory files read before this one. */
  constructor(file: ListedFile, directory: Directory, draft: SnapshotDraft, bytes: number) {
    this.#file = file
    this.#directory = directory
    this.#draft = draft
    this.bytes = bytes
  }

  /** Throws `FeedFailure` if the directory becomes too large. */
  take(batch: LineBatch): void {
    for (let at = 0; at < batch.lines.length; at++) {
      const line = batch.lines[at]
      if (isBlank(line) && !batch.overlong.has(at)) continue
      this.bytes += line.length
      try {
        this.#read(line, batch.overlong.has(at))
      } catch (error) {
        this.rejected++
        this.#draft.reject(rejection(error, this.#file.url, batch.first + at, line))
      }
    }
    if (this.bytes <= DIRECTORY_BYTES_MAX) return
    throw new FeedFailure(
      `Cannot read ${this.#file.url}: files other than Slot files must be at most ${DIRECTORY_BYTES_MAX} bytes in total`,
    )
  }

  #read(line: Buffer, overlong: boolean): void {
    if (overlong) throw tooLong()
    const { types } = this.#file
    const resource = parseResource(line.toString(), this.#directory.strict)
    const type = resource.resourceType ?? (types.length === 1 ? types[0] : undefined)
    if (isDirectoryResourceType(type)) this.#directory.put(type, resource)
    else if (type !== 'Slot' || !types.includes('Slot'))
      throw new InvalidData(`resourceType must be ${types.join(' or ')}: got "${excerpt(type)}"`)
  }
}

/** Reads the lines of one Slot file into the draft and counts rejected lines. */
export class SlotLineReader {
  readonly #file: ListedFile & { readonly part: number }
  readonly #directory: Directory
  readonly #draft: SnapshotDraft
  readonly #mayKeep: boolean
  rejected = 0

  /** `mayKeep`: the directory is unchanged, so a known line has the same meaning as before. */
  constructor(
    file: ListedFile & { readonly part: number },
    directory: Directory,
    draft: SnapshotDraft,
    mayKeep: boolean,
  ) {
    this.#file = file
    this.#directory = directory
    this.#draft = draft
    this.#mayKeep = mayKeep
  }

  take(batch: LineBatch): void {
    const { part } = this.#file
    for (let at = 0; at < batch.lines.length; at++) {
      const line = batch.lines[at]
      if (isBlank(line) && !batch.overlong.has(at)) continue
      const lineFingerprint = fingerprint(line, part)
      if (this.#mayKeep && this.#draft.keep(lineFingerprint)) continue
      try {
        this.#read(line, batch.first + at, lineFingerprint, batch.overlong.has(at))
      } catch (error) {
        this.rejected++
        this.#draft.reject(rejection(error, this.#file.url, batch.first + at, line))
      }
    }
  }

  #read(bytes: Buffer, line: number, lineFingerprint: number, overlong: boolean): void {
    if (overlong) throw tooLong()
    const { url: file, part, types } = this.#file
    const resource = parseResource(bytes.toString(), this.#directory.strict)
    const type = resource.resourceType
    if (type !== 'Slot' && (type !== undefined || this.#directory.strict)) {
      // A file that is listed under several types was already read for the others.
      if (types.length > 1 && isDirectoryResourceType(type)) return
      throw new InvalidData(`resourceType must be Slot: got "${excerpt(type)}"`)
    }
    const slot = readSlot(resource, this.#directory)
    if (slot === undefined) this.#draft.withhold()
    else this.#draft.put(slot, { file, line, part, fingerprint: lineFingerprint })
  }
}

const SPACE = 32

function isBlank(line: Buffer): boolean {
  return line.length === 0 || (line[0] <= SPACE && line.toString().trim() === '')
}

function tooLong(): InvalidData {
  return new InvalidData(`the line must be at most ${LINE_BYTES_MAX} bytes`)
}

function rejection(error: unknown, file: string, line: number, bytes: Buffer): Rejected {
  return rejectionOf(error, { what: 'line', file, line, sample: bytes.toString('utf8', 0, 2000) })
}
