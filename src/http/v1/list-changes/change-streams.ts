import type { ServerResponse } from 'node:http'
import type { ActiveKey } from '../../../keys/key-ring.ts'
import { Semaphore } from '../../../lib/concurrency.ts'
import { parseRevision } from '../../../slot/revision.ts'
import type { CommittedRevision } from '../../../slot-index/index-content.ts'
import type { ApiContext, RequestContext } from '../../api-context.ts'
import { readerOf } from '../../key-networks.ts'
import { Problem, temporarilyUnavailable } from '../../problem.ts'
import { sendRelayed } from '../../relay.ts'
import { sendError } from '../../send-error.ts'
import type { SerializedRequest, SerializedResponse } from '../../serialized-http.ts'
import { withParameter } from '../page-links.ts'
import { CHANGE_EVENTS, EVENT_STREAM_TYPE, formatPosition } from './change-events.ts'

/** The limits of the streams of one serving thread. */
interface StreamLimits {
  readonly concurrentMax: number
  readonly perOrganizationMax: number
  /** Pages that are read from the store at once. */
  readonly readsMax: number
  /** How often each stream is checked for new commits. */
  readonly checkEveryMs: number
  /** The longest silence. */
  readonly heartbeatMs: number
  /** A client that leaves a page of changes for this long is disconnected. It can resume. */
  readonly stalledMsMax: number
  /** The delay before a page is read again after a failure. */
  readonly retryMs: number
}

export const STREAM_LIMITS: StreamLimits = {
  concurrentMax: 500,
  perOrganizationMax: 20,
  readsMax: 2,
  checkEveryMs: 500,
  heartbeatMs: 15_000,
  stalledMsMax: 30_000,
  retryMs: 5_000,
}

/** A request for a stream, with valid parameters. */
interface StreamOrder {
  readonly key: ActiveKey
  /** The filters; `since` is replaced. */
  readonly search: string
  readonly since: string
}

interface StreamDependencies {
  /** Hands a request to the thread that can read the store. */
  readonly ask: (request: SerializedRequest, signal: AbortSignal) => Promise<SerializedResponse>
  readonly committed: () => CommittedRevision
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/**
 * The open streams of changes of one serving thread. A timer checks each for commits after its position, and pages are read a few at a
 * time, so that many streams delay neither each other nor other requests.
 *
 *     connect ── first page: 200 ──> waiting ── new commit ──> reading ──> waiting …
 *        └ first page: 400, 410, 503       └ key revoked, changes gone, node draining: end; the client reconnects
 *                                          └ client too slow: aborted
 */
export class ChangeStreams {
  readonly #dependencies: StreamDependencies
  readonly #limits: StreamLimits
  readonly #reads: Semaphore
  readonly #streams = new Set<ChangeStream>()
  #checking: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(dependencies: StreamDependencies, limits = STREAM_LIMITS) {
    this.#dependencies = dependencies
    this.#limits = limits
    this.#reads = new Semaphore(limits.readsMax)
  }

  /** The number of open streams. */
  get size(): number {
    return this.#streams.size
  }

