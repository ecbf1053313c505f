import { asObject, excerpt, type Json } from '../../lib/json.ts'
import type { SnapshotDraft } from '../connector.ts'
import { DirectorySize } from '../directory-size.ts'
import { idOf } from '../fhir/data-types.ts'
import { type Directory, isDirectoryResourceType } from '../fhir/directory.ts'
import { parseResource } from '../fhir/parse-resource.ts'
import type { DirectoryResourceType } from '../fhir/resources.ts'
import { LINE_BYTES_MAX, type LineBatch } from '../http/lines.ts'
import { InvalidData, rejectionOf } from '../rejections.ts'
import { readOutcome } from './server-client.ts'

/** A Slot entry that waits until its references are resolved. */
export interface PendingEntry {
  readonly bytes: Buffer
  /** The number of the entry on its page, from 1. */
  readonly line: number
  readonly resource: Json
}

export type RejectionSink = Pick<SnapshotDraft, 'reject'>

/** Dispatches the entries of pages: Slots go to a callback, other resources into the directory, invalid entries are rejected. */
export class EntryReader {
  readonly #directory: Directory
  readonly #draft: RejectionSink
  readonly #takeSlot: (entry: PendingEntry) => void
  readonly #size = new DirectorySize()

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
        if (entries.overlong.has(at)) throw new InvalidData(`the entry must be at most ${LINE_BYTES_MAX} bytes`)
        this.#read(bytes, line, file)
      } catch (error) {
        this.#draft.reject(entryRejection(error, file, { bytes, line }))
      }
    }
  }

  #read(bytes: Buffer, line: number, file: string): void {
    const entry = parseResource(bytes.toString(), this.#directory.strict)
    const resource = asObject(entry.resource)
    if (resource === undefined) throw new InvalidData(`resource must be an object: got "${excerpt(entry.resource)}"`)
    const { resourceType } = resource
    if (resourceType === 'Slot') this.#takeSlot({ bytes, line, resource })
    else if (isDirectoryResourceType(resourceType)) this.#addResource(resourceType, resource, bytes.length, file)
    else if (resourceType === 'OperationOutcome') rejectOutcome(resource)
    // Other included resources, such as a Device, are ignored.
    else if (asObject(entry.search)?.mode === 'match')
      throw new InvalidData(`resourceType must be Slot: got "${excerpt(resourceType)}"`)
  }

  /** The first one is kept: pages of one search include the same Locations repeatedly. */
  #addResource(type: DirectoryResourceType, resource: Json, bytes: number, file: string): void {
    const id = idOf(resource, this.#directory.strict)
    if (this.#directory.find(type, { type, id }) !== undefined) return
    this.#directory.put(type, resource)
    this.#size.add(bytes, file)
  }
}

export function entryRejection(error: unknown, file: string, { bytes, line }: Pick<PendingEntry, 'bytes' | 'line'>) {
  return rejectionOf(error, { what: 'entry', file, line, sample: bytes.toString('utf8', 0, 2000) })
}

/** Ignores informational outcomes. */
function rejectOutcome(resource: Json): void {
  const { severity, text } = readOutcome(resource)
  if (severity !== 'information') throw new InvalidData(`the server reports ${severity}: ${text}`)
}
