import { defined } from '../../lib/optional.ts'
import { INDEXED_PART } from '../../slot/ids.ts'
import type { ScheduleHorizons } from '../../slot/planning-horizon.ts'
import { type Publication, ReadAgain, type Rejected, type SnapshotDraft, type Source } from '../connector.ts'
import { isBlankLine, LINE_BYTES_MAX, readLines } from '../http/lines.ts'
import type { FileResponse, PublisherClient } from '../http/publisher-client.ts'
import { httpStatusOf } from '../http/request.ts'
import { isImmutable } from '../http/response.ts'
import { ThrottledClient } from '../http/throttled-client.ts'
import { InvalidData } from '../rejections.ts'
import { SourceMessages } from '../source-messages.ts'
import { type BulkState, bulkStateOf } from './bulk-state.ts'
import { applyUpdate } from './bulk-update.ts'
import { readDeletions } from './deletions.ts'
import { FeedView, mayNamePlace, parseFeedResource, REFERRED_TYPES } from './feed-view.ts'
import { resourceChunks } from './file-content.ts'
import { ImmutableFiles, unchangedResponse } from './immutable-files.ts'
import { rejectionOfLine } from './line-reader.ts'
import { type ListedFile, type Manifest, PENDING } from './manifest.ts'
import { listingOf, ManifestClient, type ReadPage, type SamePage } from './manifest-client.ts'
import { readOutcomes } from './outcome-files.ts'
import { readPages } from './pages.ts'
import { prefetch } from './prefetch.ts'
import { contentOf, mayUseValidators, wasReplaced } from './publication-check.ts'

/** The dependencies of a read of a Bulk Publish feed. */
interface BulkReading {
  readonly source: Source
  readonly manifestUrl: URL
  readonly draft: SnapshotDraft
  readonly client: PublisherClient
  readonly signal: AbortSignal
  readonly nowMs: number
}

/** Takes the resources and deletions of pages, in order. */
export interface ResourceSink {
  put(resource: ReturnType<typeof parseFeedResource>): void
  remove(type: string, id: string): void
  reject(rejected: Rejected): void
  flush(): Promise<void>
}

/**
 * Reads feeds of Bulk Publish (HL7 Bulk Data 4), whose pages together are one set of resources with ids:
 *
 *     readAll()   all pages from the first: their resources become a new set, and the set becomes the slots
 *     poll()      all pages unchanged ──────────────────────────────────────────────► unchanged
 *                 a chain of updates: only the last page is asked ─ next is a page ─► its changes are applied
 *                 anything else, `#closed` and what does not fit ───────────────────► readAll()
 */
export class BulkPublishReader {
  readonly #reading: BulkReading
  readonly #manifests: ManifestClient
  readonly #client: ThrottledClient
  /** Pages that were read in this sync, by URL. */
  readonly #read = new Map<string, ReadPage>()
  readonly #messages = new SourceMessages()
  #last: BulkState | undefined
  #files: ImmutableFiles

  constructor(reading: BulkReading) {
    this.#reading = reading
    this.#manifests = new ManifestClient(reading.client, reading.source.strict)
    this.#client = new ThrottledClient(reading.client, reading.signal)
    this.#files = new ImmutableFiles([], reading.draft.resources)
  }

