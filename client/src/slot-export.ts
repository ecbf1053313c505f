import type { Deadline } from './deadline.ts'
import type { Slot } from './query.ts'
import { linesOf } from './response-text.ts'
import { SlotsError } from './slots-error.ts'
import { parse } from './transport.ts'

/** All matching slots of one snapshot. Can be iterated once. */
export class SlotExport implements AsyncIterable<Slot> {
  /** The number of slots. */
  readonly total: number
  /** The revision of the snapshot. Pass it to `changes()`. */
  readonly revision: string
  readonly #response: Response
  readonly #deadline: Deadline

  /** The deadline counts only the time of waiting for a chunk. Throws a `SlotsError` if the response is not an export. */
  constructor(response: Response, deadline: Deadline) {
    const total = response.headers.get('slots-total')
    if (total === null)
      throw new SlotsError('unexpected-answer', 'Cannot export: the response has no Slots-Total header')
    this.total = Number(total)
    this.revision = response.headers.get('slots-revision') ?? ''
    this.#response = response
    this.#deadline = deadline
    deadline.pause()
  }

  /** Rejects with a `SlotsError` if the export is incomplete. Leaving the loop cancels the request. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Slot, void, undefined> {
    let count = 0
    for await (const line of linesOf(this.#response, this.#deadline)) {
      count++
      yield parse(line, this.#response) as Slot
    }
    if (count !== this.total)
      throw new SlotsError('network', `The export is incomplete: received ${count} of ${this.total} slots`)
  }

  /** Cancels the request without reading the response. */
  async cancel(): Promise<void> {
    this.#deadline.end()
    await this.#response.body?.cancel()
  }
}
