import assert from 'node:assert/strict'
import { DAY_MS, HOUR_MS } from '../../src/lib/time.ts'
import type { RunningService } from '../support/running-service.ts'
import { EventReceiver } from '../support/subscriptions/event-receiver.ts'
import { Visitor } from '../support/visitor.ts'

/** A key in the dashboard API. */
interface Key {
  readonly id: string
  readonly secret: string
  readonly expiresAtMs: number
}

const KEY_HOURS = 12
const REQUESTS_PER_HOUR = 20

/** What an organization does each hour: its keys, its requests, its dashboard and its subscriptions. */
export class HourlyCallers implements AsyncDisposable {
  /** Responses to requests with keys, and events. */
  readonly counts = { accepted: 0, refused: 0, events: 0 }
  readonly #service: RunningService
  readonly #receiver: EventReceiver
  #visitor: Visitor
  readonly #path: string
  #keys: Key[] = []
  #subscription: string | undefined

  private constructor(service: RunningService, receiver: EventReceiver, visitor: Visitor, organizationId: string) {
    this.#service = service
    this.#receiver = receiver
    this.#visitor = visitor
    this.#path = `/api/organizations/${organizationId}`
  }

  static async open(service: RunningService): Promise<HourlyCallers> {
    const visitor = await Visitor.signUp(service, 'ada@example.org')
    const { id } = await visitor.json('POST', '/api/organizations', { name: 'Good Health' })
    return new HourlyCallers(service, await EventReceiver.open(), visitor, id)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#receiver[Symbol.asyncDispose]()
  }

  /** `hour`: of the run. `atMs`: the time of the service. */
  async spendHour(hour: number, atMs: number): Promise<void> {
    if (hour % 24 === 0) this.#visitor = await Visitor.signIn(this.#service, 'ada@example.org')
    await this.#churnKeys(hour, atMs)
    await this.#request()
    await this.#visitor.json('GET', `${this.#path}/usage?fromMs=${atMs - 7 * DAY_MS}&toMs=${atMs}`)
    await this.#visitor.json('GET', `${this.#path}/audit`)
    if (hour % 24 === 1) await this.#subscribe()
    this.counts.events += this.#receiver.received.splice(0).length
  }

  /** A key is created each hour and expires; one is revoked every second hour, and one rotated every sixth. */
  async #churnKeys(hour: number, atMs: number): Promise<void> {
    const expired = this.#keys.find(({ expiresAtMs }) => expiresAtMs <= atMs)
    if (expired !== undefined) await this.#expect(expired, 401)
    this.#keys = this.#keys.filter(({ expiresAtMs }) => expiresAtMs > atMs)
    const expiresAtMs = atMs + KEY_HOURS * HOUR_MS
    await this.#create(expiresAtMs, { name: `hour ${hour}` })
    if (hour % 2 === 0 && this.#keys.length > 1) await this.#revokeOldest()
    const [oldest] = this.#keys
    if (hour % 6 === 3 && oldest !== undefined) {
      await this.#create(expiresAtMs, { keepOldForMs: HOUR_MS }, `/${oldest.id}/rotate`)
      this.#keys.shift()
    }
  }

  async #create(expiresAtMs: number, body: object, path = ''): Promise<void> {
    const { key, secret } = await this.#visitor.json('POST', `${this.#path}/keys${path}`, { ...body, expiresAtMs })
    this.#keys.push({ id: key.id, secret, expiresAtMs })
  }

  async #revokeOldest(): Promise<void> {
    const oldest = this.#keys.shift()
    if (oldest === undefined) return
    await this.#visitor.json('POST', `${this.#path}/keys/${oldest.id}/revoke`, {})
    await this.#expect(oldest, 401)
  }

  async #request(): Promise<void> {
    for (let n = 0; n < REQUESTS_PER_HOUR; n++)
      await this.#expect(this.#keys[n % this.#keys.length], 200, `limit=${n + 1}`)
  }

  async #expect({ id, secret }: Key, status: number, search = 'limit=1'): Promise<void> {
    const response = await this.#service.slots(secret, search)
    assert.equal(response.status, status, `key ${id}`)
    if (status === 200) this.counts.accepted++
    else this.counts.refused++
  }

  /** Replaces the subscription. */
  async #subscribe(): Promise<void> {
    const { secret } = this.#keys[this.#keys.length - 1]
    if (this.#subscription !== undefined) await this.#ask('DELETE', `/${this.#subscription}`, secret)
    const input = { url: this.#receiver.url(), filters: { state: ['MA'] }, minIntervalSeconds: 1 }
    const { id } = await this.#ask('POST', '', secret, input)
    this.#subscription = id
  }

  async #ask(method: string, path: string, secret: string, body?: object) {
    const response = await fetch(`${this.#service.origin}/v1/scheduling/subscriptions${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.ok(response.ok, text)
    return text === '' ? undefined : JSON.parse(text)
  }
}