  /** Reads what changed since the last publication. */
  async poll(last: BulkState): Promise<Publication> {
    const { nowMs, draft } = this.#reading
    this.#last = last
    this.#files = new ImmutableFiles(last.files, draft.resources)
    const isConditional = mayUseValidators(last.askedAtMs, nowMs)
    if (last.isOpen && !isConditional && !(await this.#isSameChain(last))) return this.readAll()
    let maxAgeMs: number | undefined
    for (const known of last.pages) {
      const validators = isConditional ? known.validators : {}
      const page = this.#read.get(known.url) ?? (await this.#ask(new URL(known.url), validators, last.isOpen))
      maxAgeMs ??= page?.maxAgeMs
      if (page === undefined) return this.readAll()
      if (!isReadPage(page) || contentOf(page.text) === known.content) continue
      this.#read.set(page.url, page)
      if (!last.isOpen || listingOf(page.manifest) !== known.listing) return this.readAll()
      if (page.manifest.next === PENDING) continue
      return this.#followChain(page)
    }
    return publicationOf(this.#renewed(last, isConditional), maxAgeMs, isConditional)
  }

  /** The chain may have been abandoned without a `#closed`: then another one follows the first page. */
  async #isSameChain({ pages: [known] }: BulkState): Promise<boolean> {
    const pages = await this.#pagesFrom(this.#reading.manifestUrl)
    return pages.some(({ url }) => url === known?.url)
  }

  /** Records unconditional requests by an update without changes. */
  #renewed(last: BulkState, isConditional: boolean): BulkState {
    const { draft, nowMs } = this.#reading
    if (isConditional) return last
    draft.startUpdate()
    if (draft.resources.areStored) draft.resources.keep()
    return { ...last, askedAtMs: nowMs }
  }

  /** Reads all pages, from the first. */
  async readAll(first?: ReadPage): Promise<Publication> {
    const { manifestUrl, draft, source, nowMs, signal } = this.#reading
    if (first !== undefined) this.#read.set(manifestUrl.href, first)
    const pages = await this.#pagesFrom(manifestUrl)
    const [root] = pages
    if (root?.manifest.isBulkPublish !== true)
      throw new ReadAgain('Cannot read feed: its manifest is of an older generation than before', { fromScratch: true })
    const state = bulkStateOf(source, pages, nowMs)
    const { resources } = draft
    await resources.startOver()
    await this.#readFiles(pages, {
      put: (resource) => resources.put(resource),
      remove: (type, id) => resources.remove(type, id),
      reject: (rejected) => draft.reject(rejected),
      flush: () => resources.flush(),
    })
    const { digest, horizons, slotsNamePlaces } = await this.#makeSlots(state.isOpen)
    const files = this.#files.noted
    if (state.isOpen || files.length > 0) resources.keep()
    signal.throwIfAborted()
    const isMixed = await wasReplaced(root.text, () => this.#manifests.text(manifestUrl, root.validators))
    const publication = await this.#publication(pages, { ...state, digest, slotsNamePlaces, files, messages: [] })
    return { ...publication, horizons: { isWhole: true, bySchedule: horizons }, isMixed }
  }

  /** Applies the pages after the last known one. */
  async #followChain(last: ReadPage): Promise<Publication> {
    const { next } = last.manifest
    if (next === undefined || next.startsWith('#') || !this.#reading.draft.resources.areStored) return this.readAll()
    const pages = await this.#pagesFrom(new URL(next))
    if (pages.at(-1)?.manifest.next !== PENDING) return this.readAll()
    const { source, draft, nowMs } = this.#reading
    const { files = [], messages = [], slotsNamePlaces = true } = this.#last ?? {}
    const update = { ...this.#reading, slotsNamePlaces }
    const applied = await applyUpdate(update, (sink) => this.#readFiles(pages, sink))
    // Too many changes: reading everything is cheaper.
    if (applied === undefined) return this.readAll()
    draft.resources.keep()
    const kept = { files, messages, slotsNamePlaces: applied.slotsNamePlaces }
    const publication = await this.#publication(pages, { ...bulkStateOf(source, pages, nowMs), ...kept })
    return { ...publication, horizons: { isWhole: false, bySchedule: applied.horizons } }
  }

  /** Undefined if the last page of a chain is gone. */
  async #ask(url: URL, validators: ReadPage['validators'], isChain: boolean): Promise<ReadPage | SamePage | undefined> {
    try {
      return await this.#manifests.readChanged(url, validators)
    } catch (error) {
      const status = httpStatusOf(error)
      if (isChain && (status === 404 || status === 410)) return undefined
      throw error
    }
  }

  async #pagesFrom(start: URL): Promise<ReadPage[]> {
    const pages: ReadPage[] = []
    const read = async (url: URL) => this.#read.get(url.href) ?? (await this.#manifests.read(url))
    for await (const page of readPages(start, read)) {
      this.#reading.signal.throwIfAborted()
      this.#read.set(page.url, page)
      pages.push(page)
    }
    return pages
  }

