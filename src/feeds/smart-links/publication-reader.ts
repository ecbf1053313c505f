import { defined } from '../../lib/optional.ts'
import type { Publication, SnapshotDraft, Source } from '../connector.ts'
import { DirectorySize } from '../directory-size.ts'
import { Directory } from '../fhir/directory.ts'
import { newLineKey } from '../http/line-scanner.ts'
import { readLines } from '../http/lines.ts'
import type { FileResponse, PublisherClient } from '../http/publisher-client.ts'
import { isImmutable, type Validators } from '../http/response.ts'
import { ThrottledClient } from '../http/throttled-client.ts'
import type { BulkPublishReader } from './bulk-reader.ts'
import { type FileState, matchFiles, type SmartLinksState, smartLinksReaderId } from './connector-state.ts'
import { resourceChunks } from './file-content.ts'
import { unchangedResponse } from './immutable-files.ts'
import { DirectoryLineReader } from './line-reader.ts'
import type { Manifest } from './manifest.ts'
import { ManifestClient, type ReadPage } from './manifest-client.ts'
import { prefetch } from './prefetch.ts'
import { mayUseValidators, wasReplaced } from './publication-check.ts'
import { SlotFiles, type SlotLineCounts } from './slot-files.ts'

/** One read of a source. */
interface PublicationReaderOptions {
  readonly source: Source
  readonly manifestUrl: URL
  readonly draft: SnapshotDraft
  readonly client: PublisherClient
  /** The state after the last publication. */
  readonly lastState: SmartLinksState | undefined
  readonly signal: AbortSignal
  readonly nowMs: number
}

type ReadManifest = Pick<Manifest, 'files' | 'publishedAtMs' | 'updateCadenceMs'> & {
  /** Absent after a 304. */
  readonly text?: string
  readonly validators: Validators
  readonly maxAgeMs?: number
}

/**
 * Reads one publication with conditional requests:
 *
 *     manifest ─► directory files: all 304? ── yes ──► Slot files, conditionally: all 304? ── yes ──► unchanged
 *                      │ no                                  │ no: read the directory after all
 *                      ▼                                     ▼
 *                 read them all ─► digest as before? ─ yes ► known lines are kept, files with 304 too
 *                                        └─────────── no ──► every line is read and put
 *
 * Publishers replace files in place under an unchanged manifest, so every file is requested. Files are prefetched but read
 * one after the other: the directory before any slot.
 */
export class PublicationReader {
  readonly #reading: PublicationReaderOptions
  /** Requests may use validators: there is a recent state. */
  #conditional = false
  #files: FileState[] = []
  readonly #outcome = new Map<string, FileState>()
  /** Responses that were opened early, by URL. */
  readonly #opened = new Map<string, Promise<FileResponse>>()
  #directory: Directory | undefined
  #directoryRejected = 0
  #digest: string | undefined
  readonly #lineKey: string
  #slotLines: SlotFiles | undefined
  #filesArePublic = false
  readonly #bulk: BulkPublishReader
  readonly #manifests: ManifestClient
  readonly #client: ThrottledClient

  constructor(reading: PublicationReaderOptions, bulk: BulkPublishReader) {
    this.#reading = reading
    this.#lineKey = reading.lastState?.lineKey ?? newLineKey()
    this.#bulk = bulk
    this.#manifests = new ManifestClient(reading.client, reading.source.strict)
    this.#client = new ThrottledClient(reading.client, reading.signal)
  }

  async read(): Promise<Publication> {
    try {
      return await this.#read()
    } finally {
      await this.#slotLines?.close()
    }
  }

