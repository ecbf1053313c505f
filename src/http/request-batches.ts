// Hot path
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** Requests that are handled before their responses are sent: more would save nothing and delay the first ones. */
const BATCH_MAX = 32

/**
 * Requests of one turn of the event loop: some 30 ms. Beyond them, a connection may have sent its share. One read has 500 requests, and
 * without this bound, 100 connections of one caller that pipeline them make everybody wait for half a minute.
 */
const TURN_REQUESTS_MAX = 1024

/**
 * Handles the requests that arrive in one turn of the event loop in batches: all are read and parsed, then those of a batch are
 * handled, then their responses are sent. The code of one phase stays in the caches of the processor. If each request passes all
 * phases by itself, it takes about twice the time (decision 0043).
 */
export class RequestBatches {
  readonly #handle: RequestListener
  #requests: IncomingMessage[] = []
  #responses: ServerResponse[] = []

  constructor(handle: RequestListener) {
    this.#handle = handle
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    this.#responses.push(response)
    if (this.#requests.push(request) === 1) setImmediate(this.handleAll)
  }

  /** Handles the requests that wait, in the order of their arrival, except those whose connection has been closed. */
  readonly handleAll = (): void => {
    const requests = this.#requests
    const responses = this.#responses
    if (requests.length === 0) return
    this.#requests = []
    this.#responses = []
    if (requests.length > TURN_REQUESTS_MAX) closeGreedy(requests)
    for (let from = 0; from < requests.length; from += BATCH_MAX) {
      const to = Math.min(requests.length, from + BATCH_MAX)
      unsent = { responses: [], bodies: [] }
      for (let n = from; n < to; n++) if (!requests[n].socket.destroyed) this.#handle(requests[n], responses[n])
      sendAll(unsent)
    }
  }
}

/** Closes the connections that sent more than their share. Clients that do not pipeline have sent one request each. */
function closeGreedy(requests: readonly IncomingMessage[]): void {
  const bySocket = Map.groupBy(requests, ({ socket }) => socket)
  const share = Math.max(1, Math.floor(TURN_REQUESTS_MAX / bySocket.size))
  for (const [socket, { length }] of bySocket) if (length > share) socket.destroy()
}

/** The responses to the batch that is being handled, and their bodies. */
let unsent: { readonly responses: ServerResponse[]; readonly bodies: Buffer[] } | undefined

function sendAll({ responses, bodies }: NonNullable<typeof unsent>): void {
  unsent = undefined
  for (let n = 0; n < responses.length; n++) responses[n].end(bodies[n])
}

/** Ends a response whose head has been written: together with those of its batch, or now if no batch is being handled. */
export function endWithBatch(response: ServerResponse, body: Buffer): void {
  if (unsent === undefined) {
    response.end(body)
    return
  }
  unsent.responses.push(response)
  unsent.bodies.push(body)
}

/** Whether the response to the request that is being handled has ended, or ends with its batch. */
export function isEnded(response: ServerResponse): boolean {
  return response.writableEnded || unsent?.responses.at(-1) === response
}
