import { asObject, asText, type Json } from '../../lib/json.ts'
import type { ScheduleHorizons } from '../../slot/planning-horizon.ts'
import type { Slot } from '../../slot/slot.ts'
import { FeedFailure } from '../connector.ts'
import { DirectorySize } from '../directory-size.ts'
import { Directory, isDirectoryResourceType } from '../fhir/directory.ts'
import { requireNoError } from '../fhir/operation-outcome.ts'
import { parseResource } from '../fhir/parse-resource.ts'
import { readSlot } from '../fhir/read-slot.ts'
import { type ArrayLocation, JsonArraySplitter } from '../http/json-array-splitter.ts'
import { isBlankLine, LINE_BYTES_MAX, type LineBatch, readLines } from '../http/lines.ts'
import { InvalidData, rejectionOf } from '../rejections.ts'
import { type FileReadOptions, LINES_PER_FLUSH } from './file-reading.ts'
import { Offerings } from './record-fields.ts'
import { readSlotRecord } from './slot-record.ts'
import { UnknownMembers } from './unknown-members.ts'
import { readContent, watchLineEnd } from './uploaded-file.ts'

/** How most servers and tools write a Slot; other lines are parsed to find their type. */
const SLOT_BEGINNING = Buffer.from('{"resourceType":"Slot"')

/**
 * Reads FHIR resources and slots as `/v1` serves them, mixed in any order: one per line, or elements of one document.
 * Two passes, because slots may precede the resources that they refer to: first the other resources, then the slots.
 */
export class ResourceFile {
  readonly #reading: FileReadOptions
  readonly #format: 'ndjson' | 'json'
  readonly #directory: Directory
  readonly #offerings: Offerings
  readonly #size = new DirectorySize()
  readonly #unknown = new UnknownMembers()
  #linesSinceFlush = 0

  constructor(reading: FileReadOptions, format: 'ndjson' | 'json') {
    const { slug, strict } = reading.source
    this.#reading = reading
    this.#format = format
    this.#directory = new Directory(slug, strict)
    this.#offerings = new Offerings(slug)
  }

  /** Returns the planning horizons of its Schedules. Throws `FeedFailure` if the file as a whole cannot be read. */
  async read(): Promise<ScheduleHorizons> {
    for await (const batch of this.#batches()) this.#each(batch, (line, at) => this.#enter(line, at))
    for await (const batch of this.#batches()) {
      this.#each(batch, (line, at) => this.#take(line, at, batch))
      this.#linesSinceFlush += batch.lines.length
      if (this.#linesSinceFlush < LINES_PER_FLUSH) continue
      this.#linesSinceFlush = 0
      await this.#reading.draft.flush()
    }
    this.#reading.notes.add(this.#unknown.note)
    return this.#directory.horizons
  }

  async *#batches(): AsyncGenerator<LineBatch> {
    const { file, bytesMax, signal } = this.#reading
    const content = readContent(file, bytesMax)
    for await (const batch of this.#format === 'json' ? this.#elements(content) : this.#lines(content)) {
      signal.throwIfAborted()
      yield batch
    }
  }

  /** A last line that has no line end and is not JSON means a truncated download. */
  async *#lines(content: AsyncIterable<Buffer>): AsyncGenerator<LineBatch> {
    const end = { isThere: true }
    let last = { line: '{}', number: 0 }
    for await (const batch of readLines(watchLineEnd(content, end))) {
      const at = batch.lines.length - 1
      if (at >= 0) last = { line: batch.overlong.has(at) ? '' : batch.lines[at].toString(), number: batch.first + at }
      yield batch
    }
    if (end.isThere || last.line.trim() === '' || isJson(last.line)) return
    throw new FeedFailure(
      `Cannot read ${this.#reading.file.name}: it is truncated: its last line, ${last.number}, has no line end and is not JSON`,
    )
  }