  /** Streams the changes after a revision until the client leaves. Throws `Problem('too-many-streams')` and `Problem('not-ready')`. */
  open(order: StreamOrder, context: RequestContext, api: ApiContext): void {
    this.#requireRoom(order.key)
    const { response } = context
    const stream = new ChangeStream(order, {
      context,
      api,
      limits: this.#limits,
      read: (search) => this.#read(search, order, response),
    })
    this.#streams.add(stream)
    response.once('close', () => this.#remove(stream))
    this.#checking ??= setInterval(() => this.#check(), this.#limits.checkEveryMs)
    stream.start()
  }

  /** Ends all streams; their clients reconnect, to another node if this one is about to end. */
  close(): void {
    this.#isClosed = true
    for (const stream of this.#streams) stream.end()
  }

  #requireRoom({ organizationId }: ActiveKey): void {
    const { concurrentMax, perOrganizationMax } = this.#limits
    if (this.#isClosed)
      throw new Problem('not-ready', 'This node is shutting down. Please connect again.', {
        headers: { 'retry-after': '1' },
      })
    let ofOrganization = 0
    for (const { order } of this.#streams) if (order.key.organizationId === organizationId) ofOrganization++
    if (ofOrganization >= perOrganizationMax)
      throw tooMany(`One organization can have ${perOrganizationMax} streams open. Close one first.`)
    if (this.#streams.size >= concurrentMax)
      throw tooMany('The limit of open streams is reached. Please try again later.')
  }

  #remove(stream: ChangeStream): void {
    this.#streams.delete(stream)
    if (this.#streams.size > 0) return
    clearInterval(this.#checking)
    this.#checking = undefined
  }

  #check(): void {
    const nowMs = this.#dependencies.now()
    const committed = this.#dependencies.committed()
    for (const stream of this.#streams) {
      // It may have begun to read its first page before `close()`.
      if (this.#isClosed) stream.end()
      stream.check(committed, nowMs)
    }
  }

  #read(
    search: string,
    { key: { id, organizationId } }: StreamOrder,
    response: ServerResponse,
  ): Promise<SerializedResponse> {
    return this.#reads.run(() => {
      const closed = new AbortController()
      const abort = () => closed.abort()
      response.once('close', abort)
      const request = {
        method: 'GET',
        target: `?${search}`,
        headers: [],
        address: '',
        requestId: '',
        operation: CHANGE_EVENTS,
        caller: { id, organizationId },
      }
      return this.#dependencies.ask(request, closed.signal).finally(() => response.off('close', abort))
    }, organizationId)
  }
}

interface StreamParts {
  readonly context: RequestContext
  readonly api: ApiContext
  readonly limits: StreamLimits
  /** Reads a page of events. Rejects if the thread that reads the store is not running. */
  readonly read: (search: string) => Promise<SerializedResponse>
}

/** One stream and its client. */
class ChangeStream {
  readonly order: StreamOrder
  readonly #parts: StreamParts
  readonly #response: ServerResponse
  readonly #reader: Pick<ActiveKey, 'isActive'>
  /** The revision to resume from. */
  #position: string
  #isReading = false
  /** On the clock of `performance.now()`. */
  #writtenMs = performance.now()
  #retryAtMs = 0

  constructor(order: StreamOrder, parts: StreamParts) {
    this.order = order
    this.#parts = parts
    this.#response = parts.context.response
    this.#reader = readerOf(order.key, parts.context.request, parts.api)
    this.#position = order.since
  }

  /** Reads the first page, whose status is that of the response. */
  start(): void {
    void this.#readOn()
  }

  /** Reads what was committed meanwhile, or keeps the connection alive. Ends the stream if its key is no longer accepted. */
  check(committed: CommittedRevision, nowMs: number): void {
    const { heartbeatMs, stalledMsMax } = this.#parts.limits
    const silentMs = performance.now() - this.#writtenMs
    const { writableNeedDrain, writableEnded } = this.#response
    // After its end as well, or the rest that a client does not read would be held as long as the client wants.
    if ((writableNeedDrain || writableEnded) && silentMs >= stalledMsMax) this.#response.req.socket.resetAndDestroy()
    else if (!this.#reader.isActive(nowMs)) this.end()
    else if (writableNeedDrain || writableEnded) return
    else if (!this.#isReading && this.#isBehind(committed) && performance.now() >= this.#retryAtMs) void this.#readOn()
    else if (this.#response.headersSent && silentMs >= heartbeatMs) this.#write(formatPosition(this.#position))
  }

  end(): void {
    if (this.#response.headersSent) this.#response.end()
  }

  get #isOver(): boolean {
    return this.#response.writableEnded || this.#response.destroyed
  }

  #isBehind({ store, revision }: CommittedRevision): boolean {
    const after = parseRevision(this.#position)
    return after === undefined || after.store !== store || after.revision < revision
  }

  /** Reads pages until the last one, at the pace of the client. */
  async #readOn(): Promise<void> {
    this.#isReading = true
    try {
      for (let hasMore = true; hasMore && !this.#isOver; await this.#drained()) {
        const since = { parameter: 'since', value: this.#position }
        const page = await this.#parts.read(withParameter(this.order.search, since))
        hasMore = page.status === 200 ? this.#take(page) : this.#fail(page)
      }
    } catch {
      // The thread that reads the store is not running, and reports why.
      if (this.#response.headersSent) this.#retryLater()
      else sendError(temporarilyUnavailable('Changes are'), this.#parts.context, this.#parts.api)
    } finally {
      this.#isReading = false
    }
  }

  /** Sends a page. True if there is another. */
  #take({ headers, body }: SerializedResponse): boolean {
    const { context } = this.#parts
    const named = new Map(headers)
    this.#position = named.get('slots-revision') ?? this.#position
    if (!this.#response.headersSent) {
      this.#response.writeHead(200, headersOf(context))
      context.meter?.()
      if (context.request.method === 'HEAD') this.end()
      this.#write(`retry: ${RECONNECT_MS}\n\n`)
    }
    this.#write(body)
    return named.has('link')
  }

  /** A stream that cannot go on ends; when the client resumes, the response says why. Returns false. */
  #fail(page: SerializedResponse): false {
    const { context, api } = this.#parts
    if (!this.#response.headersSent) sendRelayed(page, context, api)
    else if (page.status === 503) this.#retryLater()
    else this.end()
    return false
  }

  /** Resolves when the client has taken what was written, or is gone. */
  async #drained(): Promise<void> {
    if (!this.#response.writableNeedDrain || this.#isOver) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const settle = () => resolve()
    this.#response.once('drain', settle).once('close', settle)
    await promise
    this.#response.off('drain', settle).off('close', settle)
  }

  #retryLater(): void {
    this.#retryAtMs = performance.now() + this.#parts.limits.retryMs
  }

  #write(data: string | Uint8Array): void {
    if (this.#isOver) return
    this.#response.write(data)
    this.#writtenMs = performance.now()
  }
}

/** The delay before a client reconnects after the end of a stream. */
const RECONNECT_MS = 1000

function headersOf({ requestId }: RequestContext): Readonly<Record<string, string>> {
  return {
    'Content-Type': EVENT_STREAM_TYPE,
    'Cache-Control': 'no-store',
    // nginx would collect events otherwise.
    'X-Accel-Buffering': 'no',
    'X-Request-Id': requestId,
  }
}

function tooMany(message: string): Problem {
  return new Problem('too-many-streams', message, { headers: { 'retry-after': '30' } })
}
