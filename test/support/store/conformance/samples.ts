import type { ApiKey } from '../../../../src/keys/key.ts'
import type { Offering } from '../../../../src/slot/slot.ts'
import type { RevisionDelta } from '../../../../src/store/contracts/revision-feed.ts'
import type { SlotDraft, SnapshotWriter, SyncEnd } from '../../../../src/store/contracts/snapshots.ts'
import type { SourceState, SyncOutcome } from '../../../../src/store/contracts/sources.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { HARNESS_STARTS_MS } from './harness.ts'

/** The lease of a sync without competition. */
export const LEASE = { owner: 'one', leaseMs: 60_000 }

/** The smallest offering. */
export const OFFERING: Offering = { publisher: 'a', scheduleId: 's1', isVirtual: false }

/** The end of a successful sync. */
export const END: SyncEnd = {
  outcome: outcomeOf({}),
  rejections: [],
  nextSyncAtMs: HARNESS_STARTS_MS + 60_000,
}

/** A successful outcome with overrides. */
export function outcomeOf(part: Partial<SyncOutcome>): SyncOutcome {
  return {
    outcome: 'ok',
    startedAtMs: HARNESS_STARTS_MS,
    durationMs: 10,
    read: 0,
    added: 0,
    changed: 0,
    removed: 0,
    rejected: 0,
    withheld: 0,
    unchanged: false,
    ...part,
  }
}

/** An active key with overrides. */
export function keyOf(part: Partial<ApiKey> & { id: string; organizationId: string }): ApiKey {
  return {
    name: 'web',
    hash: part.id.padEnd(64, '.'),
    lastFour: 'abcd',
    createdAtMs: HARNESS_STARTS_MS,
    ...part,
  }
}

/** Keys without their revisions. */
export function unrevised(key: ApiKey | undefined): ApiKey | undefined {
  if (key === undefined) return undefined
  const { revision: _, ...rest } = key
  return rest
}

/** A source that needs only a name. */
export function addSource(store: Store, slug = 'a'): Promise<SourceState> {
  return store.sources.add({ slug, url: `https://${slug}.example.org/$bulk-publish`, strict: false })
}

/** A free slot with overrides. */
export function draftOf(id: string, part: Partial<SlotDraft> = {}): SlotDraft {
  return {
    id,
    offeringId: 1,
    status: 'free',
    startMs: HARNESS_STARTS_MS,
    endMs: HARNESS_STARTS_MS + 900_000,
    json: `{"id":"${id}"`,
    part: 0,
    fingerprint: 1,
    ...part,
  }
}

/** Begins a sync; throws if the lease is not free. */
export async function begin(store: Store, source: { id: number }, lease = LEASE): Promise<SnapshotWriter> {
  const writer = await store.snapshots.begin(source.id, lease)
  if (writer === undefined) throw new Error('Cannot begin the sync: another owner holds the lease')
  return writer
}

/** Commits one sync that inserts and deletes by id. Returns the revision. */
export async function sync(
  store: Store,
  source: { id: number },
  changes: { inserted?: readonly SlotDraft[]; deleted?: readonly string[] },
): Promise<number> {
  const writer = await begin(store, source)
  await writer.write({
    inserts: changes.inserted ?? [],
    deletes: await keysOf(writer, changes.deleted ?? []),
  })
  return writer.commit({ ...END, connectorState: {} })
}

/** The keys of the rows with these ids that are visible to the sync. */
export async function keysOf(writer: SnapshotWriter, ids: readonly string[]): Promise<number[]> {
  const held = await writer.findStored(ids)
  return held.map((slot) => slot.key)
}

/** All visible slots by id, as a starting node would load them. */
export async function living(store: Store): Promise<Map<string, string>> {
  const changes = await store.revisionFeed.open(undefined)
  try {
    return await apply(changes, new Map())
  } finally {
    await changes.close()
  }
}

/** Applies a revision delta as a node does: deletions first, then insertions. */
export async function apply(changes: RevisionDelta, held: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const now = new Map(changes.whole ? [] : held)
  for await (const slots of changes.deleted()) for (const { id } of slots) now.delete(id)
  for await (const slots of changes.inserted()) for (const slot of slots) now.set(slot.id, slot.json)
  return now
}

/** The ids of a revision delta, sorted. */
export async function idsOf(changes: RevisionDelta): Promise<{ inserted: string[]; deleted: string[] }> {
  const inserted: string[] = []
  const deleted: string[] = []
  for await (const slots of changes.inserted()) inserted.push(...slots.map((slot) => slot.id))
  for await (const slots of changes.deleted()) deleted.push(...slots.map((slot) => slot.id))
  return { inserted: inserted.sort(), deleted: deleted.sort() }
}

/** The changes after a revision. */
export async function changesSince(
  store: Store,
  since: number | undefined,
): Promise<{ whole: boolean; revision: number; inserted: string[]; deleted: string[] }> {
  const changes = await store.revisionFeed.open(since)
  try {
    return { whole: changes.whole, revision: changes.revision, ...(await idsOf(changes)) }
  } finally {
    await changes.close()
  }
}
