import type { IncomingMessage, ServerResponse } from 'node:http'
import { clientAddress } from './client-address.ts'
import { BODY_BYTES_MAX, type PlainResponse, type ToAccountThread } from './node-port.ts'
import { readBody, type UnreadBody } from './read-body.ts'

/** A request for the dashboard's own API, or for an operation of `/v1` that is answered beside it, and its answer in the making. */
export interface GateExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** As in `PlainRequest`. */
  readonly operation?: string
}

export interface GateOptions {
  /** Posts to the account thread; false if it is away. */
  readonly post: (message: ToAccountThread) => boolean
  readonly trustedProxies: number
  /** How long a body may take to come, and an answer to be made. */
  readonly bodyMs: number
  readonly answerMs: number
}

/** How long the requests of a node may take: every one of its gates has these limits. */
export const GATE_LIMITS = { bodyMs: 10_000, answerMs: 30_000 } as const

/** More than a hundred people at once would not be served better by waiting longer. */
const WAITING_MAX = 200

/** Of these, so many may be callers of `/v1`: they leave room for people. */
const CALLERS_WAITING_MAX = 100

/** Sent with every answer, unless it says otherwise itself: nothing here is a page, and nothing is to be kept. */
const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Nor is what callers of `/v1` are answered; whatever else is said to browsers is not for them. */
const HEADERS_OF_CALLERS: Readonly<Record<string, string>> = { 'cache-control': 'no-store' }

/** Why a request is refused here, before the account thread hears of it or because it does not answer. */
const REFUSALS = {
  'too-large': [413, 'Content too large', `The body must be at most ${BODY_BYTES_MAX} bytes.`],
  'too-slow': [408, 'Request timeout', 'The body must arrive whole within 10 seconds.'],
  away: [503, 'Not ready', 'This part of the service is starting. Please try again in a second.'],
  busy: [503, 'Not ready', 'Too many requests are waiting. Please try again in a second.'],
  silent: [503, 'Not ready', 'The answer took too long. Please try again.'],
  broken: [500, 'Internal error', 'The service failed. Please try again.'],
} as const

/**
 * Hands requests over to the account thread and its answers back. Nothing is waited for here but bodies, so that
 * callers of `/v1`, who are answered on the same thread, notice none of it.
 */
export class AccountGate {
  readonly #options: GateOptions
  readonly #asked = new Map<number, { exchange: GateExchange; timer: NodeJS.Timeout }>()
  #reading = 0
  #lastId = 0

  constructor(options: GateOptions) {
    this.#options = options
  }

  /** Sees to it that the request is answered, now or later. */
  handle(exchange: GateExchange): void {
    if (this.#asked.size + this.#reading >= WAITING_MAX || this.#isCrowded(exchange)) refuse(exchange, 'busy')
    else void this.#readAndAsk(exchange)
  }

  /** Sends what the account thread answered; nothing if it was given up before. */
  answer(id: number, answer: PlainResponse): void {
    const exchange = this.#end(id)
    if (exchange !== undefined) send(exchange, answer)
  }

  /** The account thread is gone, and with it all that it was asked. */
  giveUp(): void {
    for (const id of [...this.#asked.keys()]) this.#refuse(id, 'away')
  }

  #isCrowded({ operation }: GateExchange): boolean {
    if (operation === undefined || this.#asked.size < CALLERS_WAITING_MAX) return false
    const callers = [...this.#asked.values()].filter(({ exchange }) => exchange.operation !== undefined)
    return callers.length >= CALLERS_WAITING_MAX
  }

  async #readAndAsk(exchange: GateExchange): Promise<void> {
    this.#reading++
    const limits = { bytesMax: BODY_BYTES_MAX, timeoutMs: this.#options.bodyMs }
    const body = await readBody(exchange.request, limits)
    this.#reading--
    if (typeof body === 'string') refuseBody(exchange, body)
    else this.#ask(exchange, body)
  }

  #ask(exchange: GateExchange, body: Uint8Array | undefined): void {
    const { request, requestId, operation } = exchange
    const id = ++this.#lastId
    const plain = {
      method: request.method ?? 'GET',
      target: request.url ?? '/',
      headers: pairs(request.rawHeaders),
      ...(body !== undefined && { body }),
      address: clientAddress(request, this.#options.trustedProxies),
      requestId,
      ...(operation !== undefined && { operation }),
    }
    const timer = setTimeout(() => this.#refuse(id, 'silent'), this.#options.answerMs)
    this.#asked.set(id, { exchange, timer })
    if (!this.#options.post({ kind: 'request', id, request: plain })) this.#refuse(id, 'away')
  }

  #refuse(id: number, why: keyof typeof REFUSALS): void {
    const exchange = this.#end(id)
    if (exchange !== undefined) refuse(exchange, why)
  }

  #end(id: number): GateExchange | undefined {
    const asked = this.#asked.get(id)
    clearTimeout(asked?.timer)
    this.#asked.delete(id)
    return asked?.exchange
  }
}

function pairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, n) => [raw[2 * n], raw[2 * n + 1]])
}

function send(exchange: GateExchange, { status, headers, body }: PlainResponse): void {
  const { request, response, requestId } = exchange
  if (response.destroyed || response.headersSent) return
  try {
    for (const [name, value] of Object.entries({ ...headersFor(exchange), 'x-request-id': requestId })) {
      response.setHeader(name, value)
    }
    const cookies = headers.filter(([name]) => name.toLowerCase() === 'set-cookie')
    if (cookies.length > 0) {
      response.setHeader(
        'set-cookie',
        cookies.map(([, value]) => value),
      )
    }
    for (const [name, value] of headers) if (!OURS.has(name.toLowerCase())) response.setHeader(name, value)
    const isEmpty = status === 204 || status === 304 || request.method === 'HEAD'
    if (!isEmpty) response.setHeader('content-length', body.length)
    response.writeHead(status).end(isEmpty ? undefined : body)
  } catch {
    // A header that cannot be sent is a fault of the answer, and must not end the thread that answers /v1.
    for (const name of response.getHeaderNames()) response.removeHeader(name)
    refuse(exchange, 'broken')
  }
}

/** Set here, or about a connection that is not the account thread's. */
const OURS = new Set(['set-cookie', 'content-length', 'transfer-encoding', 'connection', 'x-request-id'])

function refuseBody(exchange: GateExchange, why: UnreadBody): void {
  if (why === 'gone') return
  refuse(exchange, why)
  const { socket } = exchange.request
  // What is still on its way is thrown away for as long as it takes to read the answer.
  exchange.response.once('finish', () => setTimeout(() => socket.destroy(), 1000).unref())
}

function headersFor({ operation }: GateExchange): Readonly<Record<string, string>> {
  return operation === undefined ? HEADERS : HEADERS_OF_CALLERS
}

function refuse(exchange: GateExchange, why: keyof typeof REFUSALS): void {
  const { response, requestId } = exchange
  if (response.destroyed || response.headersSent) return
  const [status, error, message] = REFUSALS[why]
  const body = Buffer.from(JSON.stringify({ error, message }))
  response.writeHead(status, {
    ...headersFor(exchange),
    'x-request-id': requestId,
    'content-type': 'application/json',
    'content-length': body.length,
    ...(status === 503 && { 'retry-after': '1' }),
    ...((status === 413 || status === 408) && { connection: 'close' }),
  })
  response.end(body)
}
