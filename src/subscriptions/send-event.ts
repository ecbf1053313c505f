import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { defined } from '../lib/optional.ts'
import { postWebhook } from '../notifications/webhook.ts'
import type { ClaimedDelivery, DeliveryAttempt } from '../store/contracts/deliveries.ts'
import { requestedPauseMs, responseFault, sendFault } from './delivery-outcome.ts'
import { eventBody, type KnownSlots } from './event-body.ts'
import { SEND_LIMITS } from './send-queue.ts'

/** Posts an event to its receiver. Never rejects; undefined if this node cannot decrypt the secret, and so made no attempt. */
export type SendEvent = (delivery: ClaimedDelivery, known: KnownSlots) => Promise<DeliveryAttempt | undefined>

interface SenderOptions {
  /** The public URL of the service, without a trailing slash. */
  readonly baseUrl: string
  /** Whether private addresses and http are allowed. */
  readonly allowPrivate: boolean
  /** Rejects if it cannot be decrypted. */
  readonly decrypt: (secret: string) => Promise<string>
  readonly now: () => number
  readonly timeoutMs?: number
}

/** The time of an attempt, connection and response included. */
export const DELIVERY_MS_MAX = 15_000

/** Bytes of a response: a longer one closes its connection. */
export const RESPONSE_BYTES_MAX = 4096

/** Characters of a response that are kept. */
const KEPT_LENGTH_MAX = 1024

/** Connections that wait for the next event: of a host, and how long. */
const IDLE = { maxFreeSockets: 1, timeout: 4000 }

/** Sends events over connections that are kept: a TLS handshake costs more than the event. */
export class EventSender {
  readonly #options: SenderOptions
  readonly #agents = {
    'http:': new HttpAgent({ keepAlive: true, maxSockets: SEND_LIMITS.perHostMax, ...IDLE }),
    'https:': new HttpsAgent({ keepAlive: true, maxSockets: SEND_LIMITS.perHostMax, ...IDLE }),
  }
  readonly #secrets = new DecryptedSecrets()

  constructor(options: SenderOptions) {
    this.#options = options
  }

  readonly send: SendEvent = async (delivery, known) => {
    const { decrypt, now, timeoutMs = DELIVERY_MS_MAX } = this.#options
    const [secret, before] = await Promise.all(delivery.secrets.map((each) => this.#secrets.get(each, decrypt)))
    if (secret === undefined) return undefined
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(), timeoutMs)
    const [atMs, startedAtMs] = [now(), performance.now()]
    const latencyMs = () => Math.round(performance.now() - startedAtMs)
    try {
      const text = eventBody(delivery, this.#options.baseUrl, known)
      const secrets = before === undefined ? [secret] : [secret, before]
      const response = await this.#post(
        { url: delivery.url, secrets, id: delivery.id, text, atMs: now() },
        abort.signal,
      )
      const error = responseFault(delivery, response)
      const body = storable(response.body)
      const retryAfterMs = requestedPauseMs(response, now())
      return {
        atMs,
        latencyMs: latencyMs(),
        status: response.status,
        body,
        ...defined({ error, retryAfterMs }),
      }
    } catch (error) {
      return { atMs, latencyMs: latencyMs(), error: sendFault(error) }
    } finally {
      clearTimeout(timer)
    }
  }

  /** Closes the connections that are kept. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }

  #post(message: Parameters<typeof postWebhook>[0], signal: AbortSignal) {
    return postWebhook(message, {
      allowPrivate: this.#options.allowPrivate,
      signal,
      purpose: 'subscriptions',
      readBytesMax: RESPONSE_BYTES_MAX,
      agentFor: ({ protocol }) => this.#agents[protocol === 'https:' ? 'https:' : 'http:'],
    })
  }
}

/** The beginning of a text, as both databases can store it. */
function storable(text: string): string {
  return text.slice(0, KEPT_LENGTH_MAX).replaceAll('\0', ' ').toWellFormed()
}

/** Decrypting takes longer than signing. */
const SECRETS_MAX = 10_000

class DecryptedSecrets {
  readonly #known = new Map<string, string>()

  /** Undefined if it cannot be decrypted. */
  async get(encrypted: string, decrypt: (secret: string) => Promise<string>): Promise<string | undefined> {
    const known = this.#known.get(encrypted)
    if (known !== undefined) return known
    const secret = await decrypt(encrypted).catch(() => undefined)
    if (secret === undefined) return undefined
    if (this.#known.size >= SECRETS_MAX) this.#known.clear()
    this.#known.set(encrypted, secret)
    return secret
  }
}