  /** Page by page: first the files in order, then the deletions. A file that is listed again is read in its last place only. */
  async #readFiles(pages: readonly ReadPage[], sink: ResourceSink): Promise<void> {
    const lastPageOf = new Map(pages.flatMap(({ manifest }, at) => manifest.files.map(({ url }) => [url, at] as const)))
    for (const [at, { manifest }] of pages.entries()) {
      const files = manifest.files.filter(({ url }) => lastPageOf.get(url) === at)
      const ask = async (file: ListedFile) =>
        this.#files.has(file) ? unchangedResponse(file.url) : this.#request(file.url, manifest)
      for await (const [file, response] of prefetch(files, ask)) {
        const copied = response.notModified ? await this.#files.copy(file, sink) : undefined
        const opened = response.notModified && copied === undefined ? await this.#request(file.url, manifest) : response
        this.#checkCount(file, copied ?? (await this.#readFile(file, opened, sink)))
      }
      for (const url of manifest.deleted) {
        const { body } = await this.#request(url, manifest)
        for await (const { type, id } of readDeletions(url, body)) sink.remove(type, id)
        await sink.flush()
      }
    }
  }

  /** Returns the number of resources. */
  async #readFile(file: ListedFile, response: FileResponse, sink: ResourceSink): Promise<number> {
    const { source, signal } = this.#reading
    let count = 0
    let rejected = 0
    for await (const { first, lines, overlong } of readLines(resourceChunks(file.url, response.body))) {
      signal.throwIfAborted()
      for (let at = 0; at < lines.length; at++) {
        const line = first + at
        try {
          if (overlong.has(at)) throw new InvalidData(`the line must be at most ${LINE_BYTES_MAX} bytes`)
          if (isBlankLine(lines[at])) continue
          count++
          sink.put(parseFeedResource(lines[at].toString(), { file, line, strict: source.strict }))
        } catch (error) {
          rejected++
          sink.reject(rejectionOfLine(error, file.url, line, lines[at]))
        }
      }
      await sink.flush()
    }
    if (rejected === 0 && isImmutable(response.headers)) this.#files.note(file, count)
    return count
  }

  #checkCount({ url, count: stated }: ListedFile, count: number): void {
    if (stated === undefined || stated === count) return
    this.#messages.add({ severity: 'warning', text: `${url} has ${count} resources; the manifest says ${stated}` })
  }

  #request(url: string, { filesArePublic }: Manifest): Promise<FileResponse> {
    const accept = 'application/fhir+ndjson'
    return this.#client.get(new URL(url), { accept, withoutToken: filesArePublic })
  }

  /** Makes the slots of the new resources. Returns the digest of the directory, and its planning horizons. */
  async #makeSlots(isOpen: boolean): Promise<{ digest: string; horizons: ScheduleHorizons; slotsNamePlaces: boolean }> {
    const { source, draft, signal } = this.#reading
    const part = isOpen ? INDEXED_PART : 0
    const view = new FeedView(source.slug, { strict: source.strict, part })
    for (const type of REFERRED_TYPES) {
      for await (const resources of draft.resources.readType(type)) for (const each of resources) view.add(each)
    }
    for (const rejected of view.rejections.values()) draft.reject(rejected)
    const digest = `${view.directory.digest()} ${part}`
    const mayKeep = digest === this.#last?.digest
    let slotsNamePlaces = false
    await draft.recall()
    for await (const slots of draft.resources.readNew('Slot')) {
      signal.throwIfAborted()
      slotsNamePlaces ||= slots.some(mayNamePlace)
      for (const each of slots) {
        if (mayKeep && draft.keep(view.fingerprintOf(each))) continue
        const outcome = view.outcomeOf(each)
        if ('slot' in outcome) draft.put(outcome.slot, outcome.origin)
        else if ('rejected' in outcome) draft.reject(outcome.rejected)
        else draft.withhold()
      }
      await draft.flush()
    }
    return { digest, horizons: view.directory.horizons, slotsNamePlaces }
  }

  async #publication(pages: readonly ReadPage[], state: BulkState): Promise<Publication> {
    const outcomes = pages.flatMap(({ manifest }) => manifest.outcomes.map((url) => ({ url, manifest })))
    for (const message of state.messages) this.#messages.add(message)
    await readOutcomes(outcomes, ({ url, manifest }) => this.#request(url, manifest), this.#messages)
    return publicationOf({ ...state, messages: this.#messages.all }, pages.at(-1)?.maxAgeMs, false)
  }
}

function isReadPage(page: ReadPage | SamePage): page is ReadPage {
  return 'text' in page
}

function publicationOf(state: BulkState, maxAgeMs: number | undefined, unchanged: boolean): Publication {
  const { publishedAtMs, updateCadenceMs, messages } = state
  return { unchanged, state, messages, ...defined({ publishedAtMs, updateCadenceMs, maxAgeMs }) }
}
