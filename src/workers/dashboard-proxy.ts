import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { clientAddress } from '../http/client-address.ts'
import { type CommonProblem, rejection } from '../http/rejection.ts'
import { BODY_BYTES_MAX, type SerializedResponse } from '../http/serialized-http.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { type SentBody, sendBody } from './body-sender.ts'
import type { ToAccountThread } from './dashboard-messages.ts'
import { readBody, type UnreadBody } from './read-body.ts'

/** A request for the dashboard's own API, or for an operation of `/v1` that is answered beside it, and its answer in the making. */
export interface GateExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** As in `SerializedRequest`. */
  readonly operation?: string
  /** Sends an answer in the place of the gate, a refusal of its own too: callers of `/v1` choose the form of what they get. Never throws. */
  readonly send?: (answer: SerializedResponse) => void
}

export interface GateOptions {
  /** Posts to the account thread, with what `portsOf()` names; false if it is away. */
  readonly post: (message: ToAccountThread) => boolean
  readonly trustedProxies: number
  /** How long a body may take to come, and an answer to be made. */
  readonly bodyMs: number
  readonly answerMs: number
  readonly upload: UploadLimits
}

/** What a file that is brought may take. */
export interface UploadLimits {
  readonly bytesMax: number
  /** Between two pieces of it. */
  readonly idleMs: number
  /** From its end to the answer: it is read, and written to the store. */
  readonly answerMs: number
}

/** How long the requests of a node may take: every one of its gates has these limits. */
export const GATE_LIMITS = { bodyMs: 10_000, answerMs: 30_000 } as const

/** How long a file may take, on every gate of a node; how large it may be is configured. */
export const UPLOAD_LIMITS = { idleMs: 30_000, answerMs: 15 * MINUTE_MS } as const

/** Files that are brought at once: each may hold a window's worth of memory here. */
const UPLOADS_MAX = 4

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

/** Why a request is refused here, before the account thread hears of it or because it does not answer. */
const REFUSALS = {
  'too-large': ['content-too-large', `The body must be at most ${BODY_BYTES_MAX} bytes.`],
  'too-slow': ['request-timeout', 'The body must arrive whole within 10 seconds.'],
  'file-too-large': ['content-too-large', 'The file is larger than this service takes.'],
  stalled: ['request-timeout', 'The file must keep coming: nothing came for 30 seconds.'],
  away: ['not-ready', 'This part of the service is starting. Please try again in a second.'],
  busy: ['not-ready', 'Too many requests are waiting. Please try again in a second.'],
  silent: ['not-ready', 'The answer took too long. Please try again.'],
  broken: ['internal-error', 'The service failed. Please try again.'],
} as const satisfies Record<string, readonly [CommonProblem, string]>

/**
 * Hands requests over to the account thread and its answers back. Nothing is waited for here but bodies, so that
 * callers of `/v1`, who are answered on the same thread, notice none of it.
 */
export class AccountGate {
  readonly #options: GateOptions
  readonly #asked = new Map<number, Asked>()
  /** By the sockets that they come through. */
  readonly #uploads = new Set<Duplex>()
  #reading = 0
  #lastId = 0

  constructor(options: GateOptions) {
    this.#options = options
  }

  /** Sees to it that the request is answered, now or later. */
  handle(exchange: GateExchange): void {
    const isFull = this.#asked.size + this.#reading >= WAITING_MAX || this.#isCrowded(exchange)
    if (isFull) refuse(exchange, 'busy')
    else if (isUpload(exchange.request)) this.#upload(exchange)
    else void this.#readAndAsk(exchange)
  }

  /** Sends what the account thread answered; nothing if it was given up before. */
  answer(id: number, answer: SerializedResponse): void {
    const exchange = this.#end(id)
    if (exchange === undefined) return
    // Whoever answers before the end of a file wants no more of it.
    if (!exchange.request.complete) lingerFor(exchange)
    if (exchange.send === undefined) send(exchange, answer)
    else exchange.send(answer)
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

  /** True while a file comes through a socket: that may take longer than other requests. */
  isUploading(socket: Duplex): boolean {
    return this.#uploads.has(socket)
  }

  async #readAndAsk(exchange: GateExchange): Promise<void> {
    this.#reading++
    const limits = { bytesMax: BODY_BYTES_MAX, timeoutMs: this.#options.bodyMs }
    const body = await readBody(exchange.request, limits)
    this.#reading--
    if (typeof body === 'string') refuseBody(exchange, body)
    else this.#ask(exchange, body)
  }

  #upload(exchange: GateExchange): void {
    const { request } = exchange
    const { bytesMax, idleMs, answerMs } = this.#options.upload
    const isTooLarge = Number(request.headers['content-length'] ?? 0) > bytesMax
    if (isTooLarge || this.#uploads.size >= UPLOADS_MAX) {
      refuseBody(exchange, isTooLarge ? 'file-too-large' : 'busy')
      return
    }
    const { port1: port, port2: upload } = new MessageChannel()
    const { socket } = request
    const id = this.#ask(exchange, undefined, { port, upload })
    this.#uploads.add(socket)
    void sendBody(request, port, { bytesMax, idleMs }).then((sent) => {
      this.#uploads.delete(socket)
      this.#noteSent(id, sent, answerMs)
    })
  }

