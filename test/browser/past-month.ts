import { DatabaseSync } from 'node:sqlite'
import { startPublisher } from '../../demo/publisher.ts'
import { hashToken } from '../../src/auth/link-tokens.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import { openStore } from '../../src/store/open-store.ts'
import { RunningService } from '../support/running-service.ts'
import { CarelessPublisher } from './careless-publisher.ts'
import { writeSubscriptions } from './month-subscriptions.ts'
import { type Left, MonthWriter, PastClock } from './month-writer.ts'
import { type Person, personOf } from './people.ts'

/** The owner, who also runs the service; an admin; a member. */
export const ADA = personOf('Ada Lovelace', 'northgate.example')
export const GRACE = personOf('Grace Hopper', 'northgate.example')
export const KATHERINE = personOf('Katherine Johnson', 'northgate.example')
/** Owns an organization in which nothing has happened yet. */
export const EMMY = personOf('Emmy Noether', 'elsewhere.example')
const OTHERS = [EMMY, personOf('Lise Meitner', 'elsewhere.example'), personOf('Rosalind Franklin', 'elsewhere.example')]
const SETUP_TOKEN = 'a-setup-token-for-the-tests'

/** A service after a month of use: accounts, keys and their usage, invitations, and sources of every kind. */
export interface PastMonth extends Left, AsyncDisposable {
  readonly service: RunningService
  readonly nameOf: (plain: string) => string
  /** A subscription that works. */
  readonly subscriptionId: string
  /** The organization of Emmy. */
  readonly emptyOrganizationId: string
  /** The account of Grace, a viewer. */
  readonly viewerId: string
  /** The link of an open invitation without an email address. */
  readonly invitationLink: string
  /** An unused setup link. */
  readonly setupLink: string
}

export interface PastMonthOptions {
  readonly slots: number
  /** The past syncs of the largest source, one per hour. */
  readonly syncs: number
  readonly port?: number
  /** The names that people and publishers have given: as they are here by default. */
  readonly nameOf?: (plain: string) => string
}

/** Resolves once the service is ready. */
export async function livePastMonth(options: PastMonthOptions): Promise<PastMonth> {
  const { nameOf = (plain) => plain } = options
  const clock = new PastClock()
  const large = await startPublisher({ port: 0, slots: options.slots, seed: 5, clock: clock.now })
  const small = await startPublisher({ port: 0, slots: 300, seed: 9, clock: clock.now })
  const careless = await CarelessPublisher.open({ nameOf })
  const emptying = await CarelessPublisher.open({ goodSlots: 40, nameOf })
  const service = await RunningService.prepare(options.port)
  await service.serve()
  const ids = new Map<string, string>()
  for (const person of [ADA, GRACE, KATHERINE, ...OTHERS]) ids.set(person.email, await signUp(service, person))
  await service.stop()
  const databaseUrl = String(service.env.DATABASE_URL)
  const store = await openStore(databaseUrl, { now: clock.now })
  const writer = new MonthWriter({ store, clock, ids, nameOf })
  const left = await writer.organization(ADA, GRACE, KATHERINE)
  const subscriptionId = await writeSubscriptions(store, left.organizationId, {
    userId: ids.get(ADA.email) ?? '',
    name: ADA.email,
    nameOf,
  })
  const [emptyOrganizationId] = await writer.others(OTHERS)
  await writer.sources({ large: large.url, small: small.url, careless, emptying, syncs: options.syncs })
  await store.operators.add(ids.get(ADA.email) ?? '')
  await store.operators.add(ids.get(GRACE.email) ?? '', { role: 'viewer' })
  await store.operators.putSetupToken(hashToken(SETUP_TOKEN), Date.now() + DAY_MS)
  await store.close()
  touchUp(databaseUrl, new URL(careless.url).origin, nameOf)
  await service.serve()
  return {
    ...left,
    nameOf,
    subscriptionId,
    emptyOrganizationId,
    viewerId: ids.get(GRACE.email) ?? '',
    service,
    invitationLink: `${service.home}/app/invitation#${left.invitationToken}`,
    setupLink: `${service.home}/app/setup#${SETUP_TOKEN}`,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await careless[Symbol.asyncDispose]()
      await emptying[Symbol.asyncDispose]()
      await small.close()
      await large.close()
    },
  }
}

/** Creates the account through the API. Returns its id. */
async function signUp(service: RunningService, person: Person): Promise<string> {
  const response = await fetch(`${service.home}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.home },
    body: JSON.stringify(person),
  })
  const { user } = JSON.parse(await response.text())
  return user.id
}

/**
 * Rows that the product itself would not write: accounts created before the month without notices, with names of
 * any length, and sources with example URLs that are
 * not due for an hour.
 */
function touchUp(databaseUrl: string, loopback: string, nameOf: (plain: string) => string): void {
  const database = new DatabaseSync(databaseUrl.replace(/^sqlite:/, ''))
  const createdAt = new Date(Date.now() - 32 * DAY_MS).toISOString()
  database.prepare('UPDATE users SET createdAt = ?, emailVerified = 1, first_notice_id = NULL').run(createdAt)
  database.prepare('DELETE FROM sessions').run()
  const rename = database.prepare('UPDATE users SET name = ? WHERE name = ?')
  for (const { name } of [ADA, GRACE, KATHERINE, ...OTHERS]) rename.run(nameOf(name), name)
  database
    .prepare("UPDATE sources SET next_sync_at_ms = ?, url = 'https://feeds.' || slug || '.example/$bulk-publish'")
    .run(Date.now() + 3_600_000)
  const asExample = `replace(%, '${loopback}', 'https://feeds.valley-care.example')`
  database.exec(`UPDATE sources SET last_sync = ${asExample.replace('%', 'last_sync')};
    UPDATE sync_history SET outcome = ${asExample.replace('%', 'outcome')}`)
  database.close()
}
