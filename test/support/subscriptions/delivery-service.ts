import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { AuthSecrets } from '../../../src/auth/auth-secrets.ts'
import type { LogEvent } from '../../../src/lib/log-event.ts'
import { defined } from '../../../src/lib/optional.ts'
import { MINUTE_MS } from '../../../src/lib/time.ts'
import { encodeOffering, encodeSlot, type Slot } from '../../../src/slot/slot.ts'
import { COMMAND_LINE } from '../../../src/store/contracts/audit.ts'
import type { DisabledSubscription } from '../../../src/store/contracts/deliveries.ts'
import type { Store } from '../../../src/store/contracts/store.ts'
import type { Subscription, SubscriptionDelivery } from '../../../src/store/contracts/subscriptions.ts'
import { openDatabase, openStore } from '../../../src/store/open-store.ts'
import type { Database } from '../../../src/store/sql/database.ts'
import { queueEvent } from '../../../src/store/sql/queue-event.ts'
import { Deliverer } from '../../../src/subscriptions/deliverer.ts'
import type { KnownSlots } from '../../../src/subscriptions/event-body.ts'
import { EventSender } from '../../../src/subscriptions/send-event.ts'
import { eventually } from '../eventually.ts'
import { createEmptyDatabase } from '../store/empty-database.ts'
import { tempDatabaseUrl } from '../store/temp-store.ts'
import { EventReceiver } from './event-receiver.ts'

/** The secret of every node and process of the tests. */
export const STORE_SECRET = 'a secret of the tests, which is long enough'
const STORE_SECRETS = new AuthSecrets(STORE_SECRET)

/** Number of the store in the revisions of events. */
const STORE_NUMBER = 35

interface NodeSettings {
  readonly readSlots?: (ids: readonly string[], revision: number) => Promise<KnownSlots | undefined>
  readonly allowPrivate?: boolean
  readonly timeoutMs?: number
  readonly lookEveryMs?: number
  readonly now?: () => number
  readonly authSecret?: string
  readonly onEvent?: (event: LogEvent) => void
  readonly onDisabled?: (subscription: DisabledSubscription) => void
}

/** A node that delivers, on a store of its own connection. Stop it. */
export function startNode(store: Store, settings: NodeSettings = {}) {
  const { now = Date.now, allowPrivate = true, timeoutMs = 5000, lookEveryMs } = settings
  const secrets = new AuthSecrets(settings.authSecret ?? STORE_SECRET)
  const decrypt = (secret: string) => secrets.decrypt(secret)
  const sender = new EventSender({ baseUrl: 'https://slots.example', allowPrivate, decrypt, now, timeoutMs })
  const deliverer = new Deliverer({
    store: store.deliveries,
    send: sender.send,
    readSlots: settings.readSlots ?? (async () => ({ store: STORE_NUMBER, slots: new Map() })),
    now,
    random: () => 0.5,
    onEvent: settings.onEvent ?? console.error,
    onDisabled: settings.onDisabled ?? (() => undefined),
    ...defined({ lookEveryMs }),
  })
  deliverer.start()
  const stop = async () => {
    await deliverer.close()
    sender.close()
  }
  return { deliverer, stop }
}

/** The slots as a node knows them. */
export function knownSlots(slots: readonly Slot[]): KnownSlots {
  return {
    store: STORE_NUMBER,
    slots: new Map(slots.map((slot) => [slot.id, encodeSlot(slot) + encodeOffering(slot.offering)])),
  }
}

/** A service and a receiver, which end with the test. */
export async function openDelivery(t: TestContext): Promise<{ service: DeliveryService; receiver: EventReceiver }> {
  const receiver = await EventReceiver.open()
  t.after(() => receiver[Symbol.asyncDispose]())
  return { service: await DeliveryService.open(t), receiver }
}

/** Like `openDelivery()`, with a node and an active subscription of the receiver. */
export async function openActive(t: TestContext) {
  const { service, receiver } = await openDelivery(t)
  const node = service.node()
  const [subscription] = await service.subscribeActive(receiver.url())
  return { service, receiver, node, subscription, subscriptions: service.store.subscriptions }
}

/** A store with subscriptions and their secrets. The clock runs, and can be moved on. */
export class DeliveryService {
  readonly store: Store
  readonly disabled: DisabledSubscription[] = []
  readonly databaseUrl: string
  readonly #database: Database
  readonly #stops: (() => Promise<void>)[] = []
  readonly #secrets = new Map<string, string>()
  readonly #clock: { passedMs: number }

