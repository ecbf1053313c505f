import { ADDRESS_HEADER, REQUEST_ID_HEADER } from '../auth/auth-request.ts'
import { Refusals } from '../http/refusals.ts'
import { rejection, type SerializedRequest, type SerializedResponse } from '../http/serialized-http.ts'
import type { UsageBatch } from '../keys/usage-batch.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { errorMessage, errorText } from '../lib/text.ts'
import { DASHBOARD_PROBLEMS, internalDashboardError, storeUnavailable } from '../shared/dashboard-problem.ts'
import { type Store, StoreUnavailable } from '../store/contracts/store.ts'
import { seenUnavailability, trackUnavailability } from '../store/sql/store-availability.ts'
import type { UsageResult } from './dashboard-messages.ts'
import { receiveBody } from './request-body.ts'

/** Answers `/api`. */
export interface DashboardApi {
  fetch(request: Request): Response | Promise<Response>
  /** Extends the session of the cookies, if it is due; returns its `Set-Cookie` headers. */
  renewSession(headers: Headers): Promise<string[]>
}

interface DashboardServiceOptions {
  readonly store: Pick<Store, 'usage'>
  /** Of each organization. */
  readonly logEntriesMax: number
  /** The node polls the store and logs each outage. A poll of SQLite only reads, and does not notice a full disk. */
  readonly pollsReportOutages: boolean
  /** Called for each request of `/api`, of which the first loads the code. */
  openApi(): Promise<DashboardApi>
  /** Responds to requests with an `operation`. */
  operate(request: SerializedRequest, signal: AbortSignal): Promise<SerializedResponse>
  /** The origin of the dashboard. */
  readonly origin: string
  readonly onEvent: (event: LogEvent) => void
}

/** Does the work of the dashboard thread, many requests at once. */
export class DashboardService {
  readonly #options: DashboardServiceOptions
  readonly #running = new Set<Promise<unknown>>()
  readonly #refusals: Refusals

  constructor(options: DashboardServiceOptions) {
    this.#options = options
    this.#refusals = new Refusals(options.onEvent)
  }

  /** Never rejects. The signal aborts when the client has closed its connection. */
  respond(request: SerializedRequest, signal: AbortSignal): Promise<SerializedResponse> {
    const { operate } = this.#options
    const response = request.operation === undefined ? this.#respond(request, signal) : operate(request, signal)
    return this.#track(response.catch((error: unknown) => this.#fail(error, request)))
  }

  /** Never rejects. */
  addUsage(batch: UsageBatch): Promise<UsageResult> {
    const { store, logEntriesMax, pollsReportOutages } = this.#options
    const isReported = (error: unknown) => pollsReportOutages && error instanceof StoreUnavailable
    return this.#track(
      store.usage.add(batch, logEntriesMax).then(
        () => ({ stored: true }),
        (error) => ({ stored: false, ...(!isReported(error) && { error: errorMessage(error) }) }),
      ),
    )
  }

  /** Resolves when all pending work is done. */
  async finish(): Promise<void> {
    await Promise.all(this.#running)
  }

  #track<T>(work: Promise<T>): Promise<T> {
    const done = work.finally(() => this.#running.delete(done))
    this.#running.add(done)
    return done
  }

  async #respond(request: SerializedRequest, signal: AbortSignal): Promise<SerializedResponse> {
    const fetched = trackUnavailability(() => this.#fetchUnlessUnavailable(request, signal))
    const response = await serializeResponse(await fetched)
    this.#noteRefusal(request, response)
    return response
  }

  /** Not 404 outside organizations. */
  #noteRefusal({ target, address }: SerializedRequest, { status, body }: SerializedResponse): void {
    const isForeign = status === 404 && target.startsWith('/api/organizations/')
    const isRefused = isForeign || status === 401 || status === 403 || status === 429
    if (!isRefused) return
    this.#refusals.note({ status, reason: refusalReason(body), address })
  }

  /** If the store is unavailable, better-auth responds that a password is wrong, or fails. */
  async #fetchUnlessUnavailable(request: SerializedRequest, signal: AbortSignal): Promise<Response> {
    const response = await this.#fetch(request, signal).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable) && seenUnavailability() === undefined) throw error
    })
    if (response !== undefined && (response.status < 400 || seenUnavailability() === undefined)) return response
    return storeUnavailable().toResponse()
  }

  async #fetch(serialized: SerializedRequest, signal: AbortSignal): Promise<Response> {
    const request = toWebRequest(serialized, this.#options.origin, signal)
    const api = await this.#options.openApi()
    const response = await api.fetch(request)
    // Every visit of the dashboard begins with this request: it renews the session.
    if (request.method !== 'GET' || new URL(request.url).pathname !== '/api/me' || !response.ok) return response
    const renewed = new Response(response.body, response)
    for (const cookie of await api.renewSession(request.headers)) renewed.headers.append('set-cookie', cookie)
    return renewed
  }

  #fail(error: unknown, request: SerializedRequest): SerializedResponse {
    const { method, target, requestId } = request
    const fields = { error: errorText(error), method, path: pathForLog(target), requestId }
    this.#options.onEvent({ level: 'error', message: 'dashboard request failed', fields })
    return rejection(request, 'internal-error', internalDashboardError().message)
  }
}

/** The code of our problems; `other` for the errors of better-auth, which are many. */
function refusalReason(body: Uint8Array): string {
  try {
    const { code } = JSON.parse(Buffer.from(body).toString())
    return typeof code === 'string' && Object.hasOwn(DASHBOARD_PROBLEMS, code) ? code : 'other'
  } catch {
    return 'other'
  }
}

/** The Fetch request of a request from another thread. A client cannot set `ADDRESS_HEADER`: its value is replaced. */
export function toWebRequest(serialized: SerializedRequest, origin: string, signal: AbortSignal): Request {
  const { target, address, requestId, upload, body } = serialized
  // The Fetch standard forbids these methods, but not other methods that no path allows.
  const method = serialized.method.replace(/^(?:CONNECT|TRACE|TRACK)$/, 'X-$&')
  const headers = new Headers(serialized.headers.map(([name, value]): [string, string] => [name, value]))
  headers.set(ADDRESS_HEADER, address)
  headers.set(REQUEST_ID_HEADER, requestId)
  // Drops the scheme and host that a request line may name.
  const url = new URL(target.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/^\/+/, '/'), origin)
  if (upload !== undefined)
    return new Request(url, { method, headers, signal, body: receiveBody(upload), duplex: 'half' } as RequestInit)
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
  return new Request(url, { method, headers, signal, ...(hasBody && { body: Buffer.from(body) }) })
}

/** Reads the response's body. Each cookie keeps its own header. */
export async function serializeResponse(response: Response): Promise<SerializedResponse> {
  const body = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, headers: [...response.headers], body }
}

/** A path for the log: without the query. No path contains a secret. */
export function pathForLog(target: string): string {
  return target.split('?')[0]
}
