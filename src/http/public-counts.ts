import { addressBlock } from '../lib/network-address.ts'
import { SECOND_MS } from '../lib/time.ts'
import type { ApiContext, RequestContext } from './api-context.ts'
import { clientAddress } from './client-address.ts'
import type { FairCaller } from './fair-queue.ts'
import { notReady } from './health.ts'
import { etagOfContent } from './negotiation.ts'
import { refuseMethod } from './preflight.ts'
import { RateLimits } from './rate-limits.ts'
import { sendError } from './send-error.ts'
import { type JsonBody, sendJson } from './send-json.ts'
import { COUNTS_PATH } from './site/fill-in.ts'

/** All that the front page shows, without a key: sums, and no name of a publisher. */
export interface FrontPageCounts {
  /** Open slots. */
  readonly slots: number
  /** Open slots by state, in order of the codes; a slot of several states counts in each. */
  readonly states: Readonly<Record<string, number>>
  /** Publishers with open slots. */
  readonly publishers: number
  /** When these counts were made, and when a publisher of theirs was last checked: RFC 3339. */
  readonly at: string
  readonly checkedAt?: string
}

const COUNTS_MS = 10 * SECOND_MS
/** Of an address. A page asks twice a minute. */
const RATES = { addressRequests: 120 }
const ADDRESSES_MAX = 10_000
/** Everybody waits for the same counting. */
const EVERYBODY: FairCaller = { id: 'public-counts', organizationId: 'public-counts' }

/** `GET /counts.json`: counts at most once in ten seconds for all callers, and answers from memory in between. */
export class PublicCounts {
  readonly #api: ApiContext
  readonly #limits = new RateLimits(RATES, ADDRESSES_MAX)
  #counting: Promise<JsonBody> | undefined
  #counted: { readonly json: JsonBody; readonly atMs: number } | undefined

  constructor(api: ApiContext) {
    this.#api = api
  }

  /** Responds if the target is `COUNTS_PATH`. Throws `Problem`. */
  handle(context: RequestContext, target: string): boolean {
    if (target !== COUNTS_PATH) return false
    const { request, response } = context
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      refuseMethod(context, COUNTS_PATH)
      return true
    }
    if (!this.#api.isReady()) throw notReady()
    const id = addressBlock(clientAddress(request, this.#api.trustedProxies ?? 0))
    this.#limits.take({ ...EVERYBODY, id }, response, performance.now())
    this.#fresh().then(
      (json) => {
        const headers = `Cache-Control: public, max-age=${COUNTS_MS / SECOND_MS}\r\n`
        if (!response.destroyed) sendJson(context, json, headers)
      },
      (error: unknown) => sendError(error, context, this.#api),
    )
    return true
  }

  #fresh(): Promise<JsonBody> {
    const nowMs = this.#api.now()
    if (this.#counted !== undefined && Math.abs(nowMs - this.#counted.atMs) < COUNTS_MS)
      return Promise.resolve(this.#counted.json)
    this.#counting ??= this.#count(nowMs).finally(() => {
      this.#counting = undefined
    })
    return this.#counting
  }

  async #count(nowMs: number): Promise<JsonBody> {
    const body = Buffer.from(JSON.stringify(await countForFrontPage(this.#api, nowMs)))
    const json = { body, etag: etagOfContent(body) }
    this.#counted = { json, atMs: nowMs }
    return json
  }
}

async function countForFrontPage({ index, queue, now, sources }: ApiContext, nowMs: number): Promise<FrontPageCounts> {
  const open = await queue.finish(
    EVERYBODY,
    index.inSteps(now, (view) => view.counts.open()),
  )
  const states = new Map<string, number>()
  let slots = 0
  let publishers = 0
  let checkedAtMs = 0
  for (const [publisher, { all, byState }] of open) {
    if (all === 0) continue
    publishers++
    slots += all
    for (const [state, count] of byState) states.set(state, (states.get(state) ?? 0) + count)
    checkedAtMs = Math.max(checkedAtMs, sources.find(publisher)?.lastCheckedAtMs ?? 0)
  }
  return {
    slots,
    states: Object.fromEntries([...states].sort(([a], [b]) => (a < b ? -1 : 1))),
    publishers,
    at: new Date(nowMs).toISOString(),
    ...(checkedAtMs > 0 && { checkedAt: new Date(checkedAtMs).toISOString() }),
  }
}
