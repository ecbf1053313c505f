import { CompiledQuery } from 'kysely'
import { mintApiKey } from '../../../src/keys/mint-key.ts'
import type { Store } from '../../../src/store/contracts/store.ts'
import { SUBSCRIPTION_TABLES } from '../../../src/store/migrations/subscription-tables.ts'
import { readTableRows } from '../../../src/store/move/copy-table.ts'
import { MOVED_NAMES, readColumns } from '../../../src/store/move/moved-tables.ts'
import { openDatabase, openStore } from '../../../src/store/open-store.ts'
import { HARNESS_STARTS_MS } from './conformance/harness.ts'
import { addPerson, found, join } from './conformance/people.ts'
import { addSource, begin, draftOf, END, keysOf, LEASE, OFFERING, outcomeOf, sync } from './conformance/samples.ts'

const RULE = { free: 0, firstMs: 1000, maxMs: 1000, forgetMs: 1_000_000 }

/** A text that is easily damaged by a move between databases: quotes, backslashes, braces, line ends, other scripts. */
const HARD_TEXT = `{"a":"\\\\ \\"NULL\\" {1,2}"}\n\tÄ ß 漢字 🩺 ' ; --`

/** A store with something in every table, of the odd kinds too: syncs that are open, deleted row versions, revoked keys. */
export async function fillStore(databaseUrl: string, slots = 9_000): Promise<void> {
  const store = await openStore(databaseUrl, { now: () => HARNESS_STARTS_MS })
  try {
    await fillAccounts(store)
    await fillSignIn(store)
    await fillSources(store, slots)
    await fillSubscriptions(databaseUrl, (await store.organizations.list())[0].id)
  } finally {
    await store.close()
  }
}

/** All contents of a store as text, by table, without its number: equal for equal stores. */
export async function dumpStore(databaseUrl: string): Promise<Map<string, string[]>> {
  const database = await openDatabase(databaseUrl)
  try {
    const { queries } = database.read
    const columns = await readColumns(database)
    const dump = new Map<string, string[]>()
    for (const name of MOVED_NAMES) {
      const rows: string[] = []
      const known = (columns.get(name) ?? []).map((column) => ({
        ...column,
        // SQLite stores dates as texts, so columns of dates are recognized by their names.
        kind: /At$|Until$/.test(column.name) && column.kind === 'text' ? ('date' as const) : column.kind,
      }))
      for await (const piece of readTableRows(queries, { name, columns: known })) {
        rows.push(...piece.map((row) => JSON.stringify(row)))
      }
      dump.set(name, rows.sort())
    }
    const counters = await queries.selectFrom('counters').selectAll().where('name', '<>', 'store').execute()
    dump.set('counters', counters.map(({ name, value }) => `${name} ${value}`).sort())
    return dump
  } finally {
    await database.close()
  }
}

async function fillAccounts(store: Store): Promise<void> {
  const acme = await found(store)
  const { organization, owner } = acme
  await join(store, acme, 'Bea', 'admin')
  await store.invitations.create(
    {
      organizationId: organization.id,
      role: 'member',
      tokenHash: 'open',
      expiresAtMs: HARNESS_STARTS_MS + 1,
    },
    owner,
  )
  for (const name of ['web', HARD_TEXT]) {
    const { key } = mintApiKey({ organizationId: organization.id, name }, HARNESS_STARTS_MS)
    await store.keys.put(key, owner)
    if (name === 'web') await store.keys.revoke(key.id, { atMs: HARNESS_STARTS_MS, reason: 'old', by: owner })
    const counted = { keyId: key.id, hourMs: 0, count: 3 }
    const request = { atMs: 5, method: 'GET', target: '/', status: 200, durationUs: 9, requestId: 'r' }
    await store.usage.add({
      requests: [{ ...counted, status: 200 }],
      latencies: [{ ...counted, bucket: 2 }],
      logged: [
        { keyId: key.id, ...request, leftOut: 0 },
        { keyId: key.id, ...request, leftOut: 2, userAgent: HARD_TEXT, address: '::1', error: 'e', message: HARD_TEXT },
      ],
      addresses: [{ keyId: key.id, address: '::1', atMs: 5 }],
      referrals: [],
      lastUsed: new Map([[key.id, 7]]),
    })
  }
  await store.operators.add(owner.userId)
  await store.operators.secret('cookie', () => HARD_TEXT)
  await store.throttles.fail('somebody', RULE)
}