  async #read(): Promise<Publication> {
    const { lastState, draft, nowMs } = this.#reading
    this.#conditional = lastState !== undefined && mayUseValidators(lastState.fullReadAtMs, nowMs)
    const manifest = await this.#readManifest()
    if ('bulk' in manifest) return this.#bulk.readAll(manifest.bulk)
    this.#files = matchFiles(manifest.files, lastState)
    if (await this.#directoryIsSame()) this.#digest = lastState?.digest
    else await this.#readDirectory()
    const notModified = await this.#readSlotFiles()
    const unchanged =
      this.#directory === undefined &&
      this.#isListedAsBefore(() => true) &&
      notModified.length === this.#slotFiles().length
    if (!unchanged) await this.#keepUnchanged(notModified)
    await draft.flush()
    const isMixed = !unchanged && (await this.#wasReplaced(manifest))
    return { ...this.#publication(manifest, unchanged), isMixed }
  }

  async #readManifest(): Promise<ReadManifest | { bulk: ReadPage }> {
    const { manifestUrl, lastState } = this.#reading
    const validators = this.#conditional ? lastState?.manifest : undefined
    const page = await this.#manifests.readChanged(manifestUrl, validators ?? {})
    const timing = defined({ maxAgeMs: page.maxAgeMs })
    if ('text' in page) {
      if (page.manifest.isBulkPublish) return { bulk: page }
      const { files, publishedAtMs, updateCadenceMs, filesArePublic } = page.manifest
      this.#filesArePublic = filesArePublic
      return {
        files,
        ...defined({ publishedAtMs, updateCadenceMs }),
        text: page.text,
        validators: page.validators,
        ...timing,
      }
    }
    const { files = [], publishedAtMs, updateCadenceMs, manifest = {}, filesArePublic = false } = lastState ?? {}
    this.#filesArePublic = filesArePublic
    return { files, ...defined({ publishedAtMs, updateCadenceMs }), validators: manifest, ...timing }
  }

  /** After a 304, the first response is unknown: it is enough that the second is a 304 too. */
  #wasReplaced({ text, validators }: ReadManifest): Promise<boolean> {
    const { manifestUrl } = this.#reading
    return wasReplaced(text, () => this.#manifests.text(manifestUrl, validators))
  }

  /** True, without reading any, if the same directory files are listed and all respond 304. */
  async #directoryIsSame(): Promise<boolean> {
    if (!this.#conditional || !this.#isListedAsBefore(isDirectoryFile)) return false
    const keep = (file: FileState, response: Promise<FileResponse>) => {
      // The error is thrown when the file is read.
      response.catch(() => {})
      this.#opened.set(file.url, response)
    }
    const responses = prefetch(this.#directoryFiles(), (file) => this.#request(file, file), { abandon: keep })
    for await (const [file, response] of responses) {
      if (!response.notModified) {
        keep(file, Promise.resolve(response))
        return false
      }
      this.#outcome.set(file.url, file)
    }
    return true
  }

  async #readDirectory(): Promise<Directory> {
    const { source, draft } = this.#reading
    const directory = new Directory(source.slug, source.strict)
    const size = new DirectorySize()
    const ask = async (file: FileState) => {
      const opened = await this.#opened.get(file.url)
      this.#opened.delete(file.url)
      return opened === undefined || opened.notModified ? this.#request(file) : opened
    }
    for await (const [file, response] of prefetch(this.#directoryFiles(), ask)) {
      const lines = new DirectoryLineReader(file, directory, draft, size)
      for await (const batch of readLines(response.body)) lines.take(batch)
      this.#directoryRejected += lines.rejected
      this.#remember(file, response)
    }
    this.#digest = directory.digest()
    this.#directory = directory
    return directory
  }

  /** Reads the Slot files that may have changed; returns those that respond 304. */
  async #readSlotFiles(): Promise<FileState[]> {
    const notModified: FileState[] = []
    const ask = (file: FileState) => this.#request(file, this.#mayKeep() ? file : undefined)
    for await (const [file, response] of prefetch(this.#slotFiles(), ask)) {
      if (response.notModified) notModified.push(file)
      else await this.#readSlots(file, response)
    }
    return notModified
  }

  /**
   * Keeps the slots of unchanged files. A file is read again if one of its lines is no slot of the last snapshot, because it was rejected
   * or another line has the slot; all are read again if the directory turned out to have changed after their requests.
   */
  async #keepUnchanged(notModified: readonly FileState[]): Promise<void> {
    const { draft, lastState } = this.#reading
    if (this.#directory === undefined && (lastState?.directoryRejected ?? 0) > 0) await this.#readDirectory()
    for (const file of notModified) {
      await draft.recall()
      if (!this.#keepFile(file)) await this.#readSlots(file, await this.#request(file))
    }
  }

  #keepFile(file: FileState): boolean {
    const { part, slots, withheld, rejected } = file
    if (!this.#mayKeep() || rejected > 0 || slots === undefined || withheld === undefined) return false
    const { draft } = this.#reading
    if (!draft.keepPart(part, slots)) return false
    for (let n = 0; n < withheld; n++) draft.withhold()
    this.#outcome.set(file.url, file)
    return true
  }

  async #readSlots(file: FileState, response: FileResponse): Promise<void> {
    const directory = this.#directory ?? (await this.#readDirectory())
    const { draft, signal } = this.#reading
    const mayKeep = this.#mayKeep()
    if (mayKeep) await draft.recall()
    this.#slotLines ??= new SlotFiles({ directory, draft, lineKey: this.#lineKey, signal })
    this.#remember(file, response, await this.#slotLines.read(file, response.body, mayKeep))
  }

  /** The directory is the same as for the last snapshot. */
  #mayKeep(): boolean {
    return this.#digest !== undefined && this.#digest === this.#reading.lastState?.digest
  }

  async #request(file: FileState, before?: Validators): Promise<FileResponse> {
    const validators = this.#conditional ? before : undefined
    if (validators !== undefined && file.immutable) return unchangedResponse(file.url, validators)
    const response = await this.#client.get(new URL(file.url), {
      accept: 'application/fhir+ndjson',
      validators,
      withoutToken: this.#filesArePublic,
    })
    return response.notModified ? response : { ...response, body: resourceChunks(file.url, response.body) }
  }

  #remember({ url, types, part }: FileState, response: FileResponse, counts?: SlotLineCounts): void {
    const immutable = isImmutable(response.headers)
    const read = { url, types, part, rejected: 0, ...counts, ...response.validators }
    this.#outcome.set(url, { ...read, ...(immutable && { immutable }) })
  }

  #directoryFiles(): FileState[] {
    return this.#files.filter(isDirectoryFile)
  }

  #slotFiles(): FileState[] {
    return this.#files.filter(({ types }) => types.includes('Slot'))
  }

  #isListedAsBefore(concerns: (file: FileState) => boolean): boolean {
    const names = (files: readonly FileState[]) =>
      files
        .filter(concerns)
        .map(({ url, types }) => `${types.join()} ${url}`)
        .sort()
        .join('\n')
    return names(this.#files) === names(this.#reading.lastState?.files ?? [])
  }

  #publication(read: ReadManifest, unchanged: boolean): Publication {
    const { source, lastState, nowMs } = this.#reading
    const { validators: manifest, publishedAtMs, updateCadenceMs, maxAgeMs } = read
    const published = defined({ publishedAtMs, updateCadenceMs })
    const next: SmartLinksState = {
      reader: smartLinksReaderId(source),
      manifest,
      ...published,
      filesArePublic: this.#filesArePublic,
      files: this.#files.map((file) => this.#outcome.get(file.url) ?? file),
      digest: this.#digest ?? '',
      lineKey: this.#lineKey,
      directoryRejected: this.#directory === undefined ? (lastState?.directoryRejected ?? 0) : this.#directoryRejected,
      fullReadAtMs: this.#conditional ? (lastState?.fullReadAtMs ?? nowMs) : nowMs,
    }
    const horizons = this.#directory && { isWhole: true, bySchedule: this.#directory.horizons }
    return { unchanged, state: next, messages: [], ...published, ...defined({ maxAgeMs, horizons }) }
  }
}

function isDirectoryFile({ types }: FileState): boolean {
  return types.some((type) => type !== 'Slot')
}
