import { addressBlock } from '../../lib/network-address.ts'
import { SharedPlaces } from '../../lib/shared-places.ts'
import { MINUTE_MS, SECOND_MS } from '../../lib/time.ts'
import { parseParameters } from '../../slot/query-parameter.ts'
import { formatRevision } from '../../slot/revision.ts'
import type { ApiContext, RequestContext } from '../api-context.ts'
import { clientAddress } from '../client-address.ts'
import { type FairCaller, runFairly } from '../fair-queue.ts'
import { FHIR_JSON_TYPE } from '../fhir-outcome.ts'
import { notReady } from '../health.ts'
import { chooseType, JSON_TYPE } from '../negotiation.ts'
import { sendPreflight } from '../preflight.ts'
import { methodNotAllowed, Problem, problemOf } from '../problem.ts'
import { RateLimits } from '../rate-limits.ts'
import { addHeaderBlock } from '../secure-response.ts'
import { sendError } from '../send-error.ts'
import { sendJson } from '../send-json.ts'
import { ExportPump } from '../v1/export-slots/export-pump.ts'
import { type FeedAccess, type FeedReader, OPEN_FEED_PATH } from '../v1/fhir-feed/feed-access.ts'
import { parseFileName } from '../v1/fhir-feed/feed-file.ts'
import { FEED_FILE_PARAMETERS, FEED_MEDIA_TYPES } from '../v1/fhir-feed/feed-formats.ts'
import { MANIFEST_NAME } from '../v1/fhir-feed/manifest-parts.ts'
import { sendFeedFile } from '../v1/fhir-feed/show-feed-file.ts'
import { MANIFEST_PARAMETERS, manifestOf } from '../v1/fhir-feed/show-manifest.ts'
import { sendPage, sendUpdateFile } from '../v1/fhir-feed/show-updates.ts'
import { parseUpdatePage, UPDATE_FILES_FOLDER, UPDATES_FOLDER } from '../v1/fhir-feed/update-names.ts'
import type { OpenFeedCounts } from './open-feed-counts.ts'

/** The limits of each serving thread: what all readers of the open feed together can take is a small part of it. */
const RATES = { addressRequests: 600, feedRequests: 6000, feedMs: 200 }
/** Addresses whose requests are counted; beyond them all start over. */
const ADDRESSES_MAX = 10_000

const EXPORTS = {
  concurrentMax: 16,
  // Browsers open six connections to one host (HTTP/1.1), so that a page can request all files at once.
  concurrentPerKeyMax: 6,
  threadShare: 0.1,
  stalledMsMax: 10 * SECOND_MS,
  // Readers resume with a range.
  yieldsAfterMs: 30 * SECOND_MS,
  totalMsMax: 10 * MINUTE_MS,
}

/** All readers wait in one line for what takes long. */
const EVERYBODY: FairCaller = { id: 'open-feed', organizationId: 'open-feed' }

/** Browsers may read it from any page: it has no credentials, and nothing that is not public. */
const CORS_BLOCK =
  'Access-Control-Allow-Origin: *\r\n' +
  'Access-Control-Expose-Headers: Accept-Ranges, Content-Range, ETag, RateLimit, RateLimit-Policy, Retry-After, Slots-Revision, X-Request-Id\r\n'

/**
 * The published feed for everybody, without a key: `GET /fhir/$bulk-publish` and its files. Limited by address and as a whole, so that
 * callers of `/v1` keep the thread.
 */
export class OpenFeed {
  readonly #api: ApiContext
  readonly #counts: OpenFeedCounts
  readonly #limits = new RateLimits(RATES, ADDRESSES_MAX)
  readonly #access: FeedAccess
  readonly #updates = new SharedPlaces(UPDATES_WAITING_MAX, UPDATES_PER_READER_MAX)
  #refusalsWaiting = 0

  constructor(api: ApiContext, counts: OpenFeedCounts) {
    this.#api = api
    this.#counts = counts
    this.#access = { path: OPEN_FEED_PATH, exports: new ExportPump(api.now, EXPORTS), cacheability: 'public' }
  }

