// Hot path

import type { ServerResponse } from 'node:http'
import type { ActiveKey } from '../keys/key-ring.ts'
import { hashText } from '../lib/text.ts'
import type { KnownSources } from '../slot-index/known-sources.ts'
import type { ApiContext, RequestContext } from './api-context.ts'
import { runFairly } from './fair-queue.ts'
import { etagOfContent } from './negotiation.ts'
import { HEADER_ROOM, reserveHeader } from './secure-response.ts'
import { sendJson } from './send-json.ts'
import type { OperationMatch, OperationReader, OperationResponse } from './v1/operation.ts'

/** A response with the ETag of its body. */
interface CachedResponse extends OperationResponse {
  readonly etag: string
}

/** The URL of a page, and its hash. */
interface PageName {
  readonly url: string
  readonly hash: number
}

/** Sends the responses that operations read from the index, and caches those that are requested repeatedly. */
export class ResponseCache {
  readonly #api: ApiContext
  readonly #pages = new PageCache()
  readonly #slabs = new PageSlabs()
  readonly #cacheControl: CacheControl

  constructor(api: ApiContext) {
    this.#api = api
    this.#cacheControl = new CacheControl(api.sources)
  }

  /**
   * Sends what an operation reads: now, or in turns with other callers if it takes steps. Throws what the reader throws, and
   * `Problem('queue-full')`; nothing has been sent then.
   */
  send(
    context: RequestContext,
    match: OperationMatch,
    read: OperationReader,
    { key, nowMs }: { readonly key: ActiveKey; readonly nowMs: number },
  ): void {
    const { index } = this.#api
    index.advance(nowMs)
    const url = context.request.url ?? ''
    const name = { url, hash: hashText(url) }
    const cached = this.#pages.find(name, index.version)
    if (cached !== undefined) {
      this.#end(context, cached, nowMs)
      return
    }
    const startedMs = performance.now()
    const allocate = (bytes: number) => this.#slabs.take(bytes, context.response)
    const response = read({ search: match.search, name: match.name, nowMs, allocate }, this.#api)
    const end = (read: OperationResponse, usedMs: number) =>
      this.#end(context, this.#toCached(name, match, read), nowMs, usedMs)
    if ('body' in response) end(response, performance.now() - startedMs)
    else runFairly(context, this.#api, { caller: key, steps: response }, end)
  }

  /** `usedMs`: thread time; absent for a cached page. */
  #end(context: RequestContext, page: CachedResponse, nowMs: number, usedMs?: number): void {
    const caching = this.#cacheControl.textAt(nowMs)
    // A cached response took the index no time.
    const timing = usedMs === undefined ? '' : timingOf(usedMs)
    const common = `X-Request-Id: ${context.requestId}\r\nCache-Control: ${caching}\r\n${timing}`
    sendJson(context, page, page.headers + common)
  }

  #toCached(name: PageName, { operation }: OperationMatch, response: OperationResponse): CachedResponse {
    const { body, headers, version = this.#api.index.version } = response
    if (operation.isTimely) return { ...response, etag: response.etag ?? etagOfContent(body) }
    // The index version alone does not identify a body: it is the same for all URLs.
    const page = { body, headers, etag: `"${version}-${name.hash}"` }
    this.#pages.note(name, page, version)
    return page
  }
}

/** `Server-Timing` (W3C): the milliseconds of reading the response from the index. */
function timingOf(usedMs: number): string {
  return `Server-Timing: index;dur=${usedMs.toFixed(3)}\r\n`
}

/** Upper bound of freshness: slots end and sources are added at any time. */
const MAX_AGE_S = 60
/** The caller may store the response and must revalidate it. */
export const REVALIDATE = 'private, no-cache'

/**
 * `Cache-Control` (RFC 9111, 5.2.2) of responses from the index: fresh until the next sync of any source that is not paused, in whole
 * seconds, at most 60. Without such a source, or while one is due, the caller must revalidate.
 */
export class CacheControl {
  readonly #sources: KnownSources
  #text = REVALIDATE
  /** The text is valid from `#fromMs` to before `#untilMs` while the sources are unchanged. */
  #fromMs = 0
  #untilMs = 0
  #changes = -1

  constructor(sources: KnownSources) {
    this.#sources = sources
  }