  async *#elements(content: AsyncIterable<Buffer>): AsyncGenerator<LineBatch> {
    const { file, notes } = this.#reading
    const splitter = new JsonArraySplitter(SLOTS_OR_ENTRIES)
    let count = 0
    try {
      for await (const piece of content) {
        const batch = splitter.split(piece)
        count += batch.lines.length
        yield batch
      }
      notes.add(pageNote(besideOf(splitter), count))
    } catch (error) {
      if (!(error instanceof InvalidData)) throw error
      throw new FeedFailure(`Cannot read ${file.name}: ${error.message}`)
    }
  }

  #each(batch: LineBatch, act: (line: Buffer, at: number) => void): void {
    const { file, draft } = this.#reading
    for (let at = 0; at < batch.lines.length; at++) {
      const line = batch.lines[at]
      if (isBlankLine(line) && !batch.overlong.has(at)) continue
      try {
        act(line, at)
      } catch (error) {
        const what = this.#format === 'json' ? 'entry' : 'line'
        const sample = line.toString('utf8', 0, 2000)
        draft.reject(rejectionOf(error, { what, file: file.name, line: batch.first + at, sample }))
      }
    }
  }

  /** First pass: adds resources to the directory. Other lines are checked in the second pass. */
  #enter(line: Buffer, _at: number): void {
    if (line.subarray(0, SLOT_BEGINNING.length).equals(SLOT_BEGINNING) || line.length > LINE_BYTES_MAX) return
    const entry = parsedOrNothing(line)
    if (entry === undefined || !isDirectoryResourceType(entry.resource.resourceType)) return
    const { resource, also } = entry
    const type = resource.resourceType as Parameters<Directory['put']>[0]
    this.#size.add(line.length, this.#reading.file.name)
    this.#directory.put(type, resource)
    if (also !== undefined && also !== resource.id) this.#directory.put(type, withId(resource, also))
    this.#reading.notes.resources++
  }

  /** Second pass: reads slots. */
  #take(line: Buffer, at: number, batch: LineBatch): void {
    if (batch.overlong.has(at)) throw new InvalidData(`it must be at most ${LINE_BYTES_MAX} bytes long`)
    const { source, draft, file, notes } = this.#reading
    const { resource } = entryOf(parseResource(line.toString(), source.strict))
    const { resourceType: type } = resource
    if (isDirectoryResourceType(type)) return
    if (typeof type === 'string' && type !== 'Slot') {
      refuseIncomplete(resource, file.name)
      notes.passOver(type)
      return
    }
    const slot = type === 'Slot' ? readSlot(resource, this.#directory) : this.#readRecord(resource)
    // No fingerprints: an uploaded file is always read completely.
    if (slot === undefined) draft.withhold()
    else draft.put(slot, { file: file.name, line: batch.first + at, part: 0, fingerprint: 0 })
  }

  #readRecord(record: Json): Slot | undefined {
    this.#unknown.look(record)
    return readSlotRecord(record, { ...this.#reading, offerings: this.#offerings })
  }
}

/** Throws `FeedFailure` for a resource in place of slots: those would be deleted. */
function refuseIncomplete(resource: Json, file: string): void {
  if (resource.resourceType === 'Bundle')
    throw new FeedFailure(`Cannot read ${file}: a Bundle must not contain another: import the inner ones as one Bundle`)
  if (resource.resourceType === 'OperationOutcome') requireNoError(resource, file)
}

const SLOTS_OR_ENTRIES: ArrayLocation = {
  names: ['slots', 'entry'],
  atRoot: true,
  document: 'one JSON document',
}

/** Members of the document outside the array. Throws `InvalidData` if it is truncated or of another kind. */
function besideOf(splitter: JsonArraySplitter): Json {
  const beside = splitter.end()
  if (splitter.isFound || beside.resourceType === 'Bundle') return beside
  throw new InvalidData('it must be a Bundle, an array, or {"slots": […]}, but is another JSON document')
}

/** A note if the document is one of several pages. In a search Bundle `total` is optional and counts matches only. */
function pageNote({ resourceType, total, link }: Json, count: number): string | undefined {
  if (typeof total === 'number' && total > count) {
    const what = resourceType === undefined ? 'slots' : 'results'
    return `The file contains ${count} of ${total} ${what}: it is a single page of a longer list.`
  }
  const links = Array.isArray(link) ? link : []
  if (!links.some((one) => asObject(one)?.relation === 'next')) return undefined
  return 'The Bundle links to a next page: it is only one page of a search.'
}

/** Also for JSON that is parsed leniently, such as with raw tabs. */
function isJson(line: string): boolean {
  if (parsedOrNothing(Buffer.from(line)) !== undefined) return true
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

/** A resource, and the id from its `fullUrl`: references may use either. */
interface Entry {
  readonly resource: Json
  readonly also?: string
}

function parsedOrNothing(line: Buffer): Entry | undefined {
  try {
    return entryOf(parseResource(line.toString(), false))
  } catch (error) {
    if (error instanceof InvalidData) return undefined
    throw error
  }
}

/** The resource of a Bundle entry. A resource without an id is identified by its `fullUrl`. */
function entryOf(json: Json): Entry {
  if (json.resourceType !== undefined || (json.resource === undefined && json.fullUrl === undefined))
    return { resource: json }
  const resource = asObject(json.resource)
  if (resource === undefined) throw new InvalidData('an entry must have a resource')
  const [, also] = /^urn:(?:uuid|oid):(.{1,256})$/i.exec(asText(json.fullUrl) ?? '') ?? []
  if (also === undefined) return { resource }
  return resource.id === undefined ? { resource: withId(resource, also) } : { resource, also }
}

/** Without a prototype, so that a key `__proto__` is only a key. */
function withId(resource: Json, id: string): Json {
  return Object.assign(Object.create(null), resource, { id })
}
