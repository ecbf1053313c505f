import type { NodeQuery } from '../http/node-query.ts'
import type { SerializedResponse } from '../http/serialized-http.ts'
import type { FromAccountThread } from './dashboard-messages.ts'

/** Asks the thread that answers `/v1` what only it knows, and matches its answers to the questions. */
export class Questions {
  readonly #post: (message: FromAccountThread) => void
  readonly #asked = new Map<number, (answer: SerializedResponse) => void>()
  #lastId = 0

  constructor(post: (message: FromAccountThread) => void) {
    this.#post = post
  }

  ask(question: NodeQuery): Promise<SerializedResponse> {
    const id = ++this.#lastId
    return new Promise((resolve) => {
      this.#asked.set(id, resolve)
      this.#post({ kind: 'ask', id, question })
    })
  }

  answer(id: number, answer: SerializedResponse): void {
    this.#asked.get(id)?.(answer)
    this.#asked.delete(id)
  }
}
