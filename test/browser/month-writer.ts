import { hashToken } from '../../src/auth/link-tokens.ts'
import { connectorsOf } from '../../src/feeds/connectors.ts'
import type { ApiKey } from '../../src/keys/key.ts'
import { mintApiKey } from '../../src/keys/mint-key.ts'
import { LATENCY_BOUNDS_US, latencyBucket } from '../../src/lib/latency-histogram.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/time.ts'
import type { AuditActor } from '../../src/store/contracts/audit.ts'
import type { Organization } from '../../src/store/contracts/organizations.ts'
import type { Store } from '../../src/store/contracts/store.ts'
import { syncSource } from '../../src/sync/sync-source.ts'
import type { CarelessPublisher } from './careless-publisher.ts'
import { CALLERS, loggedRequest, requestsIn } from './month-requests.ts'
import type { Person } from './people.ts'

/** Continues from any time it is set to, so that durations are real in the past too. */
export class PastClock {
  #offsetMs = 0
  readonly now = () => Date.now() + this.#offsetMs

  goTo(agoMs: number): void {
    this.#offsetMs = -agoMs
  }
}

/** A key, and its requests per hour around noon. */
interface BusyKey {
  readonly key: ApiKey
  readonly pace: number
}

/** The accounts, links and ids that the month created. */
export interface Left {
  readonly organizationId: string
  /** The busiest key, and a revoked one. */
  readonly keyId: string
  readonly revokedKeyId: string
  /** The token of an open invitation. */
  readonly invitationToken: string
}

/** Writes the events of a month into the store, in chronological order. */
export class MonthWriter {
  readonly #store: Store
  readonly #clock: PastClock
  readonly #ids: ReadonlyMap<string, string>
  readonly #nameOf: (plain: string) => string

  /** `ids` are those of the accounts, by address. */
  constructor(parts: {
    store: Store
    clock: PastClock
    ids: ReadonlyMap<string, string>
    nameOf: (plain: string) => string
  }) {
    this.#store = parts.store
    this.#clock = parts.clock
    this.#ids = parts.ids
    this.#nameOf = parts.nameOf
  }

