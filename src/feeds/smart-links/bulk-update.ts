import { INDEXED_PART } from '../../slot/ids.ts'
import type { HorizonChanges } from '../../slot/planning-horizon.ts'
import type { Rejected, SnapshotDraft, Source } from '../connector.ts'
import type { FeedResource, SnapshotUpdate } from '../feed-resources.ts'
import type { ResourceSink } from './bulk-reader.ts'
import { FeedView, mayNamePlace, nameOf, REFERRED_TYPES, referencedIds } from './feed-view.ts'

/** An update changes at most so many resources: more are read with the whole feed, in short transactions. */
const UPDATE_RESOURCES_MAX = 10_000

/** A resource before and after an update; undefined if there is none. */
interface ResourceChange {
  readonly before: FeedResource | undefined
  readonly after: FeedResource | undefined
}

/** The last snapshot before an update. */
interface UpdateOptions {
  readonly source: Source
  readonly draft: SnapshotDraft
  readonly signal: AbortSignal
  /** A Slot may name its Location itself. */
  readonly slotsNamePlaces: boolean
}

interface AppliedUpdate {
  /** Of the changed Schedules. */
  readonly horizons: HorizonChanges['bySchedule']
  readonly slotsNamePlaces: boolean
}

/**
 * Applies the changes that `read` gives to the last snapshot: those of Slots, and those of all slots that refer to a changed resource,
 * directly or not. Without changed resources besides Slots, only what the changed Slots refer to is read. Undefined, and nothing is done,
 * if there are too many changes.
 */
export async function applyUpdate(
  { source, draft, signal, slotsNamePlaces }: UpdateOptions,
  read: (sink: ResourceSink) => Promise<void>,
): Promise<AppliedUpdate | undefined> {
  const { changes: published, rejected } = await gather(read)
  if (published.size > UPDATE_RESOURCES_MAX) return undefined
  const changes = await compare(published, draft)
  const update = draft.startUpdate()
  for (const each of rejected) update.change(undefined, { rejected: each })
  const views = new Views(source)
  const directory = [...changes].filter(([, change]) => typeOf(change) !== 'Slot')
  const slots = [...changes.values()].filter((change) => typeOf(change) === 'Slot')
  if (directory.length === 0) await views.loadReferenced(slots, draft)
  else await views.loadAll(new Map(directory), draft)
  for (const change of slots) views.report(change, update)
  await update.flush()
  const { schedules, places } = views.affectedBy(directory.map(([, change]) => change))
  const affected = { schedules, places: slotsNamePlaces ? places : NO_IDS }
  for await (const referring of referringSlots(affected, draft, source.strict)) {
    signal.throwIfAborted()
    for (const slot of referring) if (!changes.has(nameOf(slot))) views.report({ before: slot, after: slot }, update)
    await update.flush()
  }
  for (const [name] of directory) views.reportDirectory(name, update)
  for (const { before, after } of changes.values()) {
    if (after !== undefined) draft.resources.put(after)
    else if (before !== undefined) draft.resources.remove(before.type, before.id)
  }
  return {
    horizons: views.horizonsOf(directory.map(([, change]) => change)),
    slotsNamePlaces: slotsNamePlaces || slots.some(({ after }) => after !== undefined && mayNamePlace(after)),
  }
}

/** The last change of each resource, by name: undefined if it was deleted. */
async function gather(read: (sink: ResourceSink) => Promise<void>) {
  const changes = new Map<string, FeedResource | undefined>()
  const rejected: Rejected[] = []
  await read({
    put: (resource) => void (changes.size <= UPDATE_RESOURCES_MAX && changes.set(nameOf(resource), resource)),
    remove: (type, id) => void (changes.size <= UPDATE_RESOURCES_MAX && changes.set(nameOf({ type, id }), undefined)),
    reject: (line) => void (rejected.length <= UPDATE_RESOURCES_MAX && rejected.push(line)),
    flush: async () => {},
  })
  return { changes, rejected }
}

/** The published changes that are changes. */
async function compare(
  published: ReadonlyMap<string, FeedResource | undefined>,
  draft: SnapshotDraft,
): Promise<Map<string, ResourceChange>> {
  const stored = new Map<string, FeedResource>()
  // Ids may have slashes.
  for (const [type, names] of Map.groupBy(published.keys(), (name) => name.slice(0, name.indexOf('/')))) {
    const ids = names.map((name) => name.slice(type.length + 1))
    for (const resource of await draft.resources.find(type, ids)) stored.set(nameOf(resource), resource)
  }
  const changes = new Map<string, ResourceChange>()
  for (const [name, after] of published) {
    const before = stored.get(name)
    if (before?.json !== after?.json) changes.set(name, { before, after })
  }
  return changes
}

