import { asObject, excerpt, type Json } from '../../lib/json.ts'
import { truncate } from '../../lib/text.ts'
import { FeedFailure, type SnapshotDraft } from '../connector.ts'
import { type Directory, isDirectoryType } from '../fhir/directory.ts'
import { idOf } from '../fhir/identity.ts'
import { parseResource } from '../fhir/parse-resource.ts'
import type { DirectoryType } from '../fhir/resources.ts'
import { LINE_BYTES_MAX, type LineBatch } from '../http/lines.ts'
import { InvalidData, rejectionReason, rejectionSample } from '../invalid-data.ts'
import { readOutcome } from './operation-outcome.ts'

/** A Slot entry that waits until what it leads to is known. */
export interface PendingEntry {
  readonly bytes: Buffer
  /** The number of the entry on its page, from 1. */
  readonly line: number
  readonly resource: Json
}

/** As much of a draft as entries need that are no slots. */
export type RejectionSink = Pick<SnapshotDraft, 'reject'>

/** All that a directory is read from, together: it is the one thing that is held in memory from page to page. */
const DIRECTORY_BYTES_MAX = 2 ** 28

/** Sorts the entries of pages: what slots lead to goes into the directory, Slots are handed on, and what is wrong is rejected. */
export class EntryReader {
  readonly #directory: Directory
  readonly #draft: RejectionSink
  readonly #takeSlot: (entry: PendingEntry) => void
  #directoryBytes = 0

  constructor(directory: Directory, draft: RejectionSink, takeSlot: (entry: PendingEntry) => void) {
    this.#directory = directory
    this.#draft = draft
    this.#takeSlot = takeSlot
  }

  /** Throws `FeedFailure` if the directory becomes too large. */
  take(entries: LineBatch, file: string): void {
    for (let at = 0; at < entries.lines.length; at++) {
      const bytes = entries.lines[at]
      const line = entries.first + at
      try {
        if (entries.overlong.has(at))
          throw new InvalidData(`the entry must be at most ${LINE_BYTES_MAX} bytes`)
        this.#read(bytes, line, file)
      } catch (error) {
        this.#draft.reject(entryRejection(error, file, { bytes, line }))
      }
    }
  }

  #read(bytes: Buffer, line: number, file: string): void {
    const entry = parseResource(bytes.toString(), this.#directory.strict)
    const resource = asObject(entry.resource)
    if (resource === undefined)
      throw new InvalidData(`resource must be an object: got "${excerpt(entry.resource)}"`)
    const { resourceType } = resource
    if (resourceType === 'Slot') this.#takeSlot({ bytes, line, resource })
    else if (isDirectoryType(resourceType))
      this.#checkCapabilities(resourceType, resource, bytes.length, file)
    else if (resourceType === 'OperationOutcome') refuseTrouble(resource)
    // What else was included is none of ours: a patient's, a device's.
    else if (asObject(entry.search)?.mode === 'match')
      throw new InvalidData(`resourceType must be Slot: got "${excerpt(resourceType)}"`)
  }

  /** What is known already stands: pages of one search include the same Locations again and again. */
  #checkCapabilities(type: DirectoryType, resource: Json, bytes: number, file: string): void {
    const id = idOf(resource, this.#directory.strict)
    if (this.#directory.find(type, { type, id }) !== undefined) return
    this.#directory.put(type, resource)
    this.#directoryBytes += bytes
    if (this.#directoryBytes <= DIRECTORY_BYTES_MAX) return
    throw new FeedFailure(
      `Cannot read ${truncate(file, 500)}: all that Slots lead to must be at most ${DIRECTORY_BYTES_MAX} bytes`,
    )
  }
}

/** The rejection of an entry. Throws again what is no error of the entry. */
export function entryRejection(
  error: unknown,
  file: string,
  { bytes, line }: Pick<PendingEntry, 'bytes' | 'line'>,
) {
  if (!(error instanceof InvalidData)) throw error
  const sample = rejectionSample(bytes.toString('utf8', 0, 2000))
  return { file, line, reason: rejectionReason(`Cannot read the entry: ${error.message}`), sample }
}

/** Notes that change nothing are left out. */
function refuseTrouble(resource: Json): void {
  const { severity, words } = readOutcome(resource)
  if (severity !== 'information') throw new InvalidData(`the server reports ${severity}: ${words}`)
}
