import { asObject, got, type Json } from '../../lib/json.ts'
import type { SnapshotDraft } from '../connector.ts'
import { DirectorySize } from '../directory-size.ts'
import { idOf } from '../fhir/data-types.ts'
import { type Directory, isDirectoryResourceType } from '../fhir/directory.ts'
import { readIssues, requireNoError } from '../fhir/operation-outcome.ts'
import { parseResource } from '../fhir/parse-resource.ts'
import type { DirectoryResourceType } from '../fhir/resources.ts'
import { LINE_BYTES_MAX, type LineBatch } from '../http/lines.ts'
import { InvalidData, rejectionOf } from '../rejections.ts'
import type { SourceMessages } from '../source-messages.ts'

/** A Slot entry that waits until its references are resolved. */
export interface PendingEntry {
  readonly bytes: Buffer
  /** The number of the entry on its page, from 1. */
  readonly line: number
  readonly resource: Json
}

export type RejectionSink = Pick<SnapshotDraft, 'reject'>

export interface EntryReaderOptions {
  readonly directory: Directory
  readonly draft: RejectionSink
  /** Receives the warnings of the server. */
  readonly messages: SourceMessages
  /** Absent in a search for other resources: Slots are then ignored. */
  readonly takeSlot?: (entry: PendingEntry) => void
  /** Called for each other resource. */
  readonly noteResource?: (type: DirectoryResourceType, id: string) => void
}

/** Dispatches the entries of pages: Slots go to a callback, other resources into the directory, invalid entries are rejected. */
export class EntryReader {
  readonly #options: EntryReaderOptions
  readonly #directory: Directory
  readonly #size = new DirectorySize()
  #matches = 0

  constructor(options: EntryReaderOptions) {
    this.#options = options
    this.#directory = options.directory
  }

  /**
   * Returns the number of matches; an entry that cannot be read counts as one. Throws `FeedFailure` if the directory becomes too
   * large, or if the server reports an error.
   */
  take(entries: LineBatch, file: string): number {
    this.#matches = entries.lines.length
    for (let at = 0; at < entries.lines.length; at++) {
      const bytes = entries.lines[at]
      const line = entries.first + at
      try {
        if (entries.overlong.has(at)) throw new InvalidData(`the entry must be at most ${LINE_BYTES_MAX} bytes`)
        this.#read(bytes, line, file)
      } catch (error) {
        this.#options.draft.reject(entryRejection(error, file, { bytes, line }))
      }
    }
    return this.#matches
  }

  #read(bytes: Buffer, line: number, file: string): void {
    const entry = parseResource(bytes.toString(), this.#directory.strict)
    if (!this.#isMatch(entry)) this.#matches--
    const resource = asObject(entry.resource)
    if (resource === undefined) throw new InvalidData(`resource must be an object: ${got(entry.resource)}`)
    const { resourceType } = resource
    if (resourceType === 'Slot') this.#options.takeSlot?.({ bytes, line, resource })
    else if (isDirectoryResourceType(resourceType)) this.#addResource(resourceType, resource, bytes.length, file)
    else if (resourceType === 'OperationOutcome') this.#noteOutcome(resource, file)
    // Other included resources, such as a Device, are ignored.
    else if (asObject(entry.search)?.mode === 'match')
      throw new InvalidData(`resourceType must be Slot: ${got(resourceType)}`)
  }

  /** Without a search mode, by the type of the resource. */
  #isMatch({ search, resource }: Json): boolean {
    const mode = asObject(search)?.mode
    if (mode !== undefined) return mode === 'match'
    const type = asObject(resource)?.resourceType
    return type !== 'OperationOutcome' && (type === 'Slot') === (this.#options.takeSlot !== undefined)
  }

  #noteOutcome(resource: Json, file: string): void {
    requireNoError(resource, file)
    for (const issue of readIssues(resource)) if (issue.severity === 'warning') this.#options.messages.add(issue)
  }

  /** The first one is kept: pages of one search include the same Locations repeatedly. */
  #addResource(type: DirectoryResourceType, resource: Json, bytes: number, file: string): void {
    const id = idOf(resource, this.#directory.strict)
    this.#options.noteResource?.(type, id)
    if (this.#directory.find(type, { type, id }) !== undefined) return
    this.#directory.put(type, resource)
    this.#size.add(bytes, file)
  }
}

export function entryRejection(error: unknown, file: string, { bytes, line }: Pick<PendingEntry, 'bytes' | 'line'>) {
  return rejectionOf(error, { what: 'entry', file, line, sample: bytes.toString('utf8', 0, 2000) })
}
