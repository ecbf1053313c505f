import { DAY_MS } from '../../lib/time.ts'
import type { Connector, Publication, SnapshotDraft, Source } from '../connector.ts'
import { DirectorySize } from '../directory-size.ts'
import { Directory } from '../fhir/directory.ts'
import { readLines } from '../http/lines.ts'
import type { FileResponse, PublisherClient } from '../http/publisher-client.ts'
import { type PublisherOptions, publisherConnector } from '../http/publisher-connector.ts'
import type { Validators } from '../http/response.ts'
import {
  type FileState,
  matchFiles,
  parseSmartLinksState,
  type SmartLinksState,
  smartLinksReaderId,
} from './connector-state.ts'
import { DirectoryLineReader, SlotLineReader } from './line-reader.ts'
import { type Manifest, parseManifest } from './manifest.ts'
import { prefetch } from './prefetch.ts'

/**
 * Reads SMART Scheduling Links: a `$bulk-publish` manifest and the NDJSON files that it lists, of the 2021 vaccine
 * specification, the 2025 draft and the HL7 guide (STU1, 2026) alike.
 */
export function smartLinks(options: PublisherOptions): Connector {
  return publisherConnector(options, {
    read({ url: manifestUrl, nowMs, ...reading }) {
      const lastState = parseSmartLinksState(reading.draft.state, reading.source)
      return new PublicationReader({ ...reading, manifestUrl, lastState }).read(nowMs)
    },
  })
}

/** One read of a source. */
interface PublicationReaderOptions {
  readonly source: Source
  readonly manifestUrl: URL
  readonly draft: SnapshotDraft
  readonly client: PublisherClient
  /** The state after the last publication. */
  readonly lastState: SmartLinksState | undefined
  readonly signal: AbortSignal
}

/** A validator that never changes would hide every change, so requests are unconditional once a day. */
const FULL_READ_EVERY_MS = DAY_MS

const MANIFEST_BYTES_MAX = 2 ** 24

/** Lines between two flushes of the draft. */
const LINES_PER_FLUSH = 2000

type ReadManifest = Manifest & { readonly validators: Validators; readonly maxAgeMs?: number }

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
class PublicationReader {
  readonly #reading: PublicationReaderOptions
  /** Requests may use validators: there is a recent state. */
  #conditional = false
  #files: FileState[] = []
  readonly #outcome = new Map<string, FileState>()
  /** Responses that were opened early, by URL. */
  readonly #opened = new Map<string, FileResponse>()
  #directory: Directory | undefined
  #directoryRejected = 0
  #digest: string | undefined
  #linesSinceFlush = 0

  constructor(reading: PublicationReaderOptions) {
    this.#reading = reading
  }

  async read(nowMs: number): Promise<Publication> {
    const { lastState, draft } = this.#reading
    const ageMs = nowMs - (lastState?.fullReadAtMs ?? Number.NEGATIVE_INFINITY)
    this.#conditional = lastState !== undefined && ageMs >= 0 && ageMs < FULL_READ_EVERY_MS
    const heard = await this.#readManifest()
    this.#files = matchFiles(heard.files, lastState)
    if (await this.#directoryIsSame()) this.#digest = lastState?.digest
    else await this.#readDirectory()
    const notModified = await this.#readSlotFiles()
    const unchanged =
      this.#directory === undefined &&
      this.#isListedAsBefore(() => true) &&
      notModified.length === this.#slotFiles().length
    if (!unchanged) await this.#keepUnchanged(notModified)
    await draft.flush()
    return this.#publication(heard, unchanged, nowMs)
  }

  async #readManifest(): Promise<ReadManifest> {
    const { client, manifestUrl, lastState, source } = this.#reading
    const validators = this.#conditional ? lastState?.manifest : undefined
    const response = await client.get(manifestUrl, {
      accept: 'application/json',
      validators,
      bodyBytesMax: MANIFEST_BYTES_MAX,
    })
    const timing = response.maxAgeMs === undefined ? {} : { maxAgeMs: response.maxAgeMs }
    if (response.notModified && lastState !== undefined) {
      const { files, publishedAtMs, manifest } = lastState
      return {
        files,
        ...(publishedAtMs === undefined ? {} : { publishedAtMs }),
        validators: manifest,
        ...timing,
      }
    }
    const pieces: Buffer[] = []
    for await (const piece of response.body) pieces.push(piece)
    const manifest = parseManifest(Buffer.concat(pieces).toString(), response.url, source.strict)
    const files = manifest.files.map((file) => ({ ...file, url: client.plainUrl(new URL(file.url)).href }))
    return { ...manifest, files, validators: response.validators, ...timing }
  }