  private constructor(of: { store: Store; database: Database; databaseUrl: string; clock: { passedMs: number } }) {
    this.store = of.store
    this.databaseUrl = of.databaseUrl
    this.#database = of.database
    this.#clock = of.clock
  }

  static async open(t?: TestContext, databaseUrl = tempDatabaseUrl()): Promise<DeliveryService> {
    if (databaseUrl.startsWith('sqlite:')) await createEmptyDatabase(databaseUrl)
    const clock = { passedMs: 0 }
    const store = await openStore(databaseUrl, { now: () => Date.now() + clock.passedMs })
    const service = new DeliveryService({ store, database: await openDatabase(databaseUrl), databaseUrl, clock })
    t?.after(() => service.close())
    return service
  }

  readonly now = (): number => Date.now() + this.#clock.passedMs

  /** Moves the clock on. */
  pass(ms: number): void {
    this.#clock.passedMs += ms
  }

  /** Starts a node that is stopped with the test. */
  node(settings: NodeSettings = {}): Deliverer {
    const onDisabled = (subscription: DisabledSubscription) => void this.disabled.push(subscription)
    const { deliverer, stop } = startNode(this.store, { now: this.now, onDisabled, ...settings })
    this.#stops.push(stop)
    return deliverer
  }

  /** A new subscription of an organization, which is created if it does not exist. */
  async subscribe(url: string, organization = 'Good Health'): Promise<Subscription> {
    const { organizations, subscriptions } = this.store
    const { id: organizationId } =
      (await organizations.find(organization)) ?? (await organizations.create(organization))
    const { secret, encrypted } = await newSecret()
    const draft = {
      organizationId,
      url,
      filters: { state: 'MA' },
      query: 'state=MA',
      events: ['slots.opened'],
    } as const
    const created = { ...draft, minIntervalMs: MINUTE_MS, secret: encrypted }
    const made = await subscriptions.create(created, COMMAND_LINE, 10_000)
    this.#secrets.set(made.id, secret)
    return made
  }

  /** New subscriptions of addresses that a node has verified. */
  async subscribeActive(...urls: readonly string[]): Promise<readonly Subscription[]> {
    const subscriptions: Subscription[] = []
    for (const url of urls) subscriptions.push(await this.subscribe(url))
    await this.whenActive(...subscriptions)
    return subscriptions
  }

  async whenActive(...subscriptions: readonly Subscription[]): Promise<void> {
    for (const each of subscriptions) await eventually(async () => (await this.find(each)).status === 'active')
  }

  secretOf({ id }: Subscription): string {
    return this.#secrets.get(id) ?? ''
  }

  /** Returns the secret before. */
  async rotate(subscription: Subscription): Promise<string> {
    const before = this.secretOf(subscription)
    const { secret, encrypted } = await newSecret()
    await this.store.subscriptions.rotateSecret(subscription, encrypted, COMMAND_LINE)
    this.#secrets.set(subscription.id, secret)
    return before
  }

  /** Queues an event about slots. Returns its id. */
  announce(
    { id: subscriptionId, organizationId, url }: Subscription,
    event: { ids?: readonly string[]; total?: number; revision?: number } = {},
  ): Promise<string> {
    const { ids = ['slot'], total = ids.length, revision = 1 } = event
    const about = { fromRevision: revision - 1, toRevision: revision, total, ids }
    const queued = { subscriptionId, organizationId, url, type: 'slots.opened', nowMs: this.now(), ...about } as const
    // As the matcher does.
    return this.#database.transaction('kill', ({ queries }) => queueEvent(queries, queued))
  }

  /** Lets the leases of nodes that were killed end now. */
  async endLeases(): Promise<void> {
    await this.#database.transaction('power-cut', ({ queries }) =>
      queries.updateTable('delivery_queues').set({ due_at_ms: 0 }).where('owner', 'is not', null).execute(),
    )
  }

  async find({ id }: Subscription): Promise<Subscription> {
    const found = await this.store.subscriptions.find({ id })
    if (found === undefined) throw new Error(`Cannot find subscription ${id}`)
    return found
  }

  /** Newest first. */
  async deliveriesOf(subscription: Subscription, limit = 1000): Promise<readonly SubscriptionDelivery[]> {
    return (await this.store.subscriptions.deliveries(subscription, { limit })) ?? []
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) await stop()
    await this.#database.close()
    await this.store.close()
  }
}

async function newSecret(): Promise<{ secret: string; encrypted: string }> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  return { secret, encrypted: await STORE_SECRETS.encrypt(secret) }
}
