import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { viewKey } from '../src/http/dashboard-api/keys/keys.ts'
import { readPage } from '../src/http/dashboard-api/page.ts'
import { type MintedKey, mintApiKey } from '../src/keys/mint-key.ts'
import { DAY_MS, HOUR_MS } from '../src/lib/time.ts'
import { keyPosition } from '../src/store/contracts/keys.ts'
import type { ListPosition } from '../src/store/contracts/page.ts'
import type { Store } from '../src/store/contracts/store.ts'
import { migrate } from '../src/store/migrations/migrate.ts'
import { openDatabase, storeOn } from '../src/store/open-store.ts'
import type { Database } from '../src/store/sql/database.ts'
import { type Databases, postgresDatabases, sqliteDatabases } from './databases.ts'

// node bench/dashboard-lists.ts: an organization with 100,000 revoked and expired keys, as many audit log entries and 100 active
// keys, on both databases: the time of every page of keys, of creating a key, and of searching the audit log.
// node bench/dashboard-lists.ts --keys 1000: a small run.

const { values } = parseArgs({ options: { keys: { type: 'string', default: '100000' } } })
const KEYS = Number(values.keys)
const NOW_MS = Date.now()
/** Per insert: SQLite accepts 32,766 parameters. */
const ROWS = 2_000

const folder = await mkdtemp(join(tmpdir(), 'slots-lists-'))
try {
  for (const open of [async () => sqliteDatabases(folder), postgresDatabases]) {
    await using databases = await open()
    await measure(databases)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function measure(databases: Databases): Promise<void> {
  const database = await openDatabase(await databases.url('lists'))
  try {
    await migrate(database, NOW_MS)
    const store = storeOn(database, () => NOW_MS)
    const { id } = await store.organizations.create('Many keys')
    const before = await createKeys(store, id, 50)
    await fill(database, id)
    const after = await createKeys(store, id, 50)
    console.log(`${databases.kind}, ${KEYS} keys that ended`)
    report('creating a key before', before)
    report('creating a key after', after)
    report('page of 100 keys', await pages(store, id))
    report('audit log, first page', await repeat(() => store.audit.list({ organizationId: id, limit: 50 })))
    const none = { organizationId: id, actor: 'nobody', limit: 50 }
    report('audit log, filter that matches nothing', await repeat(() => store.audit.list(none)))
  } finally {
    await database.close()
  }
}

/** A quarter expired, and the rest revoked, over the last 300 days. */
async function fill(database: Database, organizationId: string): Promise<void> {
  for (let at = 0; at < KEYS; at += ROWS) {
    await database.transaction('kill', async ({ queries }) => {
      const rows = Array.from({ length: Math.min(ROWS, KEYS - at) }, (_, n) => at + n)
      await queries
        .insertInto('api_keys')
        .values(rows.map((n) => keyRow(organizationId, n)))
        .execute()
      await queries
        .insertInto('audit')
        .values(rows.map((n) => auditRow(organizationId, n)))
        .execute()
    })
  }
  // As autovacuum does within a minute. Until then, PostgreSQL reads and sorts all keys of the organization: about 50 ms.
  if (database.kind === 'postgres') {
    await database.transaction('kill', ({ queries }) => sql`analyze`.execute(queries))
  }
}

function keyRow(organization_id: string, n: number) {
  const { key } = mint(organization_id)
  const endedAtMs = NOW_MS - 1 - Math.floor((n * 300 * DAY_MS) / KEYS)
  const end = n % 4 === 0 ? { expires_at_ms: endedAtMs } : { revoked_at_ms: endedAtMs }
  return {
    id: key.id,
    organization_id,
    name: `key ${n}`,
    hash: key.hash,
    last_four: key.lastFour,
    created_at_ms: endedAtMs - HOUR_MS,
    revision: 1,
    ...end,
  }
}

function auditRow(organization_id: string, n: number) {
  const actor = { actor_name: 'ann@example.org', actor_folded: 'ann@example.org', actor_address: '192.0.2.1' }
  const detail = JSON.stringify({ name: `key ${n}`, lastFour: 'abcd' })
  return { id: n + 1_000, at_ms: NOW_MS, organization_id, kind: 'key.created', ...actor, detail, previous_hash: '' }
}

function mint(organizationId: string): MintedKey {
  return mintApiKey({ organizationId, name: 'web' }, NOW_MS)
}

/** Creates a key in an organization that may have 100 active keys. */
function createKeys(store: Store, organizationId: string, count: number): Promise<number[]> {
  return repeat(() => store.keys.put(mint(organizationId).key, undefined, 1_000), count)
}

/** The time of each page of the list, with the count of active keys and the JSON, as the route responds. */
async function pages(store: Store, id: string): Promise<number[]> {
  const times: number[] = []
  let cursor: ListPosition | undefined
  let keys = 0
  do {
    const startMs = performance.now()
    const { rows, next } = await readPage({ cursor }, (page) => store.keys.list(id, page), keyPosition)
    const active = await store.keys.countActive(id)
    JSON.stringify({ keys: rows.map((key) => viewKey(key, NOW_MS)), active, ...next })
    times.push(performance.now() - startMs)
    keys += rows.length
    const last = rows.at(-1)
    cursor = next.next !== undefined && last !== undefined ? keyPosition(last) : undefined
  } while (cursor !== undefined)
  if (keys !== KEYS + 100) throw new Error(`Cannot measure: the pages must have all keys: got ${keys}`)
  return times
}

async function repeat(work: () => Promise<unknown>, count = 20): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const startMs = performance.now()
    await work()
    times.push(performance.now() - startMs)
  }
  return times
}

function report(what: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b)
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => sorted[Math.ceil(sorted.length * share) - 1].toFixed(1))
  console.log(`| ${what} | ${p50} | ${p99} | ${max} |`)
}
