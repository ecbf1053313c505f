import type { Steps } from '../../../lib/steps.ts'
import type { Offering } from '../../../slot/slot.ts'
import type { InsertedSlot } from '../../../store/contracts/revision-feed.ts'
import type { FeedProvenance } from './feed-provenance.ts'
import { SlotLineWriter, sharedSlotText } from './feed-slot-lines.ts'
import { PublishedOffering, resourcesOf } from './offering-resources.ts'
import { DIRECTORY_TYPES, type FeedDirectoryType } from './published-resource.ts'
import type { UpdateFileType } from './update-names.ts'

/** A file of an update. */
export interface UpdateFile {
  readonly body: Buffer
  /** Number of its resources or, of deletions, of its Bundles. */
  readonly count: number
}

/** The net changes of a page. */
export interface NetChanges {
  /** The last state of each slot by id; undefined if it was deleted. */
  readonly slots: ReadonlyMap<string, InsertedSlot | undefined>
  /** Those of the slots, as JSON by id. */
  readonly offerings: ReadonlyMap<number, string>
  /** The offerings of Schedules whose planning horizon moved, as JSON. */
  readonly moved: readonly string[]
  /** `Type/id` of the resources that no slot refers to any more, unless one here does. */
  readonly dropped: ReadonlySet<string>
}

/** Deletions in a Bundle. */
const BUNDLE_ENTRIES_MAX = 1000

/** The files of a page that are not empty. A step takes some 50 microseconds. */
export function* writeUpdateFiles(
  { slots, offerings, moved, dropped }: NetChanges,
  provenance: FeedProvenance,
): Steps<Map<UpdateFileType, UpdateFile>> {
  const files = new Map<UpdateFileType, UpdateFile>()
  const directory = yield* writeDirectory(offerings, provenance)
  yield* writeMoved(moved, directory.lines.get('Schedule'), provenance)
  for (const [type, lines] of directory.lines) {
    if (lines.size > 0) files.set(type, fileOf([...lines.values()]))
    yield
  }
  const put = [...slots.values()].filter((slot) => slot !== undefined)
  if (put.length > 0) files.set('Slot', fileOf(yield* writeSlots(put, directory.shared, provenance)))
  const gone = [...slots.keys()].filter((id) => slots.get(id) === undefined)
  const unused = [...dropped].filter((name) => !isIn(directory, name))
  const deleted = [...gone.map((id) => `Slot/${id}`), ...unused]
  if (deleted.length > 0) files.set('deleted', fileOf(yield* writeDeletions(deleted)))
  return files
}

interface Directory {
  /** The resources of each type by id. */
  readonly lines: ReadonlyMap<FeedDirectoryType, Map<string, Buffer>>
  /** `sharedSlotText()` of each offering. */
  readonly shared: ReadonlyMap<number, Buffer>
}

function* writeDirectory(offerings: NetChanges['offerings'], provenance: FeedProvenance): Steps<Directory> {
  const lines = new Map(DIRECTORY_TYPES.map((type) => [type, new Map<string, Buffer>()]))
  const shared = new Map<number, Buffer>()
  for (const [id, json] of offerings) {
    const offering = new PublishedOffering(JSON.parse(json) as Offering)
    shared.set(id, Buffer.from(sharedSlotText(offering, provenance)))
    for (const [type, written] of lines) {
      for (const resource of resourcesOf(offering, type, provenance)) {
        if (!written.has(resource.id)) written.set(resource.id, lineOf(resource))
      }
    }
    yield
  }
  return { lines, shared }
}

function* writeMoved(
  offerings: NetChanges['moved'],
  schedules: Map<string, Buffer> | undefined,
  provenance: FeedProvenance,
): Steps<void> {
  for (const json of offerings) {
    for (const schedule of resourcesOf(new PublishedOffering(JSON.parse(json) as Offering), 'Schedule', provenance))
      schedules?.set(schedule.id, lineOf(schedule))
    yield
  }
}

function* writeSlots(
  slots: readonly InsertedSlot[],
  shared: Directory['shared'],
  provenance: FeedProvenance,
): Steps<Buffer[]> {
  const writer = new SlotLineWriter(provenance)
  const lines: Buffer[] = []
  for (const { json, offeringId } of slots) {
    const own = Buffer.from(json)
    const rest = shared.get(offeringId)
    if (rest === undefined) throw new Error(`Cannot write an update: offering ${offeringId} is not stored`)
    writer.begin(own.length + rest.length, 1)
    writer.write(own, { from: 0, to: own.length }, rest)
    lines.push(Buffer.from(writer.written))
    yield
  }
  return lines
}

function isIn({ lines }: Directory, name: string): boolean {
  return DIRECTORY_TYPES.some(
    (type) => name.startsWith(`${type}/`) && lines.get(type)?.has(name.slice(type.length + 1)),
  )
}

/** Of resources, by `Type/id`. */
function* writeDeletions(names: readonly string[]): Steps<Buffer[]> {
  const bundles: Buffer[] = []
  for (let at = 0; at < names.length; at += BUNDLE_ENTRIES_MAX) {
    const entry = names.slice(at, at + BUNDLE_ENTRIES_MAX).map((url) => ({ request: { method: 'DELETE', url } }))
    bundles.push(lineOf({ resourceType: 'Bundle', type: 'transaction', entry }))
    yield
  }
  return bundles
}

function lineOf(resource: object): Buffer {
  return Buffer.from(`${JSON.stringify(resource)}\n`)
}

function fileOf(lines: readonly Buffer[]): UpdateFile {
  return { body: Buffer.concat(lines), count: lines.length }
}