  /** Recomputed at most once a second unless the sources change. */
  textAt(nowMs: number): string {
    if (nowMs < this.#fromMs || nowMs >= this.#untilMs || this.#changes !== this.#sources.changes) this.#update(nowMs)
    return this.#text
  }

  #update(nowMs: number): void {
    const leftMs = (this.#sources.nextSyncAtMs ?? nowMs) - nowMs
    const seconds = Math.max(0, Math.min(MAX_AGE_S, Math.floor(leftMs / 1000)))
    this.#text = seconds === 0 ? REVALIDATE : `private, max-age=${seconds}`
    this.#fromMs = nowMs
    // A due source stays due until its sync, which changes the sources.
    this.#untilMs = seconds === 0 ? Infinity : nowMs + Math.min(1000, leftMs - seconds * 1000 + 1)
    this.#changes = this.#sources.changes
  }
}

/** Bytes of one generation, of which two are kept: 1,800 pages of 25 slots. */
const BYTES_MAX = 32 * 1024 * 1024
/** Headers and, for most, the compressed copies; the length of the body is added. */
const OVERHEAD_BYTES = 3072
const SEEN = 65_536

/**
 * Generational cache of responses by URL, for one version of the data.
 *
 * A page that is requested once is not worth a copy, so it is cached from its second request on: `#seen` holds hashes of recent
 * URLs at this version, direct-mapped. When the young generation is full it becomes the old one; a hit moves an entry back to the young one.
 */
class PageCache {
  #version = ''
  #young = new Map<string, CachedResponse>()
  #old = new Map<string, CachedResponse>()
  #youngBytes = 0
  readonly #seen = new Uint32Array(SEEN)

  /** Most pages are new: their URLs are compared with what was seen, which a map would have to hash once more. */
  find({ url, hash }: PageName, version: string): CachedResponse | undefined {
    if (version !== this.#version) this.#clear(version)
    if (this.#seen[hash & (SEEN - 1)] !== hash) return undefined
    const young = this.#young.get(url)
    if (young !== undefined) return young
    const old = this.#old.get(url)
    if (old !== undefined) this.#put(url, old)
    return old
  }

  /** Caches a copy of a response if its URL was noted before at its version, which must be that of the last `find()`. */
  note({ url, hash }: PageName, page: CachedResponse, version: string): void {
    if (version !== this.#version) return
    const entry = hash & (SEEN - 1)
    if (this.#seen[entry] !== hash) this.#seen[entry] = hash
    else this.#put(url, { ...page, body: Buffer.from(page.body) })
  }

  #put(url: string, page: CachedResponse): void {
    this.#young.set(url, page)
    this.#youngBytes += page.body.length + OVERHEAD_BYTES
    if (this.#youngBytes < BYTES_MAX) return
    this.#old = this.#young
    this.#young = new Map()
    this.#youngBytes = 0
  }

  #clear(version: string): void {
    this.#version = version
    this.#young = new Map()
    this.#old = new Map()
    this.#youngBytes = 0
    this.#seen.fill(0)
  }
}

const SLAB_BYTES = 256 * 1024
/** Beyond 16 MiB a slow caller's page is allocated by itself; otherwise it would block the reuse of a whole slab. */
const SLABS_MAX = 64

/** A block of memory, and the responses that are still sent from it. */
interface Slab {
  readonly bytes: Buffer
  readonly users: ServerResponse[]
  used: number
}

/**
 * Slab allocator for pages that are sent once: a slab is reused when the responses in it have been sent. At full speed,
 * allocating each page would make 500 MB of garbage a second and cost a tenth of the throughput.
 */
class PageSlabs {
  /** Full slabs, the oldest first. */
  readonly #full: Slab[] = []
  #slab = newSlab()

  /** Memory that belongs to the response until it has been sent. */
  take(bytes: number, response: ServerResponse): Buffer {
    const size = HEADER_ROOM + bytes
    if (this.#slab.used + size > SLAB_BYTES && !this.#advance(size)) return Buffer.allocUnsafeSlow(bytes)
    const { bytes: memory, users, used } = this.#slab
    users.push(response)
    this.#slab.used = used + size
    const page = memory.subarray(used + HEADER_ROOM, used + size)
    reserveHeader(response, page)
    return page
  }

  /** Moves on to another slab. False if there is none, or the page is larger than a slab. */
  #advance(bytes: number): boolean {
    const slab = bytes > SLAB_BYTES ? undefined : this.#reusable()
    if (slab === undefined && (bytes > SLAB_BYTES || this.#full.length >= SLABS_MAX)) return false
    this.#full.push(this.#slab)
    this.#slab = slab ?? newSlab()
    return true
  }

  /** The oldest slab if all its responses have been sent. A slab of a slow caller moves behind the others. */
  #reusable(): Slab | undefined {
    for (let tries = 0; tries < 2; tries++) {
      const oldest = this.#full.shift()
      if (oldest === undefined) return undefined
      if (oldest.users.every((response) => response.writableFinished || response.destroyed)) {
        oldest.users.length = 0
        oldest.used = 0
        return oldest
      }
      this.#full.push(oldest)
    }
    return undefined
  }
}

function newSlab(): Slab {
  return { bytes: Buffer.allocUnsafeSlow(SLAB_BYTES), users: [], used: 0 }
}
