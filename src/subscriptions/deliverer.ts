import { randomUUID } from 'node:crypto'
import type { LogEvent } from '../lib/log-event.ts'
import { Periodic } from '../lib/periodic.ts'
import { errorText } from '../lib/text.ts'
import {
  type ClaimedDelivery,
  DELIVERY_LANES,
  type DeliveryLane,
  type DeliveryStore,
  type DisabledSubscription,
  type DueDelivery,
  type EndedDelivery,
} from '../store/contracts/deliveries.ts'
import { StoreUnavailable } from '../store/contracts/store.ts'
import { outcomeOf } from './delivery-outcome.ts'
import { EVENT_SLOTS_MAX, type KnownSlots } from './event-body.ts'
import type { SendEvent } from './send-event.ts'
import { SendQueue } from './send-queue.ts'

interface DelivererOptions {
  readonly store: DeliveryStore
  readonly send: SendEvent
  /** The slots of these ids by id, once the node has the revision; undefined while the node cannot tell. */
  readonly readSlots: (ids: readonly string[], revision: number) => Promise<KnownSlots | undefined>
  readonly now: () => number
  /** From 0 to 1. */
  readonly random: () => number
  readonly onEvent: (event: LogEvent) => void
  /** Notifies the owners. Never rejects. */
  readonly onDisabled: (subscription: DisabledSubscription) => void
  readonly lookEveryMs?: number
}

/** How often it looks for due events if nothing wakes it. */
const LOOK_EVERY_MS = 200

/** Longer than an attempt and its recording take. */
const LEASE_MS = 60_000

/** The pause before a turn: what ends meanwhile is recorded by the same transaction. */
const COLLECT_MS = 20

/** Sends of a lane that wait in memory; an organization counts 32 at most. While half of them wait, it looks less often. */
const WAITING_MAX = 256
const WAITING_PER_ORGANIZATION_MAX = 32

/** A receiver that takes longer is slow: see `SendQueue.noteSlow()`. */
const SLOW_MS = 1000

/** How long it claims nothing after the node could not tell about slots. */
const NOT_READY_MS = 1000

/**
 * Sends the events of subscriptions, on every node. One transaction per turn records the ends of attempts and claims the next events
 * (group commit), so the cost of the store does not grow with the number of sends in flight.
 *
 *     due ──> waiting in SendQueue ──> claimed ──> in flight ──> ended ──> recorded
 *                                         └── node not ready ──> released
 *
 * Delivery is at least once: what a killed node had in flight is due again when its lease ends.
 */
export class Deliverer {
  readonly #options: DelivererOptions
  readonly #owner = randomUUID()
  readonly #lookEveryMs: number
  readonly #queue = new SendQueue()
  readonly #loop: Periodic
  /** By subscription: claimed and not yet recorded. */
  readonly #started = new Map<string, DueDelivery>()
  readonly #sending = new Set<Promise<void>>()
  #ended: EndedDelivery[] = []
  #released: string[] = []
  #lookedAtMs = Number.NEGATIVE_INFINITY
  #mayHaveMore = false
  #nextTurn: NodeJS.Timeout | undefined
  #notReadyUntilMs = 0
  #isDraining = false
  /** Logged once: the secrets of a process do not change. */
  #hasUnreadableSecret = false
  #delivered = 0
  #failed = 0

