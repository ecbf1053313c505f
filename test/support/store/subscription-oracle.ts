import assert from 'node:assert/strict'
import type { Kysely } from 'kysely'
import { HOUR_MS, MINUTE_MS } from '../../../src/lib/time.ts'
import { EVENT_IDS_MAX, type SubscriptionEvent } from '../../../src/shared/subscription-vocabulary.ts'
import type { Slot } from '../../../src/slot/slot.ts'
import type { SlotFilters } from '../../../src/slot/slot-filters.ts'
import type { AuditActor } from '../../../src/store/contracts/audit.ts'
import { type Store, StoreUnavailable } from '../../../src/store/contracts/store.ts'
import type { Subscription } from '../../../src/store/contracts/subscriptions.ts'
import type { Schema } from '../../../src/store/sql/schema.ts'
import { SubscriptionMatcher } from '../../../src/subscriptions/subscription-matcher.ts'
import { syncSource } from '../../../src/sync/sync-source.ts'
import { matches } from '../slot-index/naive-index.ts'
import type { StoreHarness } from './conformance/harness.ts'
import { type Founded, found } from './conformance/people.ts'
import { connectorOfSlots } from './temp-store.ts'

/** The sources: the first holds extreme snapshots, the others publish whatever they read; the last is read later. */
export const SOURCES = ['careful', 'plain', 'late'] as const
export type OracleSource = (typeof SOURCES)[number]

/** The start of the slots of `slotIn`, which begin in 1970, on the clock of the harness. */
export const SLOTS_START_MS = Date.UTC(2030, 0, 1)

/** Filters, also as a query string. */
interface OracleSubscription {
  readonly filters: SlotFilters
  readonly query: string
  readonly events: readonly SubscriptionEvent[]
}

/** A receiver: the open slots by its events, beginning with an export. */
interface Receiver extends OracleSubscription {
  readonly subscription: Subscription
  readonly told: Set<string>
  /** The slots that a rule may have held back. */
  readonly doubtful: Set<string>
  /** Slots that were removed before the subscription: their return may be a flap. */
  readonly gone: ReadonlySet<string>
  /** The type and number of slots of each event. */
  readonly log: [type: string, total: number][]
  sequence: number
}

/** Sources that publish, subscriptions with receivers, and the matchers of two nodes. */
export class SubscriptionOracle {
  readonly receivers: Receiver[] = []
  readonly #harness: StoreHarness
  readonly #queries: Kysely<Schema>
  readonly #founded: Founded
  readonly #nodes: Node[]
  readonly #published = new Map<OracleSource, readonly Slot[]>(SOURCES.map((source) => [source, []]))

  private constructor(harness: StoreHarness, founded: Founded, nodes: Node[]) {
    this.#harness = harness
    this.#founded = founded
    this.#nodes = nodes
    this.#queries = harness.store.signIn.queries as unknown as Kysely<Schema>
  }

  static async open(harness: StoreHarness): Promise<SubscriptionOracle> {
    const { store, clock } = harness
    const founded = await found(store, `Clinic ${names++}`)
    for (const slug of SOURCES) await store.sources.remove(slug)
    // Removes the slots of an earlier oracle on the same store too early for their ids to return as a flap.
    clock.nowMs += 11 * MINUTE_MS
    for (const slug of SOURCES) {
      await store.sources.add({ slug, url: `https://${slug}.test/`, strict: false })
      await store.sources.setReviewPolicy(slug, slug === 'careful' ? 'extreme' : 'nothing')
    }
    return new SubscriptionOracle(harness, founded, [new Node(harness), new Node(harness)])
  }

  get owner(): AuditActor {
    return this.#founded.owner
  }

