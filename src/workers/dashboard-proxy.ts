import type { Duplex } from 'node:stream'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { RequestContext } from '../http/api-context.ts'
import { clientAddress } from '../http/client-address.ts'
import {
  BODY_BYTES_MAX,
  type CommonProblem,
  dashboardProblemResponse,
  rejection,
  type SerializedRequest,
  type SerializedResponse,
} from '../http/serialized-http.ts'
import { defined } from '../lib/optional.ts'
import type { Release } from '../lib/shared-places.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { ChannelClosed } from './channel.ts'
import { Admission, isBodyRead, isUpload, refusalOfBody } from './proxy-admission.ts'
import { closeAfterReading, readBody, type SentBody, sendBody, type UnreadBody } from './request-body.ts'

export interface ProxyOptions {
  /** Forwards a request to the dashboard thread. Rejects with `ChannelClosed` while it is not running. `signal`: the client is gone. */
  readonly respond: (request: SerializedRequest, signal: AbortSignal) => Promise<SerializedResponse>
  readonly trustedProxies: number
  readonly uploadBytesMax: number
  /** Time for the first byte of a body to arrive. */
  readonly firstByteMs: number
  /** Time for a body to arrive. */
  readonly bodyMs: number
  /** Time for the dashboard thread to respond. */
  readonly responseMs: number
  /** Maximum time between two pieces of an uploaded file. */
  readonly uploadIdleMs: number
  /** Time from the end of an upload to the response: the file is read and stored. */
  readonly uploadResponseMs: number
}

/** The limits of every proxy of a node. */
export const PROXY_LIMITS = {
  firstByteMs: 2000,
  bodyMs: 10_000,
  responseMs: 30_000,
  uploadIdleMs: 30_000,
  uploadResponseMs: 15 * MINUTE_MS,
} as const

/** Concurrent uploads: each may occupy a window's worth of memory here. */
const UPLOADS_MAX = 4

/** Defaults for every response: none may be cached. The server adds the other security headers. */
const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}

/** Why the proxy rejects a request. */
const REJECTIONS = {
  'too-large': ['content-too-large', `The body must be at most ${BODY_BYTES_MAX} bytes.`],
  'too-slow': ['request-timeout', 'The body did not arrive in time.'],
  'file-too-large': ['content-too-large', 'The file is larger than this service accepts.'],
  'file-too-slow': ['request-timeout', 'The upload stalled. Try again.'],
  unavailable: ['not-ready', 'This part of the service is starting. Try again in a second.'],
  busy: ['not-ready', 'Too many requests are waiting. Try again in a second.'],
  timeout: ['not-ready', 'The response took too long. Try again.'],
  failed: ['internal-error', 'The service failed. Try again.'],
} as const satisfies Record<string, readonly [CommonProblem, string]>

type RejectionReason = keyof typeof REJECTIONS

interface Pending {
  readonly proxied: RequestContext
  timer: NodeJS.Timeout | undefined
  /** The port that the body of an upload is sent through. */
  readonly port: MessagePort | undefined
  /** Frees its place. */
  readonly release: Release
}

/**
 * Forwards requests to the dashboard thread and sends its responses. It waits for nothing but bodies, so callers of `/v1`, who are
 * served by the same thread, are not delayed.
 */
export class DashboardProxy {
  readonly #options: ProxyOptions
  readonly #pending = new Set<Pending>()
  readonly #uploadSockets = new Set<Duplex>()
  readonly #admission: Admission

  constructor(options: ProxyOptions) {
    this.#options = options
    this.#admission = new Admission(options.trustedProxies)
  }

  /** Responds to the request, now or later. */
  handle(proxied: RequestContext): void {
    const { request, operation } = proxied
    const refusal = operation === undefined ? refusalOfBody(request) : undefined
    if (refusal !== undefined) {
      closeAfterReading(proxied)
      sendRejection(proxied, dashboardProblemResponse(refusal))
    } else if (isUpload(request)) this.#upload(proxied)
    else if (isBodyRead(request)) void this.#readAndForward(proxied)
    else this.#forwardIfPlace(proxied)
  }

  /** Responds to a readiness check, which needs no place: a node that is busy is ready. */
  handleReadiness(proxied: RequestContext): void {
    this.#forwardInTime(proxied, () => undefined)
  }

  /** True while a file is uploaded through a socket, which may take longer than other requests. */
  isUploading(socket: Duplex): boolean {
    return this.#uploadSockets.has(socket)
  }

