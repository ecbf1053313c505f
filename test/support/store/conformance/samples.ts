import type { ApiKey } from '../../../../src/keys/key.ts'
import type { Offering } from '../../../../src/slot/slot.ts'
import type { RevisionDelta } from '../../../../src/store/contracts/revision-feed.ts'
import type { SlotDraft, SnapshotWriter, SyncEnd } from '../../../../src/store/contracts/snapshots.ts'
import type { SourceState, SyncOutcome } from '../../../../src/store/contracts/sources.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { BED_STARTS_MS } from './bed.ts'

/** The lease of a sync that nobody disputes. */
export const LEASE = { owner: 'one', leaseMs: 60_000 }

/** The smallest offering. */
export const OFFERING: Offering = { publisher: 'a', scheduleId: 's1', isVirtual: false }

/** The end of a sync that went well. */
export const END: SyncEnd = { outcome: outcomeOf({}), rejections: [], nextSyncAtMs: BED_STARTS_MS + 60_000 }

/** An outcome that went well but for what is given. */
export function outcomeOf(part: Partial<SyncOutcome>): SyncOutcome {
  return {
    outcome: 'ok',
    startedAtMs: BED_STARTS_MS,
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

/** A live key but for what is given. */
export function keyOf(part: Partial<ApiKey> & { id: string; organizationId: string }): ApiKey {
  return { name: 'web', hash: part.id.padEnd(64, '.'), lastFour: 'abcd', createdAtMs: BED_STARTS_MS, ...part }
}

/** A source that needs only a name. */
export function addSource(store: Store, slug = 'a'): Promise<SourceState> {
  return store.sources.add({ slug, url: `https://${slug}.example.org/$bulk-publish`, strict: false })
}

/** A free slot but for what is given. */
export function draftOf(id: string, part: Partial<SlotDraft> = {}): SlotDraft {
  return {
    id,
    offeringId: 1,
    status: 'free',
    startMs: BED_STARTS_MS,
    endMs: BED_STARTS_MS + 900_000,
    json: `{"id":"${id}"`,
    part: 0,
    fingerprint: 1,
    ...part,
  }
}

/** Begins a sync; throws if the lease is not free. */
export async function begin(store: Store, source: { id: number }, lease = LEASE): Promise<SnapshotWriter> {
  const writer = await store.snapshots.begin(source.id, lease)
  if (writer === undefined) throw new Error('Cannot begin: the lease must be free: got a lease of another')
  return writer
}

/** One sync that adds and kills by id, and commits. Returns the revision. */
export async function sync(
  store: Store,
  source: { id: number },
  changes: { born?: readonly SlotDraft[]; died?: readonly string[] },
): Promise<number> {
  const writer = await begin(store, source)
  await writer.write({ inserts: changes.born ?? [], deletes: await keysOf(writer, changes.died ?? []) })
  return writer.commit({ ...END, connectorState: {} })
}

/** The keys of the rows that live for the sync under these ids. */
export async function keysOf(writer: SnapshotWriter, ids: readonly string[]): Promise<number[]> {
  const held = await writer.findStored(ids)
  return held.map((slot) => slot.key)
}

/** All that lives, by id: what a node that starts now would hold. */
export async function living(store: Store): Promise<Map<string, string>> {
  const changes = await store.revisionFeed.open(undefined)
  try {
    return await apply(changes, new Map())
  } finally {
    await changes.close()
  }
}

/** Does with a change set what a node does: first what died, then what was born. */
export async function apply(
  changes: RevisionDelta,
  held: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const now = new Map(changes.whole ? [] : held)
  for await (const slots of changes.deleted()) for (const { id } of slots) now.delete(id)
  for await (const slots of changes.inserted()) for (const slot of slots) now.set(slot.id, slot.json)
  return now
}

/** The ids of a change set, in order. */
export async function idsOf(changes: RevisionDelta): Promise<{ born: string[]; died: string[] }> {
  const born: string[] = []
  const died: string[] = []
  for await (const slots of changes.inserted()) born.push(...slots.map((slot) => slot.id))
  for await (const slots of changes.deleted()) died.push(...slots.map((slot) => slot.id))
  return { born: born.sort(), died: died.sort() }
}

/** What changed after a revision, read and closed. */
export async function changesSince(
  store: Store,
  since: number | undefined,
): Promise<{ whole: boolean; revision: number; born: string[]; died: string[] }> {
  const changes = await store.revisionFeed.open(since)
  try {
    return { whole: changes.whole, revision: changes.revision, ...(await idsOf(changes)) }
  } finally {
    await changes.close()
  }
}
