import { suite, test } from 'node:test'
import { openStore } from '../open-store.ts'
import type { Store } from '../store.ts'
import { BED_STARTS_MS, type Bed, type Guarantees } from './bed.ts'
import { CHANGE_GUARANTEES } from './changes.ts'
import { CRASH_GUARANTEES } from './crashes.ts'
import { KEY_GUARANTEES } from './keys.ts'
import { LEASE_GUARANTEES } from './leases.ts'
import { MODEL_GUARANTEES } from './model.ts'
import { OPENING_GUARANTEES } from './opening.ts'
import { ORGANIZATION_GUARANTEES } from './organizations.ts'
import { PURGE_GUARANTEES } from './purge.ts'
import { SNAPSHOT_GUARANTEES } from './snapshots.ts'
import { SOURCE_GUARANTEES } from './sources.ts'

/** A new, empty database, and how to be rid of it. */
export interface EmptyDatabase {
  readonly url: string
  drop(): Promise<void>
}

const ROOMS: Readonly<Record<string, Guarantees>> = {
  opening: OPENING_GUARANTEES,
  organizations: ORGANIZATION_GUARANTEES,
  keys: KEY_GUARANTEES,
  sources: SOURCE_GUARANTEES,
  snapshots: SNAPSHOT_GUARANTEES,
  leases: LEASE_GUARANTEES,
  'change feed': CHANGE_GUARANTEES,
  purge: PURGE_GUARANTEES,
  'any sequence': MODEL_GUARANTEES,
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
    const store = await openStore(database.url, () => clock.nowMs)
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