  async #readAndForward(proxied: RequestContext): Promise<void> {
    const { bodyMs: timeoutMs, firstByteMs } = this.#options
    const release = this.#admission.readBody(proxied)
    if (release === undefined) {
      rejectBody(proxied, 'busy')
      return
    }
    const body = await readBody(proxied.request, { bytesMax: BODY_BYTES_MAX, firstByteMs, timeoutMs })
    release()
    if (typeof body === 'string') rejectBody(proxied, body)
    // The key may have been revoked meanwhile.
    else if (proxied.isAccepted?.() !== false) this.#forwardIfPlace(proxied, body)
  }

  #forwardIfPlace(proxied: RequestContext, body?: Uint8Array): void {
    const release = this.#admission.answer(proxied)
    if (release === undefined) reject(proxied, 'busy')
    else this.#forwardInTime(proxied, release, body)
  }

  #forwardInTime(proxied: RequestContext, release: Release, body?: Uint8Array): void {
    const pending: Pending = { proxied, timer: undefined, port: undefined, release }
    pending.timer = setTimeout(() => this.#reject(pending, 'timeout'), this.#options.responseMs)
    this.#forward(pending, defined({ body }))
  }

  #upload(proxied: RequestContext): void {
    const { request } = proxied
    const { uploadBytesMax: bytesMax, uploadIdleMs: idleMs } = this.#options
    const isTooLarge = Number(request.headers['content-length'] ?? 0) > bytesMax
    const release = isTooLarge || this.#uploadSockets.size >= UPLOADS_MAX ? undefined : this.#admission.answer(proxied)
    if (release === undefined) {
      rejectBody(proxied, isTooLarge ? 'file-too-large' : 'busy')
      return
    }
    const { port1: port, port2: upload } = new MessageChannel()
    const { socket } = request
    // The response is awaited from the end of the file on.
    const pending: Pending = { proxied, timer: undefined, port, release }
    this.#forward(pending, { upload })
    this.#uploadSockets.add(socket)
    void sendBody(request, port, { bytesMax, idleMs }).then((sent) => {
      this.#uploadSockets.delete(socket)
      if (this.#pending.has(pending)) this.#noteSent(pending, sent)
    })
  }

  #noteSent(pending: Pending, sent: SentBody): void {
    // A reader that canceled the body is about to respond.
    const waitMs = {
      complete: this.#options.uploadResponseMs,
      unwanted: this.#options.responseMs,
    }[sent as string]
    if (waitMs !== undefined) {
      pending.timer = setTimeout(() => this.#reject(pending, 'timeout'), waitMs)
      return
    }
    this.#end(pending)
    if (sent === 'too-large') rejectBody(pending.proxied, 'file-too-large')
    else if (sent === 'too-slow') rejectBody(pending.proxied, 'file-too-slow')
    else if (sent === 'stalled') rejectBody(pending.proxied, 'timeout')
  }

  #forward(pending: Pending, body: Pick<SerializedRequest, 'body' | 'upload'>): void {
    const { request, response, requestId, operation, caller } = pending.proxied
    const closed = new AbortController()
    response.once('close', () => closed.abort())
    this.#pending.add(pending)
    const serialized = {
      method: request.method ?? 'GET',
      target: request.url ?? '/',
      headers: pairs(request.rawHeaders),
      ...body,
      address: clientAddress(request, this.#options.trustedProxies),
      requestId,
      ...defined({ operation, caller }),
    }
    this.#options.respond(serialized, closed.signal).then(
      (response) => this.#respond(pending, response),
      (error) => this.#reject(pending, error instanceof ChannelClosed ? 'unavailable' : 'failed'),
    )
  }

  #respond(pending: Pending, response: SerializedResponse): void {
    if (!this.#end(pending)) return
    const { proxied } = pending
    if (!proxied.request.complete) closeAfterReading(proxied)
    if (proxied.send === undefined) send(proxied, response)
    else proxied.send(response)
  }

  #reject(pending: Pending, reason: RejectionReason): void {
    if (this.#end(pending)) reject(pending.proxied, reason)
  }

  /** False if it was responded to or rejected before. */
  #end(pending: Pending): boolean {
    clearTimeout(pending.timer)
    pending.port?.close()
    if (!this.#pending.delete(pending)) return false
    pending.release()
    return true
  }
}

function pairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, n) => [raw[2 * n], raw[2 * n + 1]])
}

function send(proxied: RequestContext, { status, headers, body }: SerializedResponse): void {
  const { request, response, requestId } = proxied
  if (response.destroyed || response.headersSent) return
  try {
    for (const [name, value] of Object.entries({ ...HEADERS, 'x-request-id': requestId }))
      response.setHeader(name, value)
    const cookies = headers.filter(([name]) => name.toLowerCase() === 'set-cookie')
    for (const [name, value] of headers) if (!OWN.has(name.toLowerCase())) response.setHeader(name, value)
    for (const [name, value] of cookies) response.appendHeader(name, value)
    const isEmpty = status === 204 || status === 304 || request.method === 'HEAD'
    if (!isEmpty) response.setHeader('content-length', body.length)
    response.writeHead(status).end(isEmpty ? undefined : body)
  } catch {
    // A header that cannot be sent must not end the thread that serves /v1.
    for (const name of response.getHeaderNames()) response.removeHeader(name)
    reject(proxied, 'failed')
  }
}

/** Headers that are set above or by the server, or that describe a connection. */
const OWN = new Set([
  'set-cookie',
  'content-length',
  'transfer-encoding',
  'connection',
  'x-request-id',
  'content-security-policy',
  'x-content-type-options',
])

function rejectBody(proxied: RequestContext, reason: UnreadBody | RejectionReason): void {
  if (reason === 'closed') return
  closeAfterReading(proxied)
  reject(proxied, reason)
}

/** Reasons for which the rest of the body is not worth waiting for. */
const CLOSING: ReadonlySet<string> = new Set(['too-large', 'too-slow'])

function reject(proxied: RequestContext, reason: RejectionReason): void {
  const [code, message] = REJECTIONS[reason]
  const headers = {
    ...(code === 'not-ready' && { 'retry-after': '1' }),
    ...(CLOSING.has(reason) && { connection: 'close' }),
  }
  sendRejection(proxied, rejection(proxied, code, message, headers))
}

function sendRejection(proxied: RequestContext, rejected: SerializedResponse): void {
  const { response, requestId } = proxied
  if (response.destroyed || response.headersSent) return
  if (proxied.send !== undefined) proxied.send(rejected)
  else {
    const { status, headers, body } = rejected
    const all = { ...HEADERS, ...Object.fromEntries(headers), 'x-request-id': requestId }
    response.writeHead(status, { ...all, 'content-length': body.length }).end(body)
  }
}