  /** Subscribes now, with an export. */
  async subscribe(asked: OracleSubscription, status: 'active' | 'pending' = 'active'): Promise<Receiver> {
    const { filters, query, events } = asked
    const { organization, owner } = this.#founded
    const draft = { organizationId: organization.id, url: 'https://app.example/hook', filters: {}, query, events }
    const { subscriptions } = this.#harness.store
    const subscription = await subscriptions.create({ ...draft, minIntervalMs: MINUTE_MS, secret: 's' }, owner, 1000)
    const told = this.matching(filters)
    const gone = new Set(this.#gone)
    const receiver = { ...asked, subscription, told, doubtful: new Set<string>(), gone, log: [], sequence: 0 }
    this.receivers.push(receiver)
    if (status === 'active') await this.activate(receiver)
    return receiver
  }

  /** The receiver has returned the challenge. */
  async activate({ subscription }: Receiver): Promise<void> {
    const activated = this.#queries.updateTable('subscriptions').set({ status: 'active', verified: 1 })
    await activated.where('id', '=', subscription.id).execute()
  }

  /** The last event of a receiver is delivered now. */
  async noteDelivery({ subscription }: Receiver): Promise<void> {
    const noted = this.#queries.updateTable('subscriptions').set({ last_delivered_at_ms: this.#harness.clock.nowMs })
    await noted.where('id', '=', subscription.id).execute()
  }

  /** Publishes the slots of a source. A held snapshot changes nothing. */
  async publish(source: OracleSource, slots: readonly Slot[]): Promise<void> {
    const { store, clock } = this.#harness
    const before = this.#published.get(source) ?? []
    const parts = { store, clock: () => clock.nowMs, random: () => 0.5, everyMsDefault: HOUR_MS }
    const own = slots.map((slot) => ownSlot(source, slot))
    const run = await syncSource({ ...parts, connectorOf: () => connectorOfSlots(() => own) }, source)
    if (run?.outcome.outcome !== 'held') this.#published.set(source, own)
    // In a first snapshot, one after a restart, or while the source is held, what opens may be kept back.
    const known = new Set(before.map(({ id }) => id))
    const isHeld = run?.outcome.outcome === 'held'
    for (const { doubtful, told, gone, events } of this.receivers) {
      if (known.size === 0) for (const { id } of own) doubtful.add(id)
      if (isHeld || this.#held.has(source)) {
        for (const { id } of [...before, ...own]) doubtful.add(id)
        // A removal of before that is not announced yet.
        for (const id of told) if (isOf(source, id)) doubtful.add(id)
      }
      if (events.length === 1) for (const { id } of own) if (!known.has(id) && gone.has(id)) doubtful.add(id)
    }
    if (isHeld) this.#held.add(source)
    else for (const { id } of before) if (!own.some((slot) => slot.id === id)) this.#gone.add(id)
  }

  readonly #held = new Set<OracleSource>()
  /** Slots that were removed at some time. */
  readonly #gone = new Set<string>()

  /** What the nodes have logged. */
  messages(): readonly string[] {
    return this.#nodes.flatMap(({ messages }) => messages)
  }

  /** One turn of a node. `kill`: it disappears before or after the next write, and starts again. */
  async turn(node: number, kill?: 'before' | 'after'): Promise<void> {
    await this.#nodes[node].turn(kill)
    await this.#check()
  }

  /** One turn of a node, with a change that is committed right before the node queues events. */
  async turnWhile(change: () => Promise<unknown>, node = 0): Promise<void> {
    await this.#nodes[node].turn(undefined, change)
    await this.#check()
  }

  /** All that is due reaches the receivers. Either node may do it once the lock of the other has expired. */
  async settle(): Promise<void> {
    for (let turns = 0; turns < 4; turns++) {
      this.#harness.clock.nowMs += 2 * MINUTE_MS
      for (const node of [0, 1]) await this.turn(node)
    }
  }

  /** The ids of the matching slots in all sources. */
  matching(filters: SlotFilters): Set<string> {
    const slots = [...this.#published.values()].flat()
    const nowMs = this.#harness.clock.nowMs
    return new Set(slots.filter((slot) => matches(slot, filters, nowMs)).map(({ id }) => id))
  }

  async heldBackOf({ subscription }: Receiver): Promise<Subscription['heldBack']> {
    const found = await this.#harness.store.subscriptions.find(subscription)
    return found?.heldBack ?? assert.fail('the subscription must exist')
  }

  /** A receiver knows the slots of a mirror, except for as many as were held back. */
  async compare(receiver: Receiver): Promise<void> {
    const { filters, events, told, doubtful } = receiver
    const heldBack = await this.heldBackOf(receiver)
    const mirror = this.matching(filters)
    const differences = [...(events.length > 1 ? mirror.symmetricDifference(told) : mirror.difference(told))]
    const count = Object.values(heldBack).reduce((sum, each) => sum + each, 0)
    assert.ok(differences.length <= count, `${differences} differ, ${JSON.stringify(heldBack)}`)
    const unexplained = differences.filter((id) => !doubtful.has(id))
    assert.deepEqual(unexplained, [])
  }

  async close(): Promise<void> {
    const { subscriptions } = this.#harness.store
    for (const { subscription } of this.receivers) await subscriptions.remove(subscription, this.#founded.owner)
  }

  /** Delivers the queued events in order. */
  async #check(): Promise<void> {
    for (const receiver of this.receivers) {
      const events = await this.#queries
        .selectFrom('subscription_events')
        .select(['sequence', 'type', 'total', 'ids', 'from_revision', 'to_revision'])
        .where('subscription_id', '=', receiver.subscription.id)
        .where('type', 'in', ['slots.opened', 'slots.closed'])
        .where('sequence', '>', receiver.sequence)
        .orderBy('sequence')
        .execute()
      for (const { sequence, type, total, ids, ...span } of events) {
        receiver.sequence = sequence
        const listed: string[] = JSON.parse(ids)
        receiver.log.push([type, total])
        assert.equal(listed.length, total > EVENT_IDS_MAX ? 0 : total)
        assert.ok(span.from_revision < span.to_revision && span.from_revision >= receiver.subscription.sinceRevision)
        for (const id of listed) tell(receiver, type === 'slots.opened', id)
      }
    }
    await this.#queries
      .updateTable('subscription_events')
      .set({ status: 'delivered' })
      .where('status', '=', 'queued')
      .execute()
  }
}

let names = 0

function tell({ told, doubtful, events }: Receiver, isOpened: boolean, id: string): void {
  if (isOpened && events.length > 1) assert.ok(!told.has(id), `${id} is announced twice`)
  if (!isOpened) assert.ok(told.has(id) || doubtful.has(id), `${id} is closed twice`)
  if (isOpened) told.add(id)
  else told.delete(id)
}

/** A slot of a source: sources never share ids. It starts in 2030. */
function ownSlot(source: OracleSource, slot: Slot): Slot {
  const [startMs, endMs] = [slot.startMs + SLOTS_START_MS, slot.endMs + SLOTS_START_MS]
  const [start, end] = [startMs, endMs].map((ms) => new Date(ms).toISOString())
  return { ...slot, id: `${source.slice(0, 1)}${slot.id.slice(1)}`, startMs, endMs, start, end }
}

function isOf(source: OracleSource, id: string): boolean {
  return id.startsWith(source.slice(0, 1))
}

/** A node with a matcher, which can be killed. */
class Node {
  readonly #harness: StoreHarness
  readonly messages: string[] = []
  #fault: 'before' | 'after' | undefined
  #change: (() => Promise<unknown>) | undefined
  #matcher: SubscriptionMatcher

  constructor(harness: StoreHarness) {
    this.#harness = harness
    this.#matcher = this.#start()
  }

  async turn(kill?: 'before' | 'after', change?: () => Promise<unknown>): Promise<void> {
    this.#fault = kill
    this.#change = change
    try {
      while (await this.#matcher.run());
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      this.#matcher = this.#start()
    }
    this.#fault = undefined
    this.#change = undefined
  }

  #start(): SubscriptionMatcher {
    const { store, clock } = this.#harness
    return new SubscriptionMatcher({
      store: { ...store, subscriptionMatches: this.#faulty(store.subscriptionMatches) },
      now: () => clock.nowMs,
      onEvent: ({ message }) => this.messages.push(message),
      onQueued: () => undefined,
    })
  }

  #faulty(inner: Store['subscriptionMatches']): Store['subscriptionMatches'] {
    const write = async <Result>(task: () => Promise<Result>): Promise<Result> => {
      const fault = this.#fault
      this.#fault = undefined
      if (fault === 'before') throw new StoreUnavailable('killed before the write')
      const result = await task()
      if (fault === 'after') throw new StoreUnavailable('killed after the write')
      return result
    }
    return {
      position: () => inner.position(),
      keys: () => inner.keys(),
      ofFilters: (key, between) => inner.ofFilters(key, between),
      announcing: (ids) => inner.announcing(ids),
      heldSources: () => inner.heldSources(),
      revisionBefore: (revision, ms) => inner.revisionBefore(revision, ms),
      record: (step) => write(() => inner.record(step)),
      announce: async (announcements) => {
        await this.#change?.()
        return write(() => inner.announce(announcements))
      },
      skip: (step) => write(() => inner.skip(step)),
      replace: (step) => write(() => inner.replace(step)),
      forget: (key, until) => write(() => inner.forget(key, until)),
    }
  }
}