  constructor(options: DelivererOptions) {
    this.#options = options
    this.#lookEveryMs = options.lookEveryMs ?? LOOK_EVERY_MS
    this.#loop = new Periodic(() => this.#turn(), {
      everyMs: this.#lookEveryMs,
      onError: (error) => this.#logError(error),
    })
  }

  start(): void {
    this.#loop.start()
  }

  /** Looks for due events soon. */
  wake(): void {
    this.#mayHaveMore = true
    this.#turnSoon()
  }

  /** Claims nothing more; what is in flight ends. */
  drain(): void {
    this.#isDraining = true
    this.#queue.clear()
  }

  /** Resolves when the sends in flight, which last at most `DELIVERY_MS_MAX`, have ended and are recorded. */
  async close(): Promise<void> {
    this.drain()
    await this.#loop.close()
    while (this.#sending.size > 0) await Promise.all(this.#sending)
    await this.#turn().catch((error: unknown) => this.#logError(error))
    clearTimeout(this.#nextTurn)
  }

  /** Since the start; `inFlight` now. */
  get counts(): { readonly delivered: number; readonly failed: number; readonly inFlight: number } {
    return { delivered: this.#delivered, failed: this.#failed, inFlight: this.#started.size }
  }

  #turnSoon(): void {
    this.#nextTurn ??= setTimeout(() => {
      this.#nextTurn = undefined
      this.#loop.wake()
    }, COLLECT_MS)
  }

  async #turn(): Promise<void> {
    const { store, now } = this.#options
    if (!this.#isDraining && performance.now() >= this.#notReadyUntilMs) await this.#look()
    const starting = this.#isDraining ? [] : this.#startable()
    const [ended, released] = [this.#ended, this.#released]
    if (starting.length + ended.length + released.length === 0) return
    this.#ended = []
    this.#released = []
    const claim = starting.map(({ subscriptionId }) => subscriptionId)
    try {
      const batch = { owner: this.#owner, nowMs: now(), leaseMs: LEASE_MS, ended, released, claim }
      const { claimed, disabled } = await store.exchange(batch)
      for (const { delivery } of ended) this.#forget(delivery.subscriptionId)
      for (const subscriptionId of released) this.#forget(subscriptionId)
      for (const subscription of disabled) this.#options.onDisabled(subscription)
      this.#begin(starting, claimed)
      // The next events of their subscriptions may be due.
      if (ended.length > 0) this.wake()
    } catch (error) {
      this.#ended = [...ended, ...this.#ended]
      this.#released = [...released, ...this.#released]
      for (const send of starting) this.#abandon(send)
      throw error
    }
  }

  /** Fills the queue, unless enough waits. */
  async #look(): Promise<void> {
    const nowMs = this.#options.now()
    // The monotonic clock, which nothing sets back.
    const isTime = performance.now() - this.#lookedAtMs >= this.#lookEveryMs
    if (!isTime && !this.#mayHaveMore) return
    this.#mayHaveMore = false
    if (isTime) this.#lookedAtMs = performance.now()
    for (const lane of DELIVERY_LANES) await this.#lookIn(lane, nowMs, isTime ? WAITING_MAX : WAITING_MAX / 2)
  }

  async #lookIn(lane: DeliveryLane, nowMs: number, enough: number): Promise<void> {
    const waiting = [...this.#queue.waitingOf(lane)]
    const count = waiting.reduce((sum, [, sends]) => sum + Math.min(sends.length, WAITING_PER_ORGANIZATION_MAX), 0)
    if (count >= enough) {
      this.#mayHaveMore = true
      return
    }
    const full = waiting.filter(([, sends]) => sends.length >= WAITING_PER_ORGANIZATION_MAX)
    const due = await this.#options.store.due({
      lane,
      nowMs,
      limit: WAITING_MAX,
      withoutOrganizations: full.map(([organizationId]) => organizationId),
      // What is in flight is due when its lease ends.
      withoutSubscriptions: waiting.flatMap(([, sends]) => sends.map(({ subscriptionId }) => subscriptionId)),
    })
    for (const send of due) this.#queue.add(send)
    if (due.length === WAITING_MAX) this.#mayHaveMore = true
  }

  #startable(): DueDelivery[] {
    const starting: DueDelivery[] = []
    for (let next = this.#queue.next(); next !== undefined; next = this.#queue.next()) starting.push(next)
    return starting
  }

  #begin(starting: readonly DueDelivery[], claimed: readonly ClaimedDelivery[]): void {
    const ids = new Set(claimed.map(({ subscriptionId }) => subscriptionId))
    for (const send of starting) {
      if (ids.has(send.subscriptionId)) this.#started.set(send.subscriptionId, send)
      else this.#abandon(send)
    }
    if (claimed.length === 0) return
    const sending = this.#sendAll(claimed).finally(() => this.#sending.delete(sending))
    this.#sending.add(sending)
  }

  async #sendAll(claimed: readonly ClaimedDelivery[]): Promise<void> {
    const { slots = [], others = [] } = Object.groupBy(claimed, ({ type }) =>
      type.startsWith('slots.') ? 'slots' : 'others',
    )
    const known = slots.length === 0 ? NOTHING_KNOWN : await this.#readSlots(slots)
    if (known === undefined) {
      this.#notReadyUntilMs = performance.now() + NOT_READY_MS
      for (const { subscriptionId } of slots) this.#release(subscriptionId)
    }
    const sendable = known === undefined ? others : claimed
    await Promise.all(sendable.map((delivery) => this.#send(delivery, known ?? NOTHING_KNOWN)))
  }

  async #readSlots(deliveries: readonly ClaimedDelivery[]): Promise<KnownSlots | undefined> {
    const ids = new Set(deliveries.flatMap((each) => each.ids.slice(0, EVENT_SLOTS_MAX)))
    const revision = Math.max(...deliveries.map(({ toRevision }) => toRevision))
    return this.#options.readSlots([...ids], revision).catch(() => undefined)
  }

  async #send(delivery: ClaimedDelivery, known: KnownSlots): Promise<void> {
    const slow = setTimeout(() => this.#noteSlow(delivery), SLOW_MS)
    const attempt = await this.#options.send(delivery, known)
    clearTimeout(slow)
    if (attempt === undefined) return this.#leaveClaimed(delivery)
    const outcome = outcomeOf(delivery, attempt, this.#options.random())
    if (outcome.kind === 'delivered') this.#delivered++
    else this.#failed++
    this.#ended.push({ delivery, attempt, outcome })
    this.#makeRoom(delivery.subscriptionId)
  }

  /** It is due again when its lease ends: the receiver is not to blame, so no attempt is counted. */
  #leaveClaimed({ subscriptionId, organizationId }: ClaimedDelivery): void {
    this.#makeRoom(subscriptionId)
    this.#forget(subscriptionId)
    if (this.#hasUnreadableSecret) return
    this.#hasUnreadableSecret = true
    const fields = { subscription: subscriptionId, organization: organizationId, error: UNREADABLE_SECRET }
    this.#options.onEvent({ level: 'error', message: 'events could not be signed', fields })
  }

  #release(subscriptionId: string): void {
    this.#released.push(subscriptionId)
    this.#makeRoom(subscriptionId)
  }

  #makeRoom(subscriptionId: string): void {
    const send = this.#started.get(subscriptionId)
    if (send !== undefined) this.#queue.end(send)
    this.#turnSoon()
  }

  #noteSlow({ subscriptionId }: ClaimedDelivery): void {
    const send = this.#started.get(subscriptionId)
    if (send === undefined) return
    this.#queue.noteSlow(send)
    this.#turnSoon()
  }

  #forget(subscriptionId: string): void {
    const send = this.#started.get(subscriptionId)
    this.#started.delete(subscriptionId)
    if (send !== undefined) this.#queue.forget(send)
    // Its next event may be due.
    this.#mayHaveMore = true
  }

  #abandon(send: DueDelivery): void {
    this.#queue.end(send)
    this.#queue.forget(send)
  }

  #logError(error: unknown): void {
    // Reported by the threads that wait for the store.
    if (error instanceof StoreUnavailable) return
    this.#options.onEvent({
      level: 'error',
      message: 'events could not be delivered',
      fields: { error: errorText(error) },
    })
  }
}

const UNREADABLE_SECRET =
  'neither AUTH_SECRET nor AUTH_SECRET_PREVIOUS encrypted the secret of a subscription: add the secret that did. Until then its events wait'

const NOTHING_KNOWN: KnownSlots = { store: 0, slots: new Map() }
