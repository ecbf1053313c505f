import { Semaphore } from '../../../lib/concurrency.ts'
import { defined } from '../../../lib/optional.ts'
import { KnownSources } from '../../../slot-index/known-sources.ts'
import { WeightedCache } from '../../../slot-index/weighted-cache.ts'
import type { Store } from '../../../store/contracts/store.ts'
import { answerFromStore } from '../../answer-from-store.ts'
import type { FailedRequest } from '../../api-context.ts'
import { etagOfContent } from '../../negotiation.ts'
import { Problem, temporarilyUnavailable } from '../../problem.ts'
import { jsonResponse, ownerOf, type SerializedRequest, type SerializedResponse } from '../../serialized-http.ts'
import { FEED_PATH, OPEN_FEED_PATH } from './feed-access.ts'
import { FeedProvenance } from './feed-provenance.ts'
import { type FeedPlace, linkToNext, manifestHead } from './manifest-parts.ts'
import { PageStarts } from './page-starts.ts'
import { readUpdate, type UpdatePage } from './read-update.ts'
import {
  formatUpdateFile,
  formatUpdatePage,
  noSuchUpdate,
  parseUpdateFile,
  parseUpdatePage,
  UPDATE_FILE_TYPES,
  UPDATE_FILES_FOLDER,
  UPDATES_FOLDER,
  type UpdateFileName,
  type UpdatePageRange,
} from './update-names.ts'

interface UpdatesDependencies {
  readonly store: Pick<Store, 'changeLog' | 'sources'>
  /** The public URL of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly now: () => number
  /** Reports an unexpected error, which is answered with 500. */
  readonly onError: (error: unknown, request: FailedRequest) => void
}

/** Bytes of the pages that are kept; a page that is not is read again when it is requested. */
const KEPT_BYTES_MAX = 32 * 1024 * 1024
/** A larger page would take the place of too many others: too much changed. */
const PAGE_BYTES_MAX = KEPT_BYTES_MAX / 2
/** Of a page that closes the chain: about what its entry takes. */
const CLOSED_WEIGHT = 500

interface KeptPage {
  /** Undefined if too much changed. */
  readonly page: UpdatePage | undefined
  /** When its last change was committed. */
  readonly atMs: number
  /** In bytes. */
  readonly weight: number
}

/**
 * Serves the pages and files of the chain of updates on a thread that may wait for the store: see `readUpdate()`. One page is read at a
 * time, so that other requests of the thread find the store's connections.
 */
export class UpdatesHandler {
  readonly #dependencies: UpdatesDependencies
  readonly #reads = new Semaphore(1)
  readonly #starts = new PageStarts()
  /** By the name of the page. */
  readonly #kept = new WeightedCache<KeptPage>(KEPT_BYTES_MAX)

  constructor(dependencies: UpdatesDependencies) {
    this.#dependencies = dependencies
  }