  #noteSent(id: number, sent: SentBody, answerMs: number): void {
    const asked = this.#asked.get(id)
    if (asked === undefined) return
    // Whoever wants no more of it answers now, whoever has all of it when it is read.
    const waitMs = { whole: answerMs, unwanted: this.#options.answerMs }[sent as string]
    if (waitMs !== undefined) {
      asked.timer = setTimeout(() => this.#refuse(id, 'silent'), waitMs)
      return
    }
    this.#end(id)
    if (sent === 'too-large') refuseBody(asked.exchange, 'file-too-large')
    else if (sent === 'too-slow') refuseBody(asked.exchange, 'stalled')
    else if (sent === 'untaken') refuseBody(asked.exchange, 'silent')
  }

  #ask(
    exchange: GateExchange,
    body: Uint8Array | undefined,
    ports?: { port: MessagePort; upload: MessagePort },
  ): number {
    const { request, requestId, operation } = exchange
    const id = ++this.#lastId
    const plain = {
      method: request.method ?? 'GET',
      target: request.url ?? '/',
      headers: pairs(request.rawHeaders),
      ...(body !== undefined && { body }),
      ...(ports && { upload: ports.upload }),
      address: clientAddress(request, this.#options.trustedProxies),
      requestId,
      ...(operation !== undefined && { operation }),
    }
    // A file comes for as long as it comes; from its end on the answer is waited for.
    const timer = ports ? undefined : setTimeout(() => this.#refuse(id, 'silent'), this.#options.answerMs)
    this.#asked.set(id, { exchange, timer, port: ports?.port })
    if (!this.#options.post({ kind: 'request', id, request: plain })) this.#refuse(id, 'away')
    return id
  }

  #refuse(id: number, why: keyof typeof REFUSALS): void {
    const exchange = this.#end(id)
    if (exchange !== undefined) refuse(exchange, why)
  }

  #end(id: number): GateExchange | undefined {
    const asked = this.#asked.get(id)
    clearTimeout(asked?.timer)
    asked?.port?.close()
    this.#asked.delete(id)
    return asked?.exchange
  }
}

interface Asked {
  readonly exchange: GateExchange
  timer: NodeJS.Timeout | undefined
  /** Where its body goes, if it is a file. */
  readonly port: MessagePort | undefined
}

/** Whether a request brings a file. */
function isUpload({ method, url, headers }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    headers['content-type'] === 'application/octet-stream' &&
    /^\/api\/operator\/sources\/[^/?]+\/upload(?:\?|$)/.test(url ?? '')
  )
}

function pairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, n) => [raw[2 * n], raw[2 * n + 1]])
}

function send(exchange: GateExchange, { status, headers, body }: SerializedResponse): void {
  const { request, response, requestId } = exchange
  if (response.destroyed || response.headersSent) return
  try {
    for (const [name, value] of Object.entries({ ...HEADERS, 'x-request-id': requestId })) {
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

function refuseBody(exchange: GateExchange, why: UnreadBody | keyof typeof REFUSALS): void {
  if (why === 'gone') return
  lingerFor(exchange)
  refuse(exchange, why)
}

/** Whoever is still sending gets to read the answer: so long, what comes is thrown away. Then the connection ends. */
const LINGER_MS = 2000

function lingerFor({ request, response }: GateExchange): void {
  request.resume()
  response.once('finish', () => {
    if (request.complete) return
    const timer = setTimeout(() => request.socket.destroy(), LINGER_MS).unref()
    request.once('end', () => clearTimeout(timer))
  })
}

function refuse(exchange: GateExchange, why: keyof typeof REFUSALS): void {
  const { response, requestId } = exchange
  if (response.destroyed || response.headersSent) return
  const [code, message] = REFUSALS[why]
  const answer = rejection(exchange, code, message, {
    ...(code === 'not-ready' && { 'retry-after': '1' }),
    ...((why === 'too-large' || why === 'too-slow') && { connection: 'close' }),
  })
  if (exchange.send !== undefined) exchange.send(answer)
  else {
    const { status, headers, body } = answer
    const all = { ...HEADERS, ...Object.fromEntries(headers), 'x-request-id': requestId }
    response.writeHead(status, { ...all, 'content-length': body.length }).end(body)
  }
}
