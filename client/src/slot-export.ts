import type { Deadline } from './deadline.ts'
import type { Slot } from './query.ts'
import { SlotsError } from './slots-error.ts'
import { parse } from './transport.ts'

/** All slots that match, of one moment: to be read once, as they come. */
export class SlotExport implements AsyncIterable<Slot> {
  /** How many there are. */
  readonly total: number
  /** The moment that they are of: `changes()` go on from it. */
  readonly revision: string
  readonly #response: Response
  readonly #deadline: Deadline

  /** The deadline is that of the answer, and begins anew whenever something comes. Throws a `SlotsError` if this is no export. */
  constructor(response: Response, deadline: Deadline) {
    const total = response.headers.get('slots-total')
    if (total === null)
      throw new SlotsError('unexpected-answer', 'Cannot export: the answer must have Slots-Total: got none')
    this.total = Number(total)
    this.revision = response.headers.get('slots-revision') ?? ''
    this.#response = response
    this.#deadline = deadline
  }

  /** Rejects with a `SlotsError` if the export breaks off: what ends without one is whole. Leaving the loop ends the request. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Slot, void, undefined> {
    let count = 0
    for await (const line of this.#lines()) {
      count++
      yield parse(line, this.#response) as Slot
    }
    if (count !== this.total)
      throw new SlotsError('network', `Cannot export: all ${this.total} slots must come: got ${count}`)
  }

  /** Ends the request without reading it. */
  async cancel(): Promise<void> {
    this.#deadline.end()
    await this.#response.body?.cancel()
  }

  async *#lines(): AsyncGenerator<string, void, undefined> {
    let rest = ''
    for await (const text of this.#texts()) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
    if (rest !== '') yield rest
  }

  async *#texts(): AsyncGenerator<string, void, undefined> {
    const reader = this.#response.body?.getReader()
    const decoder = new TextDecoder()
    try {
      for (;;) {
        // Only waiting for the service counts, not what is done with its slots.
        this.#deadline.extend()
        const piece = await reader?.read()
        this.#deadline.pause()
        if (!piece || piece.done) return
        yield decoder.decode(piece.value, { stream: true })
      }
    } catch (fault) {
      throw this.#deadline.reasonFor(fault)
    } finally {
      this.#deadline.end()
      await reader?.cancel().catch(() => undefined)
    }
  }
}