  /** True, without reading any, if the same directory files are listed and all respond 304. */
  async #directoryIsSame(): Promise<boolean> {
    if (!this.#conditional || !this.#isListedAsBefore(isDirectoryFile)) return false
    for await (const [file, response] of prefetch(this.#directoryFiles(), (file) => this.#request(file, file))) {
      if (!response.notModified) {
        this.#opened.set(file.url, response)
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
    const ask = async (file: FileState) => this.#opened.get(file.url) ?? (await this.#request(file))
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
   * Keeps the slots of unchanged files. A file with rejected lines is read again, so that these stay listed; all are read
   * again if the directory turned out to have changed after their requests.
   */
  async #keepUnchanged(notModified: readonly FileState[]): Promise<void> {
    const { draft, lastState } = this.#reading
    if (this.#directory === undefined && (lastState?.directoryRejected ?? 0) > 0) await this.#readDirectory()
    for (const file of notModified) {
      if (file.rejected > 0 || !this.#mayKeep()) {
        await this.#readSlots(file, await this.#request(file))
      } else {
        await draft.recall()
        draft.keepPart(file.part)
        this.#outcome.set(file.url, file)
      }
    }
  }

  async #readSlots(file: FileState, response: FileResponse): Promise<void> {
    const directory = this.#directory ?? (await this.#readDirectory())
    const { draft, signal } = this.#reading
    const mayKeep = this.#mayKeep()
    if (mayKeep) await draft.recall()
    const lines = new SlotLineReader(file, directory, draft, mayKeep)
    for await (const batch of readLines(response.body)) {
      signal.throwIfAborted()
      lines.take(batch)
      this.#linesSinceFlush += batch.lines.length
      if (this.#linesSinceFlush < LINES_PER_FLUSH) continue
      this.#linesSinceFlush = 0
      await draft.flush()
    }
    this.#remember(file, response, lines.rejected)
  }

  /** The directory is the same as for the last snapshot. */
  #mayKeep(): boolean {
    return this.#digest !== undefined && this.#digest === this.#reading.lastState?.digest
  }

  #request(file: FileState, before?: Validators): Promise<FileResponse> {
    const validators = this.#conditional ? before : undefined
    return this.#reading.client.get(new URL(file.url), { accept: 'application/fhir+ndjson', validators })
  }

  #remember({ url, types, part }: FileState, response: FileResponse, rejected = 0): void {
    this.#outcome.set(url, { url, types, part, rejected, ...response.validators })
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

  #publication(heard: ReadManifest, unchanged: boolean, nowMs: number): Publication {
    const { source, lastState } = this.#reading
    const { validators: manifest, publishedAtMs, maxAgeMs } = heard
    const published = publishedAtMs === undefined ? {} : { publishedAtMs }
    const next: SmartLinksState = {
      reader: smartLinksReaderId(source),
      manifest,
      ...published,
      files: this.#files.map((file) => this.#outcome.get(file.url) ?? file),
      digest: this.#digest ?? '',
      directoryRejected: this.#directory === undefined ? (lastState?.directoryRejected ?? 0) : this.#directoryRejected,
      fullReadAtMs: this.#conditional ? (lastState?.fullReadAtMs ?? nowMs) : nowMs,
    }
    return { unchanged, state: next, ...published, ...(maxAgeMs === undefined ? {} : { maxAgeMs }) }
  }
}

function isDirectoryFile({ types }: FileState): boolean {
  return types.some((type) => type !== 'Slot')
}
