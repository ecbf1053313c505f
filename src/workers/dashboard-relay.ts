import { rejection } from '../http/rejection.ts'
import type { SerializedRequest, SerializedResponse } from '../http/serialized-http.ts'
import type { ToAccountThread } from './dashboard-messages.ts'

/**
 * Hands requests of the node's other serving threads over to the account thread: their own gates have read them, and send
 * the answers.
 *
 * Its requests are numbered downwards from -1, those of the main thread's gate upwards from 1.
 */
export class AccountRelay {
  readonly #post: (message: ToAccountThread) => boolean
  readonly #asked = new Map<number, Asked>()
  #lastId = 0

  constructor(post: (message: ToAccountThread) => boolean) {
    this.#post = post
  }

  /** Calls `settle` once: with the answer, or with a 503 if the account thread is gone. */
  ask(request: SerializedRequest, settle: (response: SerializedResponse) => void): void {
    const id = --this.#lastId
    this.#asked.set(id, { request, settle })
    if (!this.#post({ kind: 'request', id, request })) this.#reject(id)
  }

  /** Settles a request; nothing if it is not one of its own. */
  answer(id: number, response: SerializedResponse): void {
    const asked = this.#asked.get(id)
    this.#asked.delete(id)
    asked?.settle(response)
  }

  /** The account thread is gone, and with it all that it was asked. */
  giveUp(): void {
    for (const id of [...this.#asked.keys()]) this.#reject(id)
  }

  #reject(id: number): void {
    const asked = this.#asked.get(id)
    if (asked === undefined) return
    const message = 'This part of the service is starting. Try again in a second.'
    this.answer(id, rejection(asked.request, 'not-ready', message, { 'retry-after': '1' }))
  }
}

interface Asked {
  readonly request: SerializedRequest
  readonly settle: (response: SerializedResponse) => void
}
