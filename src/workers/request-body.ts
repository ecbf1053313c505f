import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { MessagePort } from 'node:worker_threads'
import { BodyTruncated } from '../http/serialized-http.ts'
import { Channel, type NoOperations } from './channel.ts'

/** Why a body was not read whole. `closed`: the client closed the connection. */
export type UnreadBody = 'too-large' | 'too-slow' | 'closed'

/** How sending a body ended. `unwanted`: the reader canceled it. `stalled`: the reader took nothing for too long. */
export type SentBody = 'complete' | 'unwanted' | 'stalled' | UnreadBody

/** The part of a body that is in flight between two threads is at most this, plus one piece. */
export const WINDOW_BYTES = 256 * 1024

/** The reader is stuck if it takes nothing for this many times `idleMs`. */
const STALLS_MAX = 4

/** The operations of a body's reader, called by its sender. */
interface BodyReader {
  /** Replies when the piece has been taken. */
  piece(bytes: Uint8Array<ArrayBuffer>): void
  end(how: 'complete' | 'truncated'): void
}

/** Reads a body whole; undefined if the request has none. Discards the rest of a body that is refused. */
export async function readBody(
  request: IncomingMessage,
  { bytesMax, firstByteMs, timeoutMs }: { bytesMax: number; firstByteMs: number; timeoutMs: number },
): Promise<Uint8Array | undefined | UnreadBody> {
  if (!hasBody(request)) return undefined
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) {
    request.resume()
    return 'too-large'
  }
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let bytes = 0
    const end = (outcome: Uint8Array | UnreadBody) => {
      clearTimeout(timer)
      clearTimeout(firstByte)
      request.off('data', take)
      request.resume()
      resolve(outcome)
    }
    const take = (piece: Buffer) => {
      clearTimeout(firstByte)
      bytes += piece.length
      if (bytes > bytesMax) end('too-large')
      else pieces.push(piece)
    }
    const timer = setTimeout(() => end('too-slow'), timeoutMs)
    const firstByte = setTimeout(() => end('too-slow'), firstByteMs)
    request.on('data', take)
    request.once('end', () => end(new Uint8Array(Buffer.concat(pieces))))
    request.once('close', () => end('closed'))
  })
}

/** RFC 9112, 6.3: a request with neither Content-Length nor Transfer-Encoding has no body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Time for a client that is still sending to read the response: up to twice this, so that clients refused at once leave one by one. */
const LINGER_MS = 1000

/**
 * Discards the rest of the body of a request, then closes the connection after its response. Closed before, it would be reset, and the
 * client could lose the response (RFC 9112, 9.6).
 */
export function closeAfterReading({
  request,
  response,
}: {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}): void {
  const { socket } = request
  request.resume()
  // Node calls it after a response with `Connection: close`.
  socket.destroySoon = () => {
    if (request.complete) Socket.prototype.destroySoon.call(socket)
    else socket.end()
  }
  response.once('finish', () => {
    if (request.complete) return
    const timer = setTimeout(() => socket.destroy(), LINGER_MS * (1 + Math.random())).unref()
    request.once('end', () => {
      clearTimeout(timer)
      if (socket.writableEnded) socket.destroy()
    })
  })
}

/**
 * Sends a request's body to another thread as it arrives, straight through a port that only this body uses. Pauses the request
 * while `WINDOW_BYTES` are in flight. Resolves when there is no more to send; either end closes the port when it is done.
 */
export function sendBody(
  request: IncomingMessage,
  port: MessagePort,
  limits: { readonly bytesMax: number; readonly idleMs: number },
): Promise<SentBody> {
  return new Promise((resolve) => new BodySender(request, port, limits, resolve).start())
}

class BodySender {
  readonly #request: IncomingMessage
  readonly #reader: Channel<BodyReader, NoOperations>
  readonly #limits: { readonly bytesMax: number; readonly idleMs: number }
  readonly #settle: (sent: SentBody) => void
  readonly #idle: NodeJS.Timeout
  #bytes = 0
  #stalls = 0
  #isOver = false

  constructor(
    request: IncomingMessage,
    port: MessagePort,
    limits: { readonly bytesMax: number; readonly idleMs: number },
    settle: (sent: SentBody) => void,
  ) {
    this.#request = request
    this.#reader = new Channel<BodyReader, NoOperations>(port, {})
    this.#limits = limits
    this.#settle = settle
    this.#idle = setTimeout(() => this.#checkIdle(), limits.idleMs)
  }

  start(): void {
    this.#request.on('data', this.#send)
    this.#request.once('end', () => this.#end('complete'))
    this.#request.once('close', () => this.#end('closed'))
    void this.#reader.closed.then(() => this.#end('unwanted'))
  }

  readonly #send = (piece: Buffer) => {
    this.#bytes += piece.length
    if (this.#bytes > this.#limits.bytesMax) return this.#end('too-large')
    // A copy: the piece is part of a larger buffer, which cannot be transferred.
    const bytes = new Uint8Array(piece)
    const { length: weight } = bytes
    this.#reader.request('piece', bytes, { transfer: [bytes.buffer], weight }).then(
      () => this.#noteTaken(),
      // `closed` reports it.
      () => undefined,
    )
    this.#idle.refresh()
    if (this.#reader.inFlight >= WINDOW_BYTES) this.#request.pause()
  }

  #noteTaken(): void {
    this.#stalls = 0
    this.#idle.refresh()
    if (!this.#isOver && this.#reader.inFlight < WINDOW_BYTES) this.#request.resume()
  }

  /** While pieces are in flight, the reader is late, not the client. */
  #checkIdle(): void {
    if (this.#reader.inFlight === 0) this.#end('too-slow')
    else if (++this.#stalls >= STALLS_MAX) this.#end('stalled')
    else this.#idle.refresh()
  }

  #end(sent: SentBody): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#idle)
    this.#request.off('data', this.#send)
    // Discards the rest.
    this.#request.resume()
    this.#reader.post('end', sent === 'complete' ? 'complete' : 'truncated')
    this.#settle(sent)
  }
}

/** A body that arrives through a port. Fails with `BodyTruncated` if it does not arrive whole; `cancel()` closes the port. */
export function receiveBody(port: MessagePort): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces: { bytes: Uint8Array<ArrayBuffer>; reply: () => void }[] = []
  let ending: 'complete' | 'truncated' | undefined
  let wake = () => {}
  const end = (how: 'complete' | 'truncated') => {
    ending ??= how
    wake()
  }
  const sender = new Channel<NoOperations, BodyReader>(port, {
    piece: (bytes) =>
      new Promise<void>((reply) => {
        pieces.push({ bytes, reply })
        wake()
      }),
    end,
  })
  void sender.closed.then(() => end('truncated'))
  return new ReadableStream(
    {
      async pull(controller) {
        while (pieces.length === 0 && ending === undefined) await new Promise<void>((resolve) => (wake = resolve))
        const piece = pieces.shift()
        if (piece !== undefined) {
          controller.enqueue(piece.bytes)
          piece.reply()
          return
        }
        port.close()
        if (ending === 'complete') controller.close()
        else controller.error(new BodyTruncated())
      },
      cancel: () => port.close(),
    },
    // Takes nothing before the stream is read.
    { highWaterMark: 0 },
  )
}