  /** Responds if the target is the feed's. Errors become responses. */
  handle(context: RequestContext, target: string): boolean {
    const parsed = parseTarget(target)
    if (parsed === undefined) return false
    context.response.once('close', () => this.#counts.note(context.response.statusCode))
    addHeaderBlock(context.response, CORS_BLOCK)
    try {
      this.#respond(context, parsed)
    } catch (error) {
      this.#sendError(error, context)
    }
    return true
  }

  /** A refusal is sent late: readers who ask again at once then take little of the thread. */
  #sendError(error: unknown, context: RequestContext): void {
    const problem = problemOf(error)
    const isLate = (problem?.status === 429 || problem?.status === 503) && this.#refusalsWaiting < REFUSALS_WAITING_MAX
    if (!isLate) {
      sendError(error, context, this.#api)
      return
    }
    this.#refusalsWaiting++
    const send = () => {
      this.#refusalsWaiting--
      if (!context.response.destroyed) sendError(error, context, this.#api)
    }
    // Not all in one turn of the event loop.
    setTimeout(send, REFUSAL_DELAY_MS * (1 + Math.random())).unref()
  }

  #respond(context: RequestContext, { name, search }: FeedTarget): void {
    const { request, response } = context
    if (request.method === 'OPTIONS') {
      sendPreflight(context)
      return
    }
    if (!this.#api.isReady()) throw notReady()
    const reader = this.#readerOf(context)
    const startedMs = performance.now()
    const caller = { ...EVERYBODY, id: reader.id }
    this.#limits.take(caller, response, startedMs)
    try {
      if (request.method !== 'GET' && request.method !== 'HEAD')
        throw methodNotAllowed(OPEN_FEED_PATH + name, request.method)
      if (name === MANIFEST_NAME) this.#sendManifest(context, search)
      else if (parseFileName(name) !== undefined) this.#sendFile(context, name, { search, reader })
      else this.#sendUpdate(context, name, { search, reader })
    } finally {
      const endedMs = performance.now()
      this.#limits.spend(caller, endedMs - startedMs, endedMs)
    }
  }

  #readerOf({ request }: RequestContext): FeedReader {
    const block = addressBlock(clientAddress(request, this.#api.trustedProxies ?? 0))
    return { ...EVERYBODY, id: block, isActive: () => true, caller: EVERYBODY }
  }

  #sendManifest(context: RequestContext, search: string): void {
    chooseType(context.request, [JSON_TYPE], [FHIR_JSON_TYPE])
    parseParameters(search, MANIFEST_PARAMETERS, {})
    const nowMs = this.#api.now()
    const steps = this.#api.feedVersions.newest(nowMs)
    runFairly(context, this.#api, { caller: EVERYBODY, steps }, (version) => {
      const revision = formatRevision(version.snapshot.committed)
      const common = `X-Request-Id: ${context.requestId}\r\nCache-Control: public, max-age=10\r\n`
      const headers = `${common}Slots-Revision: ${revision}\r\n`
      sendJson(context, manifestOf(version, this.#access, { baseUrl: this.#api.baseUrl, nowMs }), headers)
    })
  }

  #sendUpdate(context: RequestContext, path: string, { search, reader }: FeedRequest): void {
    const name = path.slice(path.indexOf('/') + 1)
    const request = { name, search, nowMs: this.#api.now(), caller: EVERYBODY, access: this.#access }
    const isPage = path.startsWith(UPDATES_FOLDER)
    const type = isPage
      ? chooseType(context.request, [JSON_TYPE], [FHIR_JSON_TYPE])
      : chooseType(context.request, FEED_MEDIA_TYPES, [FHIR_JSON_TYPE])
    // Pages that wait for an update are polled. They and those of manifests are answered from memory.
    if (!isPage || parseUpdatePage(name)?.kind === 'update') this.#takePlace(context, reader)
    if (isPage) sendPage(request, context, this.#api)
    else sendUpdateFile({ ...request, type }, context, this.#api)
  }

  /** Until the response is closed. Throws `Problem('not-ready')` if too many wait, or too many of the reader. */
  #takePlace({ request, response }: RequestContext, { id }: FeedReader): void {
    const release = this.#updates.take(id)
    if (release === undefined)
      throw new Problem('not-ready', 'Too many updates are being read. Please try again in 2 seconds.', {
        headers: { 'retry-after': '2' },
      })
    const timeout = setTimeout(() => request.socket.destroy(), UPDATE_MS_MAX).unref()
    response.once('close', () => {
      clearTimeout(timeout)
      release()
    })
  }

  #sendFile(context: RequestContext, name: string, { search, reader }: FeedRequest): void {
    parseParameters(search, FEED_FILE_PARAMETERS, {})
    const type = chooseType(context.request, FEED_MEDIA_TYPES, [FHIR_JSON_TYPE])
    sendFeedFile({ name, type, nowMs: this.#api.now(), reader, access: this.#access }, context, this.#api)
  }
}

const REFUSAL_DELAY_MS = 300
/** Each takes some 5 kB. */
const REFUSALS_WAITING_MAX = 10_000

/** Requests for updates that may wait for the dashboard thread, or be sent, at once. */
const UPDATES_WAITING_MAX = 8
/** The SMART Scheduling Links connector prefetches four files at once. */
const UPDATES_PER_READER_MAX = 4
/** For the largest file of an update, 140 kB a second. */
const UPDATE_MS_MAX = 2 * MINUTE_MS

interface FeedRequest {
  readonly search: string
  readonly reader: FeedReader
}

interface FeedTarget {
  readonly name: string
  readonly search: string
}

/** Undefined for a target outside the feed. */
function parseTarget(target: string): FeedTarget | undefined {
  if (!target.startsWith(OPEN_FEED_PATH)) return undefined
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const name = path.slice(OPEN_FEED_PATH.length).replace(/^%24/, '$').replaceAll(/%7e/gi, '~')
  const isUpdate = name.startsWith(UPDATES_FOLDER) || name.startsWith(UPDATE_FILES_FOLDER)
  if (name !== MANIFEST_NAME && !isUpdate && parseFileName(name) === undefined) return undefined
  return { name, search: mark === -1 ? '' : target.slice(mark + 1) }
}