async function fillSignIn(store: Store): Promise<void> {
  const { userId } = await addPerson(store, 'Cleo')
  const { queries, type } = store.signIn
  const date = new Date('2026-02-03T04:05:06.789Z')
  const at = type === 'sqlite' ? date.toISOString() : date
  const yes = type === 'sqlite' ? 1 : true
  const no = type === 'sqlite' ? 0 : false
  const dated = { id: 'a', createdAt: at, updatedAt: at }
  const rows = {
    sessions: { ...dated, userId, expiresAt: at, token: 't', userAgent: HARD_TEXT },
    credentials: { ...dated, userId, accountId: 'a', providerId: 'p', accessTokenExpiresAt: at },
    verifications: { ...dated, identifier: 'i', value: '', expiresAt: at },
    passkeys: {
      id: 'a',
      userId,
      publicKey: 'k',
      credentialID: 'c',
      counter: 3,
      deviceType: 'd',
      backedUp: no,
    },
    two_factors: { id: 'a', userId, secret: 's', backupCodes: 'b', verified: yes, lockedUntil: at },
    rate_limits: { id: 'a', key: 'k', count: 1, lastRequest: 2 },
  }
  for (const [table, row] of Object.entries(rows)) await queries.insertInto(table).values(row).execute()
  await queries.updateTable('users').set({ twoFactorEnabled: yes }).where('id', '=', userId).execute()
}

/** A row with an unusual value in each column. */
async function fillSubscriptions(databaseUrl: string, organizationId: string): Promise<void> {
  const database = await openDatabase(databaseUrl)
  await database.transaction('kill', async ({ queries }) => {
    for (const [table, { columns }] of Object.entries(SUBSCRIPTION_TABLES)) {
      const row = Object.entries(columns).map(([name, type]) => {
        if (type === 'organization') return [name, organizationId]
        return [name, type.startsWith('integer') ? Number.MAX_SAFE_INTEGER : HARD_TEXT]
      })
      const values = Object.fromEntries(row)
      await queries
        .insertInto(table as keyof typeof SUBSCRIPTION_TABLES)
        .values(values)
        .execute()
    }
  })
  await database.close()
}

async function fillSources(store: Store, slots: number): Promise<void> {
  const source = await addSource(store)
  await store.sources.edit('a', () => ({ name: HARD_TEXT }), { name: HARD_TEXT, userId: 'u', address: '::1' })
  const ended = await begin(store, source)
  const [unused = 0] = await ended.putOfferings([{ ...OFFERING, serviceTypeText: HARD_TEXT }])
  await ended.write({ inserts: [draftOf('ended', { offeringId: unused })] })
  await ended.commit({ ...END, connectorState: {} })
  await sync(store, source, { deleted: ['ended'] })
  await store.revisionFeed.purge(0, Date.now())
  const first = await begin(store, source)
  const [offeringId] = await first.putOfferings([{ ...OFFERING, scheduleId: HARD_TEXT }])
  for (let from = 0; from < slots; from += 4_000) {
    const count = Math.min(4_000, slots - from)
    await first.write({
      inserts: Array.from({ length: count }, (_, at) => draftOf(`slot-${from + at}`, { offeringId })),
    })
  }
  const rejections = [{ file: 'f', line: 1, reason: 'r', sample: HARD_TEXT }]
  await first.commit({
    ...END,
    outcome: outcomeOf({ outcome: 'partial', rejected: 1 }),
    rejections,
    connectorState: { etag: HARD_TEXT },
    horizons: HARD_TEXT,
  })
  const change = { from: 'never-synced', to: 'suspicious', why: HARD_TEXT, atMs: HARNESS_STARTS_MS } as const
  await store.health.record(source.id, change)
  const told = { sourceId: source.id, slug: 'a', health: 'failing', before: 'healthy', sinceMs: 1 } as const
  await store.alerts.record(0, {
    channels: ['webhook'],
    changes: [{ ...told, why: HARD_TEXT }],
    atMs: HARNESS_STARTS_MS,
  })
  const referrals = [{ publisher: 'a', dayMs: 0, count: 2 }]
  await store.usage.add({ requests: [], latencies: [], logged: [], addresses: [], referrals, lastUsed: new Map() })
  await store.jobLocks.acquire('a chore', 'somebody', 1000)
  await store.openSlotHistory.put(HARNESS_STARTS_MS, new Map([['a', new Map([['', 3]])]]))
  const second = await begin(store, source)
  await second.write({
    deletes: await keysOf(second, ['slot-1']),
    inserts: [draftOf('late', { offeringId })],
  })
  await second.resources.startOver()
  const resource = { file: HARD_TEXT, line: 1, json: HARD_TEXT }
  const identities = [
    { type: 'Slot', id: HARD_TEXT, schedule: HARD_TEXT },
    { type: 'Location', id: 'l' },
  ]
  await second.resources.write({ puts: identities.map((one) => ({ ...resource, ...one })), removes: [] })
  await second.commit({ ...END, rejections, connectorState: {}, resources: 'new' })
  await addSource(store, 'gone')
  await store.sources.remove('gone')
  const interrupted = await begin(store, await addSource(store, 'interrupted'), { ...LEASE, leaseMs: 0 })
  await interrupted.write({ inserts: [draftOf('never')] })
}

/** Changes a store by SQL. */
export async function execute(databaseUrl: string, ...statements: readonly string[]): Promise<void> {
  const database = await openDatabase(databaseUrl)
  try {
    await database.transaction('kill', async ({ queries }) => {
      for (const text of statements) await queries.executeQuery(CompiledQuery.raw(text, []))
    })
  } finally {
    await database.close()
  }
}
