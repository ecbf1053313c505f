import type { Transferable } from 'node:worker_threads'
import { StoreUnavailable } from '../store/contracts/store.ts'

/** The operations of one side of a channel for the other: methods `name(payload): reply`. */
export type Operations<T> = { readonly [Name in keyof T]: (payload: never) => unknown }

/** The operations of a side that offers none. */
export type NoOperations = Record<never, never>

/** One handler for each operation. An error that it throws rejects the request. */
export type ChannelHandlers<T> = {
  readonly [Name in keyof T]: (payload: Payload<T[Name]>, signal: AbortSignal) => Result<Reply<T[Name]>>
}

export type Payload<F> = F extends (payload: infer P) => unknown ? P : never
export type Reply<F> = F extends (payload: never) => infer R ? Awaited<R> : never
type Result<R> = R | WithTransfer<R> | Promise<R | WithTransfer<R>>
type Name<T> = string & keyof T

/** A reply whose buffers are moved to the other thread instead of copied. */
export class WithTransfer<T> {
  readonly value: T
  readonly transfer: readonly Transferable[]

  constructor(value: T, transfer: readonly Transferable[]) {
    this.value = value
    this.transfer = transfer
  }
}

/** The other side is gone: the operation may or may not have been carried out. */
export class ChannelClosed extends Error {
  override readonly name = 'ChannelClosed'

  constructor() {
    super('The other thread ended before it replied')
  }
}

/** A `Worker`, as its parent sees it, or a `MessagePort`. */
interface ChannelPort {
  postMessage(message: unknown, transfer?: readonly Transferable[]): void
  on(event: string, listener: (message: unknown) => void): unknown
}

export interface ChannelRequestOptions {
  readonly transfer?: readonly Transferable[]
  /** Aborts the handler's signal. The request still waits for the reply, which the handler chooses. */
  readonly signal?: AbortSignal
  /** Added to `inFlight` until the reply arrives; 1 by default. */
  readonly weight?: number
}

type Message =
  | { readonly kind: 'request'; readonly id: number; readonly name: string; readonly payload: unknown }
  | { readonly kind: 'notice'; readonly name: string; readonly payload: unknown }
  | { readonly kind: 'reply'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: PlainError }
  | { readonly kind: 'abort'; readonly id: number; readonly reason: PlainError }

/** Structured clones lose the name and the code of an error. */
interface PlainError {
  readonly name: string
  readonly message: string
  readonly stack?: string | undefined
  readonly code?: unknown
}

interface Pending {
  readonly weight: number
  settle(reply: unknown): void
  fail(error: Error): void
}

type Handle = (payload: unknown, signal: AbortSignal) => unknown

/**
 * Typed requests, replies and one-way notices between two threads. Each side offers operations (`Offered`) and calls those of the
 * other (`Called`).
 *
 *     request(name, payload) ──────▶ handler(payload, signal)
 *       promise ◀── reply or error ──┘                        in any order; an id matches a reply to its request
 *       signal aborts ─────────────▶ signal aborts
 *     post(name, payload) ─────────▶ handler(payload)         no reply
 *
 * Messages are handled in the order in which they were sent. When either thread ends or closes its port, every pending request
 * rejects with `ChannelClosed`. Back-pressure: before it sends more, a sender awaits `whenBelow()`.
 */
export class Channel<Called extends Operations<Called>, Offered extends Operations<Offered>> {
  /** Resolves when the channel has closed. */
  readonly closed: Promise<void>
  readonly #port: ChannelPort
  readonly #handlers: ChannelHandlers<Offered>
  readonly #pending = new Map<number, Pending>()
  readonly #running = new Map<number, AbortController>()
  readonly #closing = Promise.withResolvers<void>()
  #lastId = 0
  #inFlight = 0
  #isClosed = false
  #waiting: (() => void)[] = []

