import type { Store } from '../../../../src/store/contracts/store.ts'
import { openStore } from '../../../../src/store/open-store.ts'
import { ACCOUNT_ACTIVITY_GUARANTEES } from './account-activity.ts'
import { ACCOUNT_GUARANTEES } from './accounts.ts'
import { ALERT_GUARANTEES } from './alerts.ts'
import { AUDIT_GUARANTEES } from './audit.ts'
import { AUDIT_CHAIN_GUARANTEES } from './audit-chain.ts'
import { CHANGE_LOG_GUARANTEES } from './change-log.ts'
import { CHANGE_GUARANTEES } from './changes.ts'
import { CRASH_GUARANTEES } from './crashes.ts'
import { DELETED_VERSION_GUARANTEES } from './deleted-versions.ts'
import { DELIVERY_GUARANTEES } from './deliveries.ts'
import { type Guarantees, HARNESS_STARTS_MS, type StoreHarness } from './harness.ts'
import { HEALTH_GUARANTEES } from './health.ts'
import { INVITATION_GUARANTEES } from './invitations.ts'
import { KEY_EDIT_GUARANTEES } from './key-edits.ts'
import { KEY_GUARANTEES } from './keys.ts'
import { LEASE_GUARANTEES } from './leases.ts'
import { LIMIT_GUARANTEES } from './limits.ts'
import { LISTED_SOURCE_GUARANTEES } from './listed-sources.ts'
import { MEMBERSHIP_GUARANTEES } from './memberships.ts'
import { MIRROR_GUARANTEES } from './mirror-model.ts'
import { MODEL_GUARANTEES } from './model.ts'
import { OPEN_SLOTS_GUARANTEES } from './open-slots.ts'
import { OPENING_GUARANTEES } from './opening.ts'
import { OPERATOR_GUARANTEES } from './operators.ts'
import { ORGANIZATION_GUARANTEES } from './organizations.ts'
import { PAGE_GUARANTEES } from './pages.ts'
import { HORIZON_GUARANTEES } from './planning-horizons.ts'
import { PURGE_GUARANTEES } from './purge.ts'
import { QUERY_PLAN_GUARANTEES } from './query-plans.ts'
import { REQUEST_LOG_GUARANTEES } from './request-log.ts'
import { RESOURCE_GUARANTEES } from './resources.ts'
import { ROTATION_GUARANTEES } from './rotations.ts'
import { SIGN_IN_GUARANTEES } from './sign-in.ts'
import { SNAPSHOT_GUARANTEES } from './snapshots.ts'
import { SOURCE_EDIT_GUARANTEES } from './source-edits.ts'
import { SOURCE_HISTORY_GUARANTEES } from './source-history.ts'
import { SOURCE_LOG_GUARANTEES } from './source-log.ts'
import { SOURCE_WATCH_GUARANTEES } from './source-watch.ts'
import { SOURCE_GUARANTEES } from './sources.ts'
import { SUBSCRIPTION_ANNOUNCEMENT_GUARANTEES } from './subscription-announcements.ts'
import { SUBSCRIPTION_GAP_GUARANTEES } from './subscription-gaps.ts'
import { SUBSCRIPTION_MATCH_GUARANTEES } from './subscription-matches.ts'
import { SUBSCRIPTION_GUARANTEES } from './subscriptions.ts'
import { SUSPENSION_GUARANTEES } from './suspensions.ts'
import { THROTTLE_GUARANTEES } from './throttles.ts'
import { USAGE_GUARANTEES } from './usage.ts'
import { WIDE_ID_GUARANTEES } from './wide-ids.ts'

/** A new, empty database that can be dropped. */
export interface EmptyDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** A test of the conformance suite. */
export interface StoreTest {
  readonly name: string
  readonly run: () => Promise<void>
}

const SUITES: Readonly<Record<string, Guarantees>> = {
  opening: OPENING_GUARANTEES,
  organizations: ORGANIZATION_GUARANTEES,
  memberships: MEMBERSHIP_GUARANTEES,
  suspensions: SUSPENSION_GUARANTEES,
  accounts: ACCOUNT_GUARANTEES,
  invitations: INVITATION_GUARANTEES,
  limits: LIMIT_GUARANTEES,
  audit: AUDIT_GUARANTEES,
  'audit chain': AUDIT_CHAIN_GUARANTEES,
  'account activity': ACCOUNT_ACTIVITY_GUARANTEES,
  keys: KEY_GUARANTEES,
  'key edits': KEY_EDIT_GUARANTEES,
  'key rotation': ROTATION_GUARANTEES,
  pages: PAGE_GUARANTEES,
  'query plans': QUERY_PLAN_GUARANTEES,
  usage: USAGE_GUARANTEES,
  'request log': REQUEST_LOG_GUARANTEES,
  operators: OPERATOR_GUARANTEES,
  throttles: THROTTLE_GUARANTEES,
  'sign-in tables': SIGN_IN_GUARANTEES,
  sources: SOURCE_GUARANTEES,
  'lists of sources': LISTED_SOURCE_GUARANTEES,
  'source edits': SOURCE_EDIT_GUARANTEES,
  'source log': SOURCE_LOG_GUARANTEES,
  'sync history': SOURCE_HISTORY_GUARANTEES,
  'held snapshots and approvals': SOURCE_WATCH_GUARANTEES,
  'source health': HEALTH_GUARANTEES,
  alerts: ALERT_GUARANTEES,
  subscriptions: SUBSCRIPTION_GUARANTEES,
  deliveries: DELIVERY_GUARANTEES,
  'open slots': OPEN_SLOTS_GUARANTEES,
  snapshots: SNAPSHOT_GUARANTEES,
  resources: RESOURCE_GUARANTEES,
  'planning horizons': HORIZON_GUARANTEES,
  leases: LEASE_GUARANTEES,
  'change feed': CHANGE_GUARANTEES,
  'subscription announcements': SUBSCRIPTION_ANNOUNCEMENT_GUARANTEES,
  'subscription gaps': SUBSCRIPTION_GAP_GUARANTEES,
  'subscription matches': SUBSCRIPTION_MATCH_GUARANTEES,
  'change log': CHANGE_LOG_GUARANTEES,
  purge: PURGE_GUARANTEES,
  'deleted row versions': DELETED_VERSION_GUARANTEES,
  'wide ids': WIDE_ID_GUARANTEES,
  'model of any sequence': MODEL_GUARANTEES,
  'mirror of any sequence': MIRROR_GUARANTEES,
  crashes: CRASH_GUARANTEES,
}

/**
 * The conformance suite of the store contracts on one kind of database. The caller registers the tests: the runner counts a test for
 * the file that calls `test()`.
 */
export function conformance(create: () => Promise<EmptyDatabase>): readonly StoreTest[] {
  return Object.entries(SUITES).flatMap(([suite, guarantees]) =>
    Object.entries(guarantees).map(([title, check]) => ({
      name: `${suite}: ${title}`,
      run: () => onHarness(create, check),
    })),
  )
}

async function onHarness(
  create: () => Promise<EmptyDatabase>,
  check: (harness: StoreHarness) => Promise<void>,
): Promise<void> {
  const database = await create()
  const clock = { nowMs: HARNESS_STARTS_MS }
  const opened: Store[] = []
  const open = async () => {
    const store = await openStore(database.url, { now: () => clock.nowMs })
    opened.push(store)
    return store
  }
  try {
    await check({ url: database.url, store: await open(), clock, open })
  } finally {
    for (const store of opened) await store.close()
    await database.drop()
  }
}
