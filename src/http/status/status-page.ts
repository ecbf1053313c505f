import { SECOND_MS } from '../../lib/time.ts'
import type { ApiContext, RequestContext } from '../api-context.ts'
import { Problem } from '../problem.ts'
import { sendError } from '../send-error.ts'
import type { SerializedResponse } from '../serialized-http.ts'
import { type StaticContent, type StaticFile, showFile } from '../show-file.ts'
import { CACHING, compressFile, plainContents, siteFile } from '../site/site-file.ts'
import type { StatusHistory } from './health-history.ts'
import { statusHtml } from './status-html.ts'
import { type StatusReport, statusReport } from './status-report.ts'

/** Asks the dashboard thread for a `StatusHistory`. */
export type ReadHistory = () => Promise<SerializedResponse>

/** A page is made at most once in this time by each thread. */
const FRESH_MS = 30 * SECOND_MS

/** Bounds the pages that are held: 5,000 publishers. */
const PAGES_MAX = 50

const MARK = '<!-- status -->'

/**
 * `/status` and `/status.json`: which publishers are served, how fresh they are, and their incidents, for anybody. The present is read
 * from the memory of the thread. The history comes from the store, or is the last one that could be read.
 */
export class StatusPage {
  readonly #api: ApiContext
  readonly #readHistory: ReadHistory
  readonly #files = new Map<string, StaticFile | undefined>()
  #history: Promise<StatusHistory | undefined> = Promise.resolve(undefined)
  #lastHistory: StatusHistory | undefined
  #untilMs = 0

  constructor(api: ApiContext, readHistory: ReadHistory) {
    this.#api = api
    this.#readHistory = readHistory
  }

  /** Responds if the target is the page's, now or later. Errors become responses. */
  handle(context: RequestContext, target: string): boolean {
    const match = /^\/status(\.json)?\/?(?:\?(.*))?$/.exec(target)
    if (match === null) return false
    const [, format, search = ''] = match
    this.#respond(context, { isJson: format !== undefined, page: pageOf(search) }).catch((error: unknown) =>
      sendError(error, context, this.#api),
    )
    return true
  }

  async #respond(context: RequestContext, request: StatusPageRequest): Promise<void> {
    const file = request.page === undefined ? undefined : await this.#fileOf(request)
    if (file === undefined) throw new Problem('not-found', 'The status has no such page.')
    if (!context.response.destroyed) showFile(context, { find: () => file, notFound: undefined })
  }

  async #fileOf(request: StatusPageRequest): Promise<StaticFile | undefined> {
    if (this.#api.now() >= this.#untilMs) {
      this.#untilMs = this.#api.now() + FRESH_MS
      this.#files.clear()
      this.#history = this.#fetchHistory()
    }
    const history = await this.#history
    const key = `${request.isJson}${request.page}`
    if (!this.#api.isReady()) return this.#makeFile(request, history)
    if (!this.#files.has(key)) this.#files.set(key, this.#makeFile(request, history))
    return this.#files.get(key)
  }

  async #fetchHistory(): Promise<StatusHistory | undefined> {
    const response = await this.#readHistory().catch(() => undefined)
    if (response?.status === 200) this.#lastHistory = JSON.parse(Buffer.from(response.body).toString())
    return this.#lastHistory
  }

  #makeFile({ isJson, page = 1 }: StatusPageRequest, history: StatusHistory | undefined): StaticFile | undefined {
    const report = statusReport(this.#api, history, page)
    const frame = this.#api.site.statusFrame?.contents.identity
    if (report === undefined || (!isJson && frame === undefined)) return undefined
    const text = frame === undefined || isJson ? JSON.stringify(report) : withContent(frame, report)
    const isStarting = report.status === 'starting'
    const caching = isStarting ? CACHING.never : `public, max-age=${FRESH_MS / SECOND_MS}`
    const made = siteFile(isJson ? 'status.json' : 'status.html', plainContents(Buffer.from(text)), {
      caching,
      isSecure: this.#api.baseUrl.startsWith('https:'),
      status: isStarting ? 503 : 200,
    })
    const file = isJson ? { ...made, headers: { ...made.headers, 'access-control-allow-origin': '*' } } : made
    if (!isStarting) void compressFile(file)
    return file
  }
}

interface StatusPageRequest {
  readonly isJson: boolean
  /** Undefined if it cannot exist. */
  readonly page: number | undefined
}

function pageOf(search: string): number | undefined {
  const text = new URLSearchParams(search).get('page') ?? '1'
  return /^[1-9]\d?$/.test(text) && Number(text) <= PAGES_MAX ? Number(text) : undefined
}

function withContent({ body }: StaticContent, report: StatusReport): string {
  return body.toString().replace(MARK, () => statusHtml(report))
}