  constructor(port: ChannelPort, handlers: ChannelHandlers<Offered>) {
    this.#port = port
    this.#handlers = handlers
    this.closed = this.#closing.promise
    port.on('message', (message) => this.#receive(message as Message))
    port.on('close', () => this.close())
    port.on('exit', () => this.close())
  }

  /** The sum of the weights of the requests without a reply. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** Resolves with the reply; rejects with the handler's error or with `ChannelClosed`. */
  request<N extends Name<Called>>(
    name: N,
    payload: Payload<Called[N]>,
    { transfer = [], signal, weight = 1 }: ChannelRequestOptions = {},
  ): Promise<Reply<Called[N]>> {
    if (this.#isClosed) return Promise.reject(new ChannelClosed())
    const id = ++this.#lastId
    const abort = () => this.#send({ kind: 'abort', id, reason: plainErrorOf(signal?.reason) })
    return new Promise<Reply<Called[N]>>((resolve, reject) => {
      this.#send({ kind: 'request', id, name, payload }, transfer)
      const settle = (reply: unknown) => resolve(reply as Reply<Called[N]>)
      this.#pending.set(id, { weight, settle, fail: reject })
      this.#inFlight += weight
      if (signal?.aborted) abort()
      else signal?.addEventListener('abort', abort)
    }).finally(() => signal?.removeEventListener('abort', abort))
  }

  /** Sends a notice, which has no reply; dropped if the channel is closed. An error of its handler is uncaught there. */
  post<N extends Name<Called>>(name: N, payload: Payload<Called[N]>): void {
    this.#send({ kind: 'notice', name, payload })
  }

  /** Resolves when less than `limit` is in flight; one caller at a time. Rejects when the signal aborts or the channel closes. */
  async whenBelow(limit: number, signal?: AbortSignal): Promise<void> {
    const wake = () => this.#wake()
    signal?.addEventListener('abort', wake)
    while (this.#inFlight >= limit && !this.#isClosed && !signal?.aborted)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    signal?.removeEventListener('abort', wake)
    signal?.throwIfAborted()
    if (this.#isClosed) throw new ChannelClosed()
  }

  /** Rejects what is pending and sends nothing more. The port stays open: its opener closes it. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    this.#inFlight = 0
    for (const { fail } of pending) fail(new ChannelClosed())
    for (const controller of this.#running.values()) controller.abort(new ChannelClosed())
    this.#wake()
    this.#closing.resolve()
  }

  #send(message: Message, transfer: readonly Transferable[] = []): void {
    if (!this.#isClosed) this.#port.postMessage(message, [...transfer])
  }

  #receive(message: Message): void {
    if (message.kind === 'request') this.#handle(message)
    else if (message.kind === 'notice') this.#handlerOf(message.name)(message.payload, NEVER)
    else if (message.kind === 'abort') this.#running.get(message.id)?.abort(errorOf(message.reason))
    else if (message.kind === 'reply') this.#take(message.id)?.settle(message.value)
    else this.#take(message.id)?.fail(errorOf(message.error))
  }

  #handle({ id, name, payload }: Extract<Message, { kind: 'request' }>): void {
    const controller = new AbortController()
    this.#running.set(id, controller)
    try {
      const result = this.#handlerOf(name)(payload, controller.signal)
      if (result instanceof Promise)
        result.then((value) => this.#reply(id, value)).catch((error: unknown) => this.#replyError(id, error))
      else this.#reply(id, result)
    } catch (error) {
      this.#replyError(id, error)
    }
  }

  /** Throws if the value cannot be cloned. */
  #reply(id: number, result: unknown): void {
    const [value, transfer] = result instanceof WithTransfer ? [result.value, result.transfer] : [result, []]
    this.#send({ kind: 'reply', id, value }, transfer)
    this.#running.delete(id)
  }

  #replyError(id: number, error: unknown): void {
    this.#running.delete(id)
    this.#send({ kind: 'error', id, error: plainErrorOf(error) })
  }

  #handlerOf(name: string): Handle {
    return this.#handlers[name as keyof Offered] as Handle
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id)
    if (pending === undefined) return undefined
    this.#pending.delete(id)
    this.#inFlight -= pending.weight
    this.#wake()
    return pending
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }
}

const NEVER = new AbortController().signal

function plainErrorOf(error: unknown): PlainError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message, stack } = error
  return { name, message, stack, ...('code' in error && { code: error.code }) }
}

function errorOf({ name, message, stack, code }: PlainError): Error {
  // The other side relayed the request to a third thread, which ended.
  if (name === ChannelClosed.name) return new ChannelClosed()
  if (name === StoreUnavailable.name) return new StoreUnavailable(message)
  const error = Object.assign(new Error(message), { name, stack })
  return code === undefined ? error : Object.assign(error, { code })
}
