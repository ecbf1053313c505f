import type { Store } from './contracts/store.ts'
import { migrate } from './migrations/migrate.ts'
import { loggedStores } from './revocations/logged-stores.ts'
import { RevocationLog } from './revocations/revocation-log.ts'
import { SqlAccountActivityStore } from './sql/account-activity.ts'
import { SqlAccountStore } from './sql/account-store.ts'
import { SqlAlertStore } from './sql/alerts.ts'
import { SqlAuditLog } from './sql/audit.ts'
import { SqlChangeLog } from './sql/change-log.ts'
import type { Database } from './sql/database.ts'
import { SqlDeliveryStore } from './sql/deliveries.ts'
import { SqlHealthLog } from './sql/health-log.ts'
import { SqlInvitationStore } from './sql/invitations.ts'
import { SqlJobLockStore } from './sql/job-locks.ts'
import { SqlKeyStore } from './sql/keys.ts'
import { SqlMembershipStore } from './sql/memberships.ts'
import { SqlOpenSlotHistory } from './sql/open-slot-history.ts'
import { SqlOperatorStore } from './sql/operators.ts'
import { SqlOrganizationStore } from './sql/organizations.ts'
import { SqlRequestLog } from './sql/request-log.ts'
import { SqlRevisionFeed } from './sql/revision-feed.ts'
import { openSignInTables } from './sql/sign-in-tables.ts'
import { SqlSnapshotStore } from './sql/snapshots.ts'
import { SqlSourceLog } from './sql/source-log.ts'
import { SqlSourceStore } from './sql/sources.ts'
import { SqlSubscriptionMatchStore } from './sql/subscription-matches.ts'
import { SqlSubscriptionStore } from './sql/subscriptions.ts'
import { SqlThrottleStore } from './sql/throttles.ts'
import { SqlUsageStore } from './sql/usage.ts'

/** Optional settings of a store. */
interface StoreOptions {
  /** The clock, in milliseconds since 1970; by default the database's. */
  readonly now?: () => number
  /** The same PostgreSQL database, bypassing a transaction pooler: for LISTEN/NOTIFY, which needs a session. */
  readonly directUrl?: string | undefined
  /** The file to which revocations are appended; none by default. */
  readonly revocationLog?: string | undefined
}

/**
 * Opens the store of a URL, creates it if it does not exist, and upgrades its schema.
 *
 * `sqlite:./path`, `sqlite:/path` or `postgres://…`, which may name several hosts. Each thread and process opens its own.
 * Throws `StoreUnavailable` if the database does not respond; throws for any other URL (without repeating it, since it may
 * contain a password), for rejected credentials, and for a store of a newer version.
 */
export async function openStore(databaseUrl: string, options: StoreOptions = {}): Promise<Store> {
  const { directUrl, revocationLog } = options
  const database = await openDatabase(databaseUrl, directUrl)
  const { now = database.now } = options
  try {
    await migrate(database, now())
  } catch (error) {
    await database.close()
    throw error
  }
  const store = storeOn(database, now)
  return revocationLog === undefined
    ? store
    : { ...store, ...loggedStores(database, now, new RevocationLog(revocationLog)) }
}

/** The store of a database that has the current schema. */
export function storeOn(database: Database, now: () => number): Store {
  return {
    organizations: new SqlOrganizationStore(database, now),
    keys: new SqlKeyStore(database, now),
    sources: new SqlSourceStore(database, now),
    sourceLog: new SqlSourceLog(database, now),
    health: new SqlHealthLog(database, now),
    openSlotHistory: new SqlOpenSlotHistory(database, now),
    jobLocks: new SqlJobLockStore(database, now),
    alerts: new SqlAlertStore(database, now),
    deliveries: new SqlDeliveryStore(database, now),
    subscriptions: new SqlSubscriptionStore(database, now),
    snapshots: new SqlSnapshotStore(database, now),
    revisionFeed: new SqlRevisionFeed(database, now),
    changeLog: new SqlChangeLog(database, now),
    subscriptionMatches: new SqlSubscriptionMatchStore(database, now),
    memberships: new SqlMembershipStore(database, now),
    invitations: new SqlInvitationStore(database, now),
    accounts: new SqlAccountStore(database, now),
    audit: new SqlAuditLog(database, now),
    accountActivity: new SqlAccountActivityStore(database, now),
    usage: new SqlUsageStore(database, now),
    requestLog: new SqlRequestLog(database, now),
    operators: new SqlOperatorStore(database, now),
    throttles: new SqlThrottleStore(database, now),
    signIn: openSignInTables(database),
    now,
    close: () => database.close(),
  }
}

/** As `openStore()`, but without its schema. Loads only the driver of the URL: each thread saves the memory of the other. */
export async function openDatabase(databaseUrl: string, directUrl?: string): Promise<Database> {
  const path = sqlitePath(databaseUrl)
  if (path !== undefined) return (await import('./sqlite/database.ts')).openSqlite(path)
  if (/^postgres(ql)?:/.test(databaseUrl)) {
    const { openPostgres } = await import('./postgres/open.ts')
    return openPostgres(databaseUrl, directUrl)
  }
  const scheme = /^[a-z0-9+.-]*:/i.exec(databaseUrl)?.[0] ?? ''
  throw new Error(
    `Cannot open store: DATABASE_URL must be sqlite:./path, sqlite:/path or postgres://…: got "${scheme === 'sqlite:' ? databaseUrl : `${scheme}…`}"`,
  )
}

/** The path in a URL of a SQLite file; undefined for any other URL. */
export function sqlitePath(databaseUrl: string): string | undefined {
  return /^sqlite:(\.{0,2}\/(?!\/).+)$/s.exec(databaseUrl)?.[1]
}
