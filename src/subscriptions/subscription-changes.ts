import { randomBytes } from 'node:crypto'
import { InvalidParameter } from '../slot/query-parameter.ts'
import type { AuditActor } from '../store/contracts/audit.ts'
import type {
  Subscription,
  SubscriptionFilters,
  SubscriptionId,
  SubscriptionStore,
} from '../store/contracts/subscriptions.ts'
import { parseSubscription, parseSubscriptionEdit } from './subscription-input.ts'

/** A subscription with its secret, which is shown once. */
export interface SecretSubscription {
  readonly subscription: Subscription
  /** `whsec_…` */
  readonly secret: string
}

interface ChangesOptions {
  readonly subscriptions: SubscriptionStore
  readonly encrypt: (text: string) => Promise<string>
  /** Whether receivers may use http and private addresses. */
  readonly allowPrivate: boolean
  /** Subscriptions of an organization. */
  readonly max: number
  readonly now: () => number
}

/** Checks and makes the changes that callers, people and operators ask for. Input is as in `/v1`; throws `InvalidParameter`. */
export class SubscriptionChanges {
  readonly #options: ChangesOptions

  constructor(options: ChangesOptions) {
    this.#options = options
  }

  /** Throws as `SubscriptionStore.create()`. */
  async create(input: unknown, owner: { organizationId: string; by: AuditActor }): Promise<SecretSubscription> {
    const { subscriptions, encrypt, allowPrivate, max, now } = this.#options
    const parsed = parseSubscription(input, { allowPrivate, nowMs: now() })
    const secret = newSecret()
    const draft = { ...parsed, organizationId: owner.organizationId, secret: await encrypt(secret) }
    return { subscription: await subscriptions.create(draft, owner.by, max), secret }
  }

  /** Undefined if it does not exist. */
  async edit(of: SubscriptionId, input: unknown, by: AuditActor): Promise<Subscription | undefined> {
    const { subscriptions, allowPrivate, now } = this.#options
    const edit = parseSubscriptionEdit(input, { allowPrivate, nowMs: now() })
    if (edit.status === 'active' && edit.expiresAtMs === undefined) await this.#requireUnexpired(of)
    return subscriptions.edit(of, edit, by)
  }

  async #requireUnexpired(of: SubscriptionId): Promise<void> {
    const { subscriptions, now } = this.#options
    const expiresAtMs = (await subscriptions.find(of))?.expiresAtMs
    if (expiresAtMs === undefined || expiresAtMs > now()) return
    const expired = `the subscription expired at ${new Date(expiresAtMs).toISOString()}`
    throw new InvalidParameter('status', `status must not be active: ${expired}. Change expiresAt as well.`)
  }

  /** The previous secret signs for `SECRET_OVERLAP_MS` more. Undefined if it does not exist. */
  async rotateSecret(of: SubscriptionId, by: AuditActor): Promise<SecretSubscription | undefined> {
    const { subscriptions, encrypt } = this.#options
    const secret = newSecret()
    const subscription = await subscriptions.rotateSecret(of, await encrypt(secret), by)
    return subscription && { subscription, secret }
  }
}

/** A secret of Standard Webhooks: 256 random bits. */
function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** The parameters of a query string by name; a list repeats one. */
export function filtersOfQuery(query: string): SubscriptionFilters {
  const parameters = new URLSearchParams(query)
  const names = [...new Set(parameters.keys())]
  const values = names.map((name) => parameters.getAll(name))
  return Object.fromEntries(names.map((name, at) => [name, values[at].length === 1 ? values[at][0] : values[at]]))
}
