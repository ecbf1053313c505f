import { DELIVERY_LANES, type DeliveryLane, type DueDelivery } from '../store/contracts/deliveries.ts'

export interface SendLimits {
  readonly allMax: number
  /** Of all, those to receivers that have not proven to respond: new and failing ones. */
  readonly unprovenMax: number
  readonly failingMax: number
  readonly perOrganizationMax: number
  readonly perHostMax: number
  /** Of a host, those to failing receivers: its other receivers keep the rest. */
  readonly failingPerHostMax: number
  /** Slow sends that do not count among all; those beyond do. */
  readonly slowMax: number
}

/**
 * A dead receiver holds a send until the timeout, so receivers that fail, and those that are unknown, cannot take all sends: 1,000 dead
 * ones leave at least half of them to the others.
 */
export const SEND_LIMITS: SendLimits = {
  allMax: 256,
  unprovenMax: 128,
  failingMax: 64,
  perOrganizationMax: 16,
  perHostMax: 4,
  failingPerHostMax: 1,
  slowMax: 1024,
}

/** Sends of one lane and organization that wait, in order. */
type Waiting = Map<string, DueDelivery[]>

/**
 * Decides which subscription may send next: round robin over the lanes, within a lane over the organizations, within an organization
 * first come, first served among those whose host has room.
 *
 *     add() ──> waiting ── next() ──> in flight ── end() ──> ended ── forget() ──> unknown
 *
 * next() costs O(organizations whose limit is reached + sends of an organization whose host is busy): both are bounded by the caller,
 * who adds few sends of one organization at a time (`waitingOf()`).
 */
export class SendQueue {
  readonly #limits: SendLimits
  readonly #waiting: Readonly<Record<DeliveryLane, Waiting>> = {
    delivered: new Map(),
    new: new Map(),
    failing: new Map(),
  }
  readonly #inFlight = new Counts()
  readonly #slow = new Set<string>()
  readonly #known = new Set<string>()
  #turn = 0

  constructor(limits = SEND_LIMITS) {
    this.#limits = limits
  }

  get inFlight(): number {
    return this.#inFlight.of('all')
  }

  /** The sends of a lane that wait, by organization. */
  waitingOf(lane: DeliveryLane): ReadonlyMap<string, readonly DueDelivery[]> {
    return this.#waiting[lane]
  }

  /** Ignores a subscription that is known. */
  add(send: DueDelivery): void {
    if (this.#known.has(send.subscriptionId)) return
    this.#known.add(send.subscriptionId)
    const waiting = this.#waiting[send.lane]
    const sends = waiting.get(send.organizationId)
    if (sends === undefined) waiting.set(send.organizationId, [send])
    else sends.push(send)
  }

  /** Starts the next send; undefined if none may start. */
  next(): DueDelivery | undefined {
    for (let tried = 0; tried < DELIVERY_LANES.length; tried++) {
      const lane = DELIVERY_LANES[this.#turn]
      this.#turn = (this.#turn + 1) % DELIVERY_LANES.length
      const send = this.#hasRoom(lane) ? this.#nextOf(this.#waiting[lane]) : undefined
      if (send === undefined) continue
      for (const name of countersOf(send)) this.#inFlight.add(name, 1)
      return send
    }
    return undefined
  }

  /** A send of the lane `delivered` takes long: it makes room for another, as receivers that have just died would take all. */
  noteSlow({ subscriptionId, lane }: DueDelivery): void {
    if (lane !== 'delivered' || this.#slow.size >= this.#limits.slowMax) return
    this.#slow.add(subscriptionId)
    this.#inFlight.add('all', -1)
  }

  /** A send has ended and makes room. Its subscription cannot be added until its end is recorded. */
  end(send: DueDelivery): void {
    if (this.#slow.delete(send.subscriptionId)) this.#inFlight.add('all', 1)
    for (const name of countersOf(send)) this.#inFlight.add(name, -1)
  }

  /** The end of a send is recorded, or the send was not started after all. */
  forget({ subscriptionId }: DueDelivery): void {
    this.#known.delete(subscriptionId)
  }

  /** Forgets what waits. */
  clear(): void {
    for (const lane of DELIVERY_LANES) {
      for (const sends of this.#waiting[lane].values())
        for (const { subscriptionId } of sends) this.#known.delete(subscriptionId)
      this.#waiting[lane].clear()
    }
  }

  #hasRoom(lane: DeliveryLane): boolean {
    const { allMax, unprovenMax, failingMax } = this.#limits
    const { inFlight } = this
    if (inFlight >= allMax) return false
    if (lane === 'delivered') return true
    const failing = this.#inFlight.of('failing')
    if (failing + this.#inFlight.of('new') >= unprovenMax) return false
    return lane === 'new' || failing < failingMax
  }

  #nextOf(waiting: Waiting): DueDelivery | undefined {
    for (const [organizationId, sends] of waiting) {
      if (this.#inFlight.of(`organization ${organizationId}`) >= this.#limits.perOrganizationMax) continue
      const at = sends.findIndex((send) => this.#hostHasRoom(send))
      if (at === -1) continue
      const [send] = sends.splice(at, 1)
      // The organization goes to the end of the round.
      waiting.delete(organizationId)
      if (sends.length > 0) waiting.set(organizationId, sends)
      return send
    }
    return undefined
  }

  #hostHasRoom({ host, lane }: DueDelivery): boolean {
    const { perHostMax, failingPerHostMax } = this.#limits
    if (this.#inFlight.of(`host ${host}`) >= perHostMax) return false
    return lane !== 'failing' || this.#inFlight.of(`failing ${host}`) < failingPerHostMax
  }
}

function countersOf({ organizationId, host, lane }: DueDelivery): string[] {
  const names = ['all', lane, `organization ${organizationId}`, `host ${host}`]
  return lane === 'failing' ? [...names, `failing ${host}`] : names
}

/** Numbers by name; keeps none that are 0. */
class Counts {
  readonly #counts = new Map<string, number>()

  of(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  add(name: string, by: number): void {
    const count = this.of(name) + by
    if (count === 0) this.#counts.delete(name)
    else this.#counts.set(name, count)
  }
}