  /** An organization of three, with keys of every kind. */
  async organization(owner: Person, admin: Person, member: Person): Promise<Left> {
    this.#clock.goTo(31 * DAY_MS)
    const organization = await this.#store.organizations.create(this.#nameOf('Northgate Health'), this.#actor(owner))
    const { id } = organization
    await this.#join(organization, { by: owner, person: admin, role: 'admin' })
    const web = await this.#key(id, 'production web', { agoDays: 30, by: owner })
    const report = await this.#key(id, 'nightly report', { agoDays: 28, by: admin, lastsDays: 36 })
    await this.#join(organization, { by: owner, person: member, role: 'member' })
    const mobile = await this.#key(id, 'mobile app', { agoDays: 25, by: owner })
    const leaked = await this.#key(id, 'prototype', { agoDays: 24, by: member })
    this.#clock.goTo(17 * DAY_MS)
    const revocation = { reason: this.#nameOf('was in a public repository'), atMs: this.#clock.now() }
    await this.#store.keys.revoke(leaked.id, { ...revocation, by: this.#actor(admin) })
    this.#clock.goTo(12 * DAY_MS)
    const invitation = await this.#invite(id, {
      by: owner,
      token: 'over',
      email: 'dorothy@northgate.example',
    })
    this.#clock.goTo(11 * DAY_MS)
    await this.#store.invitations.revoke({ organizationId: id, id: invitation.id }, this.#actor(admin))
    await this.#key(id, 'staging', { agoDays: 9, by: admin })
    this.#clock.goTo(2 * DAY_MS)
    await this.#invite(id, { by: owner, token: 'for mary', email: 'mary@northgate.example' })
    this.#clock.goTo(1 * DAY_MS)
    await this.#invite(id, { by: owner, token: 'a-link-for-the-tests' })
    await this.#rotate(mobile, owner)
    const busy = [
      { key: web, pace: 900 },
      { key: mobile, pace: 320 },
      { key: report, pace: 40 },
    ]
    await this.#use(busy)
    return {
      organizationId: id,
      keyId: web.id,
      revokedKeyId: leaked.id,
      invitationToken: 'a-link-for-the-tests',
    }
  }

  /** Organizations without events, for the other accounts. Returns their ids. */
  async others(founders: readonly Person[]): Promise<readonly string[]> {
    const ids: string[] = []
    for (const [n, name] of ['Lakeside Telehealth', 'Old Mill Pharmacy', 'Vaccine Finder'].entries()) {
      this.#clock.goTo((26 - 7 * n) * DAY_MS)
      ids.push((await this.#store.organizations.create(this.#nameOf(name), this.#actor(founders[n]))).id)
    }
    return ids
  }

  /** A healthy source, a small paused one, one with rejected lines, an unavailable one, and one with a held snapshot. */
  async sources(from: {
    large: string
    small: string
    careless: CarelessPublisher
    emptying: CarelessPublisher
    syncs: number
  }) {
    const by = { name: 'ada@northgate.example', address: '192.0.2.7' }
    const options = { headers: { 'X-Tenant': 'harbour' } }
    const add = (slug: string, url: string, more = {}) =>
      this.#store.sources.add({ slug, url, strict: false, ...this.#publisherName(slug), ...more }, by)
    this.#clock.goTo((from.syncs + 1) * HOUR_MS)
    await add('northeast-pharmacies', from.large)
    await add('old-mill', from.small)
    await add('harbour-clinic', from.careless.url, { options })
    await add('valley-care', from.careless.url)
    await add('lakeside-clinic', from.emptying.url)
    await this.#sync('valley-care')
    await this.#sync('lakeside-clinic')
    for (let n = from.syncs; n > 0; n--) {
      this.#clock.goTo(n * HOUR_MS)
      for (const slug of ['northeast-pharmacies', 'harbour-clinic']) await this.#sync(slug)
      if (n > from.syncs / 2) await this.#sync('old-mill')
    }
    await this.#store.sources.setPaused('old-mill', true, by)
    await this.#store.sources.setReviewPolicy('harbour-clinic', 'suspicious', by)
    await this.#store.sources.edit('harbour-clinic', () => ({ everyMs: 15 * MINUTE_MS }), {
      name: 'command line',
    })
    from.careless.isAway = true
    for (const minutes of [20, 9, 2]) {
      this.#clock.goTo(minutes * MINUTE_MS)
      await this.#sync('valley-care')
    }
    from.careless.isAway = false
    from.emptying.isEmptied = true
    await this.#sync('lakeside-clinic')
    await this.#countOpenSlots('northeast-pharmacies')
    await this.#sync('northeast-pharmacies')
  }

  /**
   * Hourly counts of a week, with gaps while the service was down. The current and the next hour are counted too: otherwise the
   * service counts them itself at some moment of the test, and other states become the top ones.
   */
  async #countOpenSlots(slug: string): Promise<void> {
    this.#clock.goTo(0)
    const nowMs = this.#clock.now()
    for (let hours = 7 * 24; hours >= -1; hours--) {
      if (hours > 60 && hours < 70) continue
      const counts = ['MA', 'NY', 'CT', 'VT'].map((state, n) => {
        const count = Math.round((600 / (n + 1)) * (1 + Math.sin((hours - 4 * n) / 24) / 3))
        return [state, count] as const
      })
      const all = counts.reduce((sum, [, count]) => sum + count, 0)
      await this.#store.openSlotHistory.put(nowMs - hours * HOUR_MS, new Map([[slug, new Map([['', all], ...counts])]]))
    }
  }

  /** A name, if the names are not those of the slugs. */
  #publisherName(slug: string) {
    const name = this.#nameOf(slug)
    return name === slug ? {} : { name }
  }

  async #join(
    { id }: Organization,
    { by, person, role }: { by: Person; person: Person; role: 'admin' | 'member' },
  ): Promise<void> {
    const { email } = person
    await this.#invite(id, { by, role, token: email })
    await this.#store.invitations.accept(hashToken(email), { id: this.#id(person), email }, this.#actor(person))
  }

  #invite(
    organizationId: string,
    { by, token, email, role }: { by: Person; token: string; email?: string; role?: 'admin' | 'member' },
  ) {
    const expiresAtMs = this.#clock.now() + 7 * DAY_MS
    const invitation = { organizationId, role: role ?? 'member', tokenHash: hashToken(token), expiresAtMs }
    return this.#store.invitations.create({ ...invitation, ...(email !== undefined && { email }) }, this.#actor(by))
  }

  async #key(
    organizationId: string,
    name: string,
    { agoDays, by, lastsDays }: { agoDays: number; by: Person; lastsDays?: number },
  ): Promise<ApiKey> {
    this.#clock.goTo(agoDays * DAY_MS)
    const nowMs = this.#clock.now()
    const ends = lastsDays === undefined ? {} : { expiresAtMs: nowMs + lastsDays * DAY_MS }
    const { key } = mintApiKey({ organizationId, name: this.#nameOf(name), ...ends }, nowMs)
    await this.#store.keys.put({ ...key, createdBy: by.email }, this.#actor(by))
    return key
  }

  async #rotate({ id, organizationId, name }: ApiKey, by: Person): Promise<void> {
    this.#clock.goTo(5 * HOUR_MS)
    const { key } = mintApiKey({ organizationId, name }, this.#clock.now())
    const untilMs = this.#clock.now() + DAY_MS
    const next = { ...key, createdBy: by.email }
    await this.#store.keys.rotate({ id, organizationId, untilMs }, next, this.#actor(by))
  }

  /** More requests by day and on weekdays, a few of them invalid. */
  async #use(keys: readonly BusyKey[]): Promise<void> {
    this.#clock.goTo(0)
    const nowMs = this.#clock.now()
    const thisHourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS
    const hours = Array.from({ length: 29 * 24 }, (_, n) => thisHourMs - n * HOUR_MS)
    const used = keys.flatMap(({ key, pace }) =>
      hours.map((hourMs, n) => ({ keyId: key.id, hourMs, count: requestsIn(hourMs, pace, n) })),
    )
    await this.#store.usage.add({
      requests: used.flatMap(({ keyId, hourMs, count }, n) => [
        { keyId, hourMs, status: 200, count },
        ...(n % 3 === 0 ? [{ keyId, hourMs, status: 400, count: Math.ceil(count / 30) }] : []),
        ...(n % 5 === 0 ? [{ keyId, hourMs, status: 304, count: Math.ceil(count / 12) }] : []),
      ]),
      latencies: used.flatMap(({ keyId, hourMs, count }, n) => [
        { keyId, hourMs, bucket: latencyBucket(LATENCY_BOUNDS_US[5]), count: Math.ceil(count * 0.8) },
        { keyId, hourMs, bucket: latencyBucket(LATENCY_BOUNDS_US[9]), count: Math.ceil(count * 0.2) },
        { keyId, hourMs, bucket: latencyBucket(LATENCY_BOUNDS_US[11 + (n % 5)]), count: Math.ceil(count * 0.02) },
      ]),
      logged: Array.from({ length: 400 }, (_, n) => loggedRequest(keys[n % 3].key.id, nowMs - (401 - n) * 470_000, n)),
      addresses: CALLERS.flatMap(({ address }, n) =>
        keys.map(({ key }) => ({ keyId: key.id, address, atMs: nowMs - (1 + n * n) * 47_000 })),
      ),
      referrals: [],
      lastUsed: new Map(keys.map(({ key }, n) => [key.id, nowMs - n * 95_000])),
    })
  }

  async #sync(slug: string): Promise<void> {
    await syncSource(
      {
        store: this.#store,
        connectorOf: connectorsOf({ allowPrivateSources: true }),
        clock: this.#clock.now,
        random: () => 0.5,
        everyMsDefault: HOUR_MS,
      },
      slug,
    )
  }

  #actor(person: Person): AuditActor {
    return { userId: this.#id(person), name: person.email, address: '203.0.113.7' }
  }

  #id({ email }: Person): string {
    return this.#ids.get(email) ?? ''
  }
}