  /** Never rejects: errors become responses. */
  handle(request: SerializedRequest): Promise<SerializedResponse> {
    const failures = { unavailable: updatesUnavailable, onError: this.#dependencies.onError }
    return answerFromStore(request, () => this.#respond(request), failures)
  }

  async #respond(request: SerializedRequest): Promise<SerializedResponse> {
    const { operation, target } = request
    const owner = ownerOf(request)
    const path: FeedPlace['path'] = operation?.startsWith(FEED_PATH) ? FEED_PATH : OPEN_FEED_PATH
    const place: FeedPlace = { baseUrl: this.#dependencies.baseUrl, path }
    const name = decodeURIComponent(target.split('?', 1)[0]?.split('/').at(-1) ?? '')
    return operation === path + UPDATES_FOLDER ? this.#showPage(name, place, owner) : this.#showFile(name, place, owner)
  }

  /** A position that is out of reach ends the chain. */
  async #showPage(name: string, place: FeedPlace, owner: string): Promise<SerializedResponse> {
    const range = parseUpdatePage(name)
    if (range?.kind !== 'update') throw noSuchUpdate(name)
    const kept = await this.#find(range, owner)
    const head = manifestHead(place, kept?.atMs ?? this.#dependencies.now())
    const closed = { ...head, output: [], ...linkToNext(place, '#closed') }
    const body = JSON.stringify(kept?.page === undefined ? closed : { ...head, ...listed(kept.page, range, place) })
    return jsonResponse(body, { headers: [['etag', etagOfContent(body)]] })
  }

  /** Redirects to the file with the addresses that publishers have now. */
  async #showFile(name: string, place: FeedPlace, owner: string): Promise<SerializedResponse> {
    const file = parseUpdateFile(name)
    if (file === undefined) throw noSuchUpdate(name)
    const found = (await this.#find(file, owner))?.page
    const page = found?.variant === file.variant ? found : await this.#renew(found, file, owner)
    const body = page?.files.get(file.type)?.body
    if (page === undefined || body === undefined)
      throw new Problem(
        'gone',
        `The update of the file "${name}" is no longer available. Read the feed again from its manifest.`,
      )
    const { variant } = page
    if (file.variant !== variant) {
      const location = urlOfFile({ ...file, variant }, place)
      return { status: 307, headers: [['location', location]], body: new Uint8Array() }
    }
    const headers = [
      ['content-type', 'application/fhir+ndjson'],
      ['etag', `"${formatUpdateFile(file)}"`],
    ] as const
    return { status: 200, headers, body: new Uint8Array(body) }
  }

  /** Undefined if the change log does not reach back to it. */
  async #find(range: UpdatePageRange, owner: string): Promise<KeptPage | undefined> {
    const key = formatUpdatePage({ kind: 'update', ...range })
    const find = () => this.#kept.find(key)
    return find() ?? this.#reads.run(async () => find() ?? this.#read(range, key), owner)
  }

  /** A page that is read again if the addresses of its publishers have changed since, so that all nodes have the same one. */
  async #renew(page: UpdatePage | undefined, range: UpdatePageRange, owner: string): Promise<UpdatePage | undefined> {
    const key = formatUpdatePage({ kind: 'update', ...range })
    return this.#reads.run(async () => {
      const kept = this.#kept.find(key)?.page ?? page
      const current = kept && (await this.#provenance()).variantOf(kept.publishers)
      if (current === kept?.variant) return kept
      this.#kept.delete(key)
      return (await this.#read(range, key))?.page
    }, owner)
  }

  async #read(range: UpdatePageRange, key: string): Promise<KeptPage | undefined> {
    const { store } = this.#dependencies
    const { after, until } = range
    const log = await store.changeLog.open(until)
    try {
      if (after.store !== log.store || after.revision < log.oldest) return undefined
      // This thread reads the same store as the thread that named the page.
      if (log.newest < until) throw new Problem('not-found', 'This update does not exist yet. Follow the links.')
      const start = await this.#starts.find(log, range)
      if (start === undefined) throw noSuchUpdate(key)
      const read = await readUpdate(log, start, await this.#provenance())
      const page = read !== undefined && read.bytes <= PAGE_BYTES_MAX ? read : undefined
      if (page !== undefined) this.#starts.note(range, page.end)
      const kept = { page, atMs: log.committedAtMs, weight: page?.bytes ?? CLOSED_WEIGHT }
      this.#kept.add(key, kept)
      return kept
    } finally {
      await log.close()
    }
  }

  async #provenance(): Promise<FeedProvenance> {
    const known = new KnownSources()
    const found = await this.#dependencies.store.sources.freshness()
    known.apply({ sources: found, gone: [], whole: true })
    return new FeedProvenance(this.#dependencies.baseUrl, known)
  }
}

/** The store is unavailable or not open yet. */
export function updatesUnavailable(): Problem {
  return temporarilyUnavailable('Updates are')
}

function urlOfFile(file: UpdateFileName, { baseUrl, path }: FeedPlace): string {
  return `${baseUrl}${path}${UPDATE_FILES_FOLDER}${formatUpdateFile(file)}`
}

/** The files of a page, and what follows it: the next page of this update, or the page that waits for the next update. */
function listed({ files, variant, end }: UpdatePage, range: UpdatePageRange, place: FeedPlace): object {
  const entries = UPDATE_FILE_TYPES.flatMap((type) => {
    const file = files.get(type)
    if (file === undefined) return []
    const url = urlOfFile({ type, variant, ...range }, place)
    return [{ type, url, count: file.count, fileSize: file.body.length }]
  })
  const deleted = entries.filter(({ type }) => type === 'deleted').map((entry) => ({ ...entry, type: 'Bundle' }))
  const { after, until, page } = range
  const next =
    end === undefined
      ? linkToNext(place, { kind: 'pending', after: { store: after.store, revision: until } })
      : linkToNext(place, { kind: 'update', after, until, page: page + 1 })
  const output = entries.filter(({ type }) => type !== 'deleted')
  return { output, ...defined({ deleted: deleted.length > 0 ? deleted : undefined }), ...next }
}
