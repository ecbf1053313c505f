import type { IncomingMessage } from 'node:http'
import type { MessagePort } from 'node:worker_threads'
import { type ToBodyReader, type ToBodySender, WINDOW_BYTES } from './body-port.ts'
import type { UnreadBody } from './read-body.ts'

/** How a body ended: it went whole, nobody wants the rest of it, nobody takes it, or it was cut off. */
export type SentBody = 'whole' | 'unwanted' | 'untaken' | UnreadBody

/** Whoever takes nothing for so many times as long as a sender may be silent is stuck. */
const STALLS_MAX = 4

/** Sends a request's body through a port as it comes, no faster than it is taken. Resolves when there is no more to send. */
export function sendBody(
  request: IncomingMessage,
  port: MessagePort,
  limits: { readonly bytesMax: number; readonly idleMs: number },
): Promise<SentBody> {
  return new Promise((resolve) => new BodySender(request, port, limits, resolve).start())
}

class BodySender {
  readonly #request: IncomingMessage
  readonly #port: MessagePort
  readonly #limits: { readonly bytesMax: number; readonly idleMs: number }
  readonly #settle: (sent: SentBody) => void
  readonly #idle: NodeJS.Timeout
  #bytes = 0
  #onItsWay = 0
  #stalls = 0
  #isOver = false

  constructor(
    request: IncomingMessage,
    port: MessagePort,
    limits: { readonly bytesMax: number; readonly idleMs: number },
    settle: (sent: SentBody) => void,
  ) {
    this.#request = request
    this.#port = port
    this.#limits = limits
    this.#settle = settle
    this.#idle = setTimeout(() => this.#noteSilence(), limits.idleMs)
  }

  start(): void {
    this.#request.on('data', this.#send)
    this.#request.once('end', () => this.#end('whole'))
    this.#request.once('close', () => this.#end('gone'))
    this.#port.on('message', ({ bytes }: ToBodySender) => this.#noteTaken(bytes))
    this.#port.once('close', () => this.#end('unwanted'))
  }

  readonly #send = (piece: Buffer) => {
    this.#bytes += piece.length
    if (this.#bytes > this.#limits.bytesMax) return this.#end('too-large')
    // A piece is a part of a larger memory, which cannot be given away.
    const bytes = new Uint8Array(piece)
    this.#port.postMessage({ kind: 'piece', bytes } satisfies ToBodyReader, [bytes.buffer])
    this.#onItsWay += piece.length
    this.#idle.refresh()
    if (this.#onItsWay >= WINDOW_BYTES) this.#request.pause()
  }

  #noteTaken(bytes: number): void {
    this.#onItsWay -= bytes
    this.#stalls = 0
    this.#idle.refresh()
    if (!this.#isOver && this.#onItsWay < WINDOW_BYTES) this.#request.resume()
  }

  /** While we are the ones who do not take more, nobody else is late. */
  #noteSilence(): void {
    if (this.#onItsWay === 0) this.#end('too-slow')
    else if (++this.#stalls >= STALLS_MAX) this.#end('untaken')
    else this.#idle.refresh()
  }

  #end(sent: SentBody): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#idle)
    this.#request.off('data', this.#send)
    // What is still on its way is thrown away as it comes.
    this.#request.resume()
    const kind = sent === 'whole' ? 'end' : 'cut'
    this.#port.postMessage({ kind } satisfies ToBodyReader)
    this.#settle(sent)
  }
}