function typeOf({ before, after }: ResourceChange): string | undefined {
  return (after ?? before)?.type
}

/** The ids of the Schedules and Locations of the slots that an update may change. */
interface Affected {
  readonly schedules: ReadonlySet<string>
  readonly places: ReadonlySet<string>
}

const NO_IDS: ReadonlySet<string> = new Set()

/** The stored Slots that refer to them, each once. No index has the Locations that Slots name: all Slots are read unless `places` is empty. */
async function* referringSlots(
  { schedules, places }: Affected,
  { resources }: SnapshotDraft,
  strict: boolean,
): AsyncGenerator<readonly FeedResource[]> {
  for (const schedule of schedules) yield* resources.readSlotsOf(schedule)
  if (places.size === 0) return
  const isAt = (slot: FeedResource) => mayNamePlace(slot) && !referencedIds(slot, strict).isDisjointFrom(places)
  for await (const slots of resources.readType('Slot'))
    yield slots.filter((slot) => !schedules.has(slot.schedule ?? '') && isAt(slot))
}

/** The feed before and after an update. */
class Views {
  readonly #strict: boolean
  readonly #before: FeedView
  #after: FeedView
  /** The resources that refer to an id. */
  readonly #referrers = new Map<string, FeedResource[]>()

  constructor({ slug, strict }: Source) {
    this.#strict = strict
    this.#before = new FeedView(slug, { strict, part: INDEXED_PART })
    this.#after = new FeedView(slug, { strict, part: INDEXED_PART })
  }

  /** Loads what Slots refer to, directly or not: the same before and after. */
  async loadReferenced(slots: readonly ResourceChange[], draft: SnapshotDraft): Promise<void> {
    this.#after = this.#before
    const resources = slots.flatMap(({ before, after }) => [before, after]).filter((slot) => slot !== undefined)
    const loaded = new Set<string>()
    let wanted = new Set(resources.flatMap((slot) => [...referencedIds(slot, this.#strict)]))
    while (wanted.size > 0) {
      const ids = [...wanted]
      wanted = new Set()
      for (const id of ids) loaded.add(id)
      for (const type of REFERRED_TYPES) {
        for (const resource of await draft.resources.find(type, ids)) {
          this.#before.add(resource)
          for (const id of referencedIds(resource, this.#strict)) if (!loaded.has(id)) wanted.add(id)
        }
      }
    }
  }

  async loadAll(changes: ReadonlyMap<string, ResourceChange>, draft: SnapshotDraft): Promise<void> {
    for (const type of REFERRED_TYPES) {
      for await (const resources of draft.resources.readType(type)) {
        for (const resource of resources) {
          this.#before.add(resource)
          this.#note(resource)
          if (!changes.has(nameOf(resource))) this.#after.add(resource)
        }
      }
    }
    for (const { after } of changes.values()) {
      if (after === undefined) continue
      this.#after.add(after)
      this.#note(after)
    }
  }

  /** The Schedules and Locations that changed or refer to what changed, before or after, directly or not. */
  affectedBy(changes: readonly ResourceChange[]): Affected {
    const schedules = new Set<string>()
    const places = new Set<string>()
    const seen = new Set<string>()
    const waiting = changes.flatMap(({ before, after }) => [before, after]).filter((one) => one !== undefined)
    for (let resource = waiting.pop(); resource !== undefined; resource = waiting.pop()) {
      if (seen.has(nameOf(resource))) continue
      seen.add(nameOf(resource))
      if (resource.type === 'Schedule') schedules.add(resource.id)
      if (resource.type === 'Location') places.add(resource.id)
      waiting.push(...(this.#referrers.get(resource.id) ?? []))
    }
    return { schedules, places }
  }

  report({ before, after }: ResourceChange, update: SnapshotUpdate): void {
    update.change(before && this.#before.outcomeOf(before), after && this.#after.outcomeOf(after))
  }

  reportDirectory(name: string, update: SnapshotUpdate): void {
    const [before, after] = [this.#before.rejections.get(name), this.#after.rejections.get(name)]
    update.change(before && { rejected: before }, after && { rejected: after })
  }

  /** Of the Schedules among changes. */
  horizonsOf(changes: readonly ResourceChange[]): HorizonChanges['bySchedule'] {
    const schedules = changes.filter((change) => typeOf(change) === 'Schedule')
    const ids = schedules.flatMap(({ before, after }) => (after ?? before)?.id ?? [])
    return new Map(ids.map((id) => [id, this.#after.directory.horizons.get(id)]))
  }

  #note(resource: FeedResource): void {
    for (const id of referencedIds(resource, this.#strict)) {
      const referrers = this.#referrers.get(id)
      if (referrers === undefined) this.#referrers.set(id, [resource])
      else referrers.push(resource)
    }
  }
}
