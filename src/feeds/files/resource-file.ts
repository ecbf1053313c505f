import { asObject, asText, type Json } from '../../lib/json.ts'
import { FeedFailure } from '../connector.ts'
import { Directory, isDirectoryType } from '../fhir/directory.ts'
import { parseResource } from '../fhir/parse-resource.ts'
import { readSlot } from '../fhir/read-slot.ts'
import { type ArrayLocation, JsonArraySplitter } from '../http/json-array-splitter.ts'
import { LINE_BYTES_MAX, type LineBatch, readLines } from '../http/lines.ts'
import { InvalidData } from '../invalid-data.ts'
import { type FileReadOptions, LINES_PER_FLUSH, rejectionOf } from './file-reading.ts'
import { watchLineEnd } from './line-end.ts'
import { Offerings } from './offerings.ts'
import { readSlotRecord } from './slot-record.ts'
import { readContent } from './uploaded-file.ts'

/** All that slots refer to, together: about 400,000 resources. It is the one thing that is held in memory. */
const DIRECTORY_BYTES_MAX = 2 ** 28

/** Written by most servers and tools; a line that does not begin so is parsed to know. */
const SLOT_BEGINNING = Buffer.from('{"resourceType":"Slot"')

/**
 * Reads FHIR resources and slots as `/v1` serves them, mixed in any order: a line each, or elements of one document.
 * What slots refer to may come after them, so the file is read twice: first for all but the slots, then for the slots.
 */
export class ResourceFile {
  readonly #reading: FileReadOptions
  readonly #format: 'ndjson' | 'json'
  readonly #directory: Directory
  readonly #offerings: Offerings
  #directoryBytes = 0
  #linesSinceFlush = 0

  constructor(reading: FileReadOptions, format: 'ndjson' | 'json') {
    const { slug, strict } = reading.source
    this.#reading = reading
    this.#format = format
    this.#directory = new Directory(slug, strict)
    this.#offerings = new Offerings(slug)
  }

  /** Throws `FeedFailure` if the file as a whole cannot be read. */
  async read(): Promise<void> {
    for await (const batch of this.#batches()) this.#each(batch, (line, at) => this.#enter(line, at))
    for await (const batch of this.#batches()) {
      this.#each(batch, (line, at) => this.#take(line, at, batch))
      this.#linesSinceFlush += batch.lines.length
      if (this.#linesSinceFlush < LINES_PER_FLUSH) continue
      this.#linesSinceFlush = 0
      await this.#reading.draft.flush()
    }
  }

  async *#batches(): AsyncGenerator<LineBatch> {
    const { file, bytesMax, signal } = this.#reading
    const content = readContent(file, bytesMax)
    for await (const batch of this.#format === 'json' ? this.#elements(content) : this.#lines(content)) {
      signal.throwIfAborted()
      yield batch
    }
  }

  /** A last line that neither ends nor is JSON is where a download broke off: all below it is missing. */
  async *#lines(content: AsyncIterable<Buffer>): AsyncGenerator<LineBatch> {
    const end = { isThere: true }
    let last = { line: '{}', number: 0 }
    for await (const batch of readLines(watchLineEnd(content, end))) {
      const at = batch.lines.length - 1
      if (at >= 0)
        last = { line: batch.overlong.has(at) ? '' : batch.lines[at].toString(), number: batch.first + at }
      yield batch
    }
    if (end.isThere || last.line.trim() === '' || isJson(last.line)) return
    throw new FeedFailure(
      `Cannot read ${this.#reading.file.name}: it is truncated: its last line, ${last.number}, has no line end and is no JSON`,
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
      const page = pageNote(besideOf(splitter), count)
      if (page !== undefined) notes.add(page)
    } catch (fault) {
      if (!(fault instanceof InvalidData)) throw fault
      throw new FeedFailure(`Cannot read ${file.name}: ${fault.message}`)
    }
  }

