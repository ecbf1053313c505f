// Hot path
import type { LiveKey } from '../../../keys/key-ring.ts'
import { CONTENT_CODINGS, type ContentCoding } from '../../negotiation/content-coding.ts'
import { Problem } from '../../problem.ts'
import type { Exchange } from '../../request-context.ts'
import type { Pieces } from './chunks.ts'
import { EXPORT_LIMITS, type ExportLimits } from './export-limits.ts'
import { Sending } from './sending.ts'

/** One export to be sent: who asked, and what there is for them. */
export interface ExportOrder {
  readonly exchange: Exchange
  readonly key: LiveKey
  /** Names and values by turns. */
  readonly headers: readonly string[]
  readonly coding: ContentCoding | undefined
  readonly pieces: Pieces
  /** Told if a piece could not be made. */
  readonly onFault: (fault: unknown) => void
}

/**
 * Sends exports, as fast as their callers take them, so that other callers notice nothing: one piece of one export in each
 * turn of the event loop, by turns, and the next of the same one only when the one before is out of our hands.
 *
 *     turn      1     2     3     4     5          A waits for its caller at 4
 *     piece     A1    B1    A2    B2    B3
 */
export class ExportPump {
  readonly #limits: ExportLimits
  /** Milliseconds since 1970. */
  readonly #now: () => number
  readonly #sendings = new Map<Sending, LiveKey>()
  readonly #ready: Sending[] = []
  #isTurning = false

  constructor(now: () => number, limits = EXPORT_LIMITS) {
    this.#now = now
    this.#limits = limits
  }

  /** How many exports are under way. */
  get size(): number {
    return this.#sendings.size
  }

  /** Throws `Problem('too-many-exports')` if there is no room for another one, or for another of this key. */
  requireRoom(key: LiveKey): void {
    const { atOnceMax, atOncePerKeyMax } = this.#limits
    let ofKey = 0
    for (const other of this.#sendings.values()) if (other.id === key.id) ofKey++
    if (ofKey >= atOncePerKeyMax)
      throw tooMany(`A key can have ${atOncePerKeyMax} exports at once: got another one.`, '10')
    if (this.#sendings.size >= atOnceMax)
      throw tooMany('As many exports are under way as can be at once. Please try again in a while.', '30')
  }

  /** Sends the headers, and from the next turn on the pieces, which it closes whatever happens. */
  send({ exchange, key, headers, coding, pieces, onFault }: ExportOrder): void {
    const { response } = exchange
    const sending = new Sending(response, pieces, {
      coder: coding === undefined ? undefined : CONTENT_CODINGS[coding](),
      limits: this.#limits,
      onTaken: () => this.#enqueue(sending),
      onFault,
      onEnd: () => this.#sendings.delete(sending),
    })
    this.#sendings.set(sending, key)
    response.writeHead(200, [...headers])
    this.#enqueue(sending)
  }

  #enqueue(sending: Sending): void {
    this.#ready.push(sending)
    if (this.#isTurning) return
    this.#isTurning = true
    setImmediate(this.#turn)
  }

  readonly #turn = (): void => {
    const sending = this.#ready.shift()
    const key = sending === undefined ? undefined : this.#sendings.get(sending)
    // A key that has been revoked is refused at once, also in the middle.
    if (key?.isLive(this.#now())) sending?.sendPiece()
    else if (key !== undefined) sending?.breakOff()
    this.#isTurning = this.#ready.length > 0
    if (this.#isTurning) setImmediate(this.#turn)
  }
}

function tooMany(message: string, retryAfter: string): Problem {
  return new Problem('too-many-exports', message, { headers: { 'retry-after': retryAfter } })
}
