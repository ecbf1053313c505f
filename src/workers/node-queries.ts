import type { FromAccountThread, PlainResponse, Question } from '../http/dashboard-api/messages.ts'

/** Asks the thread that answers `/v1` what only it knows, and matches its answers to the questions. */
export class Questions {
  readonly #post: (message: FromAccountThread) => void
  readonly #asked = new Map<number, (answer: PlainResponse) => void>()
  #lastId = 0

  constructor(post: (message: FromAccountThread) => void) {
    this.#post = post
  }

  ask(question: Question): Promise<PlainResponse> {
    const id = ++this.#lastId
    return new Promise((resolve) => {
      this.#asked.set(id, resolve)
      this.#post({ kind: 'ask', id, question })
    })
  }

  answer(id: number, answer: PlainResponse): void {
    this.#asked.get(id)?.(answer)
    this.#asked.delete(id)
  }
}