  #each(batch: LineBatch, act: (line: Buffer, at: number) => void): void {
    const { file, draft } = this.#reading
    for (let at = 0; at < batch.lines.length; at++) {
      const line = batch.lines[at]
      if (isBlank(line) && !batch.overlong.has(at)) continue
      try {
        act(line, at)
      } catch (fault) {
        const what = this.#format === 'json' ? 'entry' : 'line'
        const sample = line.toString('utf8', 0, 2000)
        draft.reject(rejectionOf(fault, { what, file: file.name, line: batch.first + at, sample }))
      }
    }
  }

  /** The first time: what slots refer to. What is wrong with other lines is said the second time. */
  #enter(line: Buffer, _at: number): void {
    if (line.subarray(0, SLOT_BEGINNING.length).equals(SLOT_BEGINNING) || line.length > LINE_BYTES_MAX) return
    const entry = parsedOrNothing(line)
    if (entry === undefined || !isDirectoryType(entry.resource.resourceType)) return
    const { resource, also } = entry
    const type = resource.resourceType as Parameters<Directory['put']>[0]
    this.#directoryBytes += line.length
    if (this.#directoryBytes > DIRECTORY_BYTES_MAX)
      throw new FeedFailure(
        `Cannot read ${this.#reading.file.name}: all resources but Slots must be at most ${DIRECTORY_BYTES_MAX} bytes`,
      )
    this.#directory.put(type, resource)
    if (also !== undefined && also !== resource.id) this.#directory.put(type, withId(resource, also))
    this.#reading.notes.resources++
  }

  /** The second time: slots. */
  #take(line: Buffer, at: number, batch: LineBatch): void {
    if (batch.overlong.has(at)) throw new InvalidData(`it must be at most ${LINE_BYTES_MAX} bytes long`)
    const { source, draft, file, notes } = this.#reading
    const { resource } = entryOf(parseResource(line.toString(), source.strict))
    const { resourceType: type } = resource
    if (isDirectoryType(type)) return
    if (typeof type === 'string' && type !== 'Slot') {
      notes.passOver(type)
      return
    }
    const slot =
      type === 'Slot'
        ? readSlot(resource, this.#directory)
        : readSlotRecord(resource, { ...this.#reading, offerings: this.#offerings })
    // Nothing is ever kept by its line: a file is read whole each time that it is brought.
    if (slot === undefined) draft.withhold()
    else draft.put(slot, { file: file.name, line: batch.first + at, part: 0, fingerprint: 0 })
  }
}

const SLOTS_OR_ENTRIES: ArrayLocation = {
  names: ['slots', 'entry'],
  atRoot: true,
  document: 'one JSON document',
}

/** Throws `InvalidData` if what was cut is no whole document, or another one. */
function besideOf(splitter: JsonArraySplitter): Json {
  const beside = splitter.end()
  if (splitter.isFound || beside.resourceType === 'Bundle') return beside
  throw new InvalidData('it must be a Bundle, an array, or {"slots": […]}: got "another document"')
}

/** What a document that is one page of several says of that. A search counts matches alone in `total`, and need not count at all. */
function pageNote({ resourceType, total, link }: Json, count: number): string | undefined {
  if (typeof total === 'number' && total > count) {
    const what = resourceType === undefined ? 'slots' : 'results'
    return `The file says that there are ${total} ${what} and holds ${count}: it is one page of them.`
  }
  const links = Array.isArray(link) ? link : []
  if (!links.some((one) => asObject(one)?.relation === 'next')) return undefined
  return 'The Bundle names a next page: it is one page of a search, and not all.'
}

/** Also with the faults that are forgiven, such as raw tabs. */
function isJson(line: string): boolean {
  if (parsedOrNothing(Buffer.from(line)) !== undefined) return true
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

const SPACE = 32

function isBlank(line: Buffer): boolean {
  return line.length === 0 || (line[0] <= SPACE && line.toString().trim() === '')
}

/** A resource, and the other name that a Bundle may give it: references lead to either. */
interface Entry {
  readonly resource: Json
  readonly also?: string
}

function parsedOrNothing(line: Buffer): Entry | undefined {
  try {
    return entryOf(parseResource(line.toString(), false))
  } catch (fault) {
    if (fault instanceof InvalidData) return undefined
    throw fault
  }
}

/** An entry of a Bundle is the resource in it: one that is not yet stored anywhere is known by its `fullUrl` alone. */
function entryOf(json: Json): Entry {
  if (json.resourceType !== undefined || (json.resource === undefined && json.fullUrl === undefined))
    return { resource: json }
  const resource = asObject(json.resource)
  if (resource === undefined) throw new InvalidData('an entry must have a resource')
  const [, also] = /^urn:uuid:(.{1,256})$/i.exec(asText(json.fullUrl) ?? '') ?? []
  if (also === undefined) return { resource }
  return resource.id === undefined ? { resource: withId(resource, also) } : { resource, also }
}

/** Not spread: a key `__proto__` stays a key. */
function withId(resource: Json, id: string): Json {
  return Object.assign(Object.create(null), resource, { id })
}
