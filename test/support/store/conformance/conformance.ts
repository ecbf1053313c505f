import { suite, test } from 'node:test'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { openStore } from '../../../../src/store/open-store.ts'
import { ALERT_GUARANTEES } from './alerts.ts'
import { AUDIT_GUARANTEES } from './audit.ts'
import { BED_STARTS_MS, type Bed, type Guarantees } from './bed.ts'
import { CHANGE_LOG_GUARANTEES } from './change-log.ts'
import { CHANGE_GUARANTEES } from './changes.ts'
import { CRASH_GUARANTEES } from './crashes.ts'
import { DEAD_GUARANTEES } from './dead.ts'
import { HEALTH_GUARANTEES } from './health.ts'
import { INVITATION_GUARANTEES } from './invitations.ts'
import { KEY_GUARANTEES } from './keys.ts'
import { LEASE_GUARANTEES } from './leases.ts'
import { LIMIT_GUARANTEES } from './limits.ts'
import { MEMBERSHIP_GUARANTEES } from './memberships.ts'
import { MIRROR_GUARANTEES } from './mirror-model.ts'
import { MODEL_GUARANTEES } from './model.ts'
import { OPEN_SLOTS_GUARANTEES } from './open-slots.ts'
import { OPENING_GUARANTEES } from './opening.ts'
import { OPERATOR_GUARANTEES } from './operators.ts'
import { ORGANIZATION_GUARANTEES } from './organizations.ts'
import { PURGE_GUARANTEES } from './purge.ts'
import { ROTATION_GUARANTEES } from './rotations.ts'
import { SIGN_IN_GUARANTEES } from './sign-in.ts'
import { SNAPSHOT_GUARANTEES } from './snapshots.ts'
import { SOURCE_EDIT_GUARANTEES } from './source-edits.ts'
import { SOURCE_HISTORY_GUARANTEES } from './source-history.ts'
import { SOURCE_LOG_GUARANTEES } from './source-log.ts'
import { SOURCE_WATCH_GUARANTEES } from './source-watch.ts'
import { SOURCE_GUARANTEES } from './sources.ts'
import { THROTTLE_GUARANTEES } from './throttles.ts'
import { USAGE_GUARANTEES } from './usage.ts'
import { WIDE_ID_GUARANTEES } from './wide-ids.ts'

/** A new, empty database, and how to be rid of it. */
export interface EmptyDatabase {
  readonly url: string
  drop(): Promise<void>
}

const ROOMS: Readonly<Record<string, Guarantees>> = {
  opening: OPENING_GUARANTEES,
  organizations: ORGANIZATION_GUARANTEES,
  memberships: MEMBERSHIP_GUARANTEES,
  invitations: INVITATION_GUARANTEES,
  limits: LIMIT_GUARANTEES,
  audit: AUDIT_GUARANTEES,
  keys: KEY_GUARANTEES,
  'rotation of keys': ROTATION_GUARANTEES,
  usage: USAGE_GUARANTEES,
  operators: OPERATOR_GUARANTEES,
  throttles: THROTTLE_GUARANTEES,
  'sign-in tables': SIGN_IN_GUARANTEES,
  sources: SOURCE_GUARANTEES,
  'edits of sources': SOURCE_EDIT_GUARANTEES,
  'log of sources': SOURCE_LOG_GUARANTEES,
  'the past of sources': SOURCE_HISTORY_GUARANTEES,
  'what sources are judged by': SOURCE_WATCH_GUARANTEES,
  'health of sources': HEALTH_GUARANTEES,
  alerts: ALERT_GUARANTEES,
  'open slots': OPEN_SLOTS_GUARANTEES,
  snapshots: SNAPSHOT_GUARANTEES,
  leases: LEASE_GUARANTEES,
  'change feed': CHANGE_GUARANTEES,
  'change log': CHANGE_LOG_GUARANTEES,
  purge: PURGE_GUARANTEES,
  'bounds of the dead': DEAD_GUARANTEES,
  'wide ids': WIDE_ID_GUARANTEES,
  'any sequence': MODEL_GUARANTEES,
  'any sequence, copied': MIRROR_GUARANTEES,
  crashes: CRASH_GUARANTEES,
}

/** Holds one kind of database to all that `store.ts` promises. */
export function conformance(kind: string, create: () => Promise<EmptyDatabase>): void {
  for (const [room, guarantees] of Object.entries(ROOMS)) {
    suite(`${kind}: ${room}`, () => {
      for (const [name, check] of Object.entries(guarantees)) {
        test(name, () => onBed(create, check))
      }
    })
  }
}

async function onBed(
  create: () => Promise<EmptyDatabase>,
  check: (bed: Bed) => Promise<void>,
): Promise<void> {
  const database = await create()
  const clock = { nowMs: BED_STARTS_MS }
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
