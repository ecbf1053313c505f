import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Connector, Publication, SnapshotDraft } from '../../../src/feeds/connector.ts'
import { slotId } from '../../../src/slot/ids.ts'
import { encodeOffering, type Offering, type Slot } from '../../../src/slot/slot.ts'
import type { InsertedSlot } from '../../../src/store/contracts/revision-feed.ts'
import type { Store } from '../../../src/store/contracts/store.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { type SyncDependencies, syncSource } from '../../../src/sync/sync-source.ts'
import { createEmptyDatabase } from './empty-database.ts'

/** A store in a temporary folder, closed when the test ends. */
export async function openTempStore(
  t: TestContext,
  now: () => number = Date.now,
  databaseUrl = tempDatabaseUrl(),
): Promise<Store> {
  await createEmptyDatabase(databaseUrl)
  const store = await openStore(databaseUrl, { now })
  t.after(() => store.close())
  return store
}

/** A store in a temporary folder with the source `clinic`. */
export async function openClinicStore(t: TestContext): Promise<Store> {
  const store = await openTempStore(t)
  await store.sources.add({ slug: 'clinic', url: 'https://clinic.test/', strict: false })
  return store
}

/** Folders are removed when the process ends: by then, all stores and threads of its tests are closed. */
const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** The URL of a new store in a folder that is removed after the tests. */
export function tempDatabaseUrl(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sync-test-'))
  folders.push(folder)
  return `sqlite:${join(folder, 'slots.db')}`
}

/** All slots of the store, by id. */
export async function readAll(store: Store): Promise<Map<string, InsertedSlot>> {
  const changes = await store.revisionFeed.open(undefined)
  try {
    const slots = new Map<string, InsertedSlot>()
    for await (const piece of changes.inserted()) for (const slot of piece) slots.set(slot.id, slot)
    return slots
  } finally {
    await changes.close()
  }
}

/** The JSON of all slots as `/v1` serves them, sorted. */
export async function servedSlots(store: Store): Promise<string[]> {
  const changes = await store.revisionFeed.open(undefined)
  try {
    const slots: InsertedSlot[] = []
    for await (const piece of changes.inserted()) slots.push(...piece)
    const ids = [...new Set(slots.map(({ offeringId }) => offeringId))]
    const offerings = new Map((await changes.offerings(ids)).map(({ id, json }) => [id, json]))
    return slots
      .map(({ json, offeringId }) => json + encodeOffering(JSON.parse(offerings.get(offeringId) ?? '{}')))
      .sort()
  } finally {
    await changes.close()
  }
}

export const OFFERING: Offering = { publisher: 'clinic', scheduleId: 'schedule-1', isVirtual: false }

/** The n-th slot of a clinic, an hour after the one before. */
export function slotOf(n: number, own: Partial<Slot> = {}): Slot {
  const startMs = Date.UTC(2030, 0, 1) + n * 3_600_000
  const endMs = startMs + 1_800_000
  return {
    id: slotId('clinic', 'schedule-1', `slot-${n}`, { startMs, endMs }),
    status: 'free',
    start: new Date(startMs).toISOString(),
    end: new Date(endMs).toISOString(),
    startMs,
    endMs,
    offering: OFFERING,
    ...own,
  }
}

/** The first slots of the clinic. */
export const firstSlots = (count: number): Slot[] => Array.from({ length: count }, (_, n) => slotOf(n))

/** The dependencies of a sync that reads every source with this connector, by the clock of the machine. */
export function syncParts(store: Store, connector: Connector, more: Partial<SyncDependencies> = {}): SyncDependencies {
  const connectorOf = () => connector
  return { store, connectorOf, clock: Date.now, random: () => 0.5, everyMsDefault: 300_000, ...more }
}

/** Reads so many slots into the source `clinic`. */
export async function syncClinic(store: Store, count: number): Promise<void> {
  await syncSource(syncParts(store, publishing(count)), 'clinic')
}

/** A connector that runs the function of the test. */
export function connectorThat(
  read: (draft: SnapshotDraft, signal: AbortSignal) => Promise<Partial<Publication>>,
): Connector {
  return {
    read: async (_source, draft, signal) => ({
      unchanged: false,
      state: undefined,
      ...(await read(draft, signal)),
    }),
  }
}

/** A connector that publishes these slots, each on the line of its place. */
export function connectorOfSlots(slots: () => Iterable<Slot>, publication: Partial<Publication> = {}): Connector {
  return connectorThat(async (draft) => {
    let line = 0
    for (const slot of slots()) draft.put(slot, { file: 'slots.ndjson', line: ++line, part: 1, fingerprint: line })
    await draft.flush()
    return publication
  })
}

/** A connector that publishes the first slots of the clinic. */
export const publishing = (count: number): Connector => connectorOfSlots(() => firstSlots(count))
