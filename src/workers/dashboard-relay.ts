import type { SerializedRequest, SerializedResponse } from '../http/serialized-http.ts'
import type { ToAccountThread } from './dashboard-messages.ts'

/** What is answered while the account thread is away. */
const AWAY: SerializedResponse = {
  status: 503,
  headers: [
    ['content-type', 'application/json'],
    ['retry-after', '1'],
  ],
  body: new TextEncoder().encode(
    JSON.stringify({
      error: 'Not ready',
      message: 'This part of the service is starting. Please try again in a second.',
    }),
  ),
}

/**
 * Hands requests of the node's other serving threads over to the account thread: their own gates have read them, and send
 * the answers.
 *
 * Its requests are numbered downwards from -1, those of the main thread's gate upwards from 1.
 */
export class AccountRelay {
  readonly #post: (message: ToAccountThread) => boolean
  readonly #asked = new Map<number, (response: SerializedResponse) => void>()
  #lastId = 0

  constructor(post: (message: ToAccountThread) => boolean) {
    this.#post = post
  }

  /** Calls `settle` once: with the answer, or with a 503 if the account thread is gone. */
  ask(request: SerializedRequest, settle: (response: SerializedResponse) => void): void {
    const id = --this.#lastId
    this.#asked.set(id, settle)
    if (!this.#post({ kind: 'request', id, request })) this.answer(id, AWAY)
  }

  /** Settles a request; nothing if it is not one of its own. */
  answer(id: number, response: SerializedResponse): void {
    const settle = this.#asked.get(id)
    this.#asked.delete(id)
    settle?.(response)
  }

  /** The account thread is gone, and with it all that it was asked. */
  giveUp(): void {
    for (const id of [...this.#asked.keys()]) this.answer(id, AWAY)
  }
}
