import { nextTurn } from '../../../lib/next-turn.ts'
import { runInSlices } from '../../../lib/steps.ts'
import type { ScheduleHorizons } from '../../../slot/planning-horizon.ts'
import type { Revision } from '../../../slot/revision.ts'
import type { Offering } from '../../../slot/slot.ts'
import type { ChangeLogEntry, ChangeLogReader, HorizonChange } from '../../../store/contracts/change-log.ts'
import type { InsertedSlot } from '../../../store/contracts/revision-feed.ts'
import type { FeedProvenance } from './feed-provenance.ts'
import { PublishedOffering } from './offering-resources.ts'
import { DIRECTORY_TYPES } from './published-resource.ts'
import { type NetChanges, type UpdateFile, writeUpdateFiles } from './update-files.ts'
import type { UpdateFileType } from './update-names.ts'

/** A page of an update. It depends on its name and the variant only, on every node. */
export interface UpdatePage {
  /** Those that are not empty. */
  readonly files: ReadonlyMap<UpdateFileType, UpdateFile>
  readonly publishers: readonly string[]
  /** Of the files: see `FeedProvenance.variantOf()`. */
  readonly variant: string
  /** Where the next page begins; undefined if this is the last one. */
  readonly end: Revision | undefined
  readonly bytes: number
}

/** Rows of the log in a page, and in one read. */
const PAGE_ROWS_MAX = 4000
const READ_ROWS_MAX = 500
/** Offerings in one read: at most 4 KB each. */
const READ_OFFERINGS_MAX = 100
/** More moved planning horizons or deleted offerings close the chain. */
const DIRECTORY_CHANGES_MAX = 20_000
/** How long other requests of the thread wait. */
const SLICE_MS = 2

/**
 * The net changes after a position: for each slot its last state, with all resources that it refers to; Schedules whose planning
 * horizon moved; and deletions of slots, and of resources once the store has deleted the last offering that has them. A page may end
 * within a commit: what follows is on the next. Undefined if too much changed: reading the feed is cheaper.
 */
export async function readUpdate(
  log: ChangeLogReader,
  after: Revision,
  provenance: FeedProvenance,
): Promise<UpdatePage | undefined> {
  const slots = new Map<string, InsertedSlot | undefined>()
  const end = await readRows(log, after, (row) => note(row, slots))
  const between = { after: after.revision, until: end?.revision ?? log.newest }
  const moved = await log.horizonChanges(between)
  if (moved.reduce((sum, { schedules }) => sum + schedules.size, 0) > DIRECTORY_CHANGES_MAX) return undefined
  if ((await log.droppedCount(between)) > DIRECTORY_CHANGES_MAX) return undefined
  const changes = {
    slots,
    offerings: await readOfferings(log, slots.values()),
    moved: await readMoved(log, moved),
    dropped: await readDropped(log, between),
  }
  const horizons = await readHorizons(log, changes)
  const origin = provenance.withHorizons((publisher) => horizons.get(publisher) ?? new Map())
  const files = await runInSlices(writeUpdateFiles(changes, origin), SLICE_MS)
  const bytes = [...files.values()].reduce((sum, { body }) => sum + body.length, 0)
  const publishers = [...horizons.keys()]
  return { files, publishers, variant: origin.variantOf(publishers), end, bytes }
}

/** Where the page after a page begins that begins at a position; undefined if there is none. */
export function skipPage(log: ChangeLogReader, after: Revision): Promise<Revision | undefined> {
  return readRows(log, after, () => {})
}

async function readRows(
  log: ChangeLogReader,
  after: Revision,
  take: (row: ChangeLogEntry) => void,
): Promise<Revision | undefined> {
  let position = after
  for (let rows = 0; rows < PAGE_ROWS_MAX && position.revision < log.newest; ) {
    const page = await log.read(position, READ_ROWS_MAX)
    for (const row of page.rows) take(row)
    rows += page.rows.length
    position = page.end
    await nextTurn()
  }
  return position.revision < log.newest ? position : undefined
}

/** A version without a slot is followed by its deletion. */
function note(row: ChangeLogEntry, slots: Map<string, InsertedSlot | undefined>): void {
  if (row.phase === 'deleted') {
    if (!row.changed) slots.set(row.id, undefined)
  } else if (row.slot !== undefined) slots.set(row.id, row.slot)
}

async function readOfferings(
  log: ChangeLogReader,
  slots: Iterable<InsertedSlot | undefined>,
): Promise<Map<number, string>> {
  const ids = new Set<number>()
  for (const slot of slots) if (slot !== undefined) ids.add(slot.offeringId)
  const sorted = [...ids].sort((a, b) => a - b)
  const jsonById = new Map<number, string>()
  for (let at = 0; at < sorted.length; at += READ_OFFERINGS_MAX) {
    const rows = await log.offerings(sorted.slice(at, at + READ_OFFERINGS_MAX))
    for (const { id, json } of rows.sort((a, b) => a.id - b.id)) jsonById.set(id, json)
    await nextTurn()
  }
  return jsonById
}

/**
 * The offerings of Schedules whose planning horizon moved. A reader who began when an offering had no slots any more does not have the
 * resources that its Schedule refers to; they come with its next slot.
 */
async function readMoved(log: ChangeLogReader, moved: readonly HorizonChange[]): Promise<string[]> {
  const offerings: string[] = []
  for (const change of moved) {
    const matching = new Map<number, string>()
    for await (const rows of log.offeringsOf(change)) {
      for (const { id, json } of rows)
        if (change.schedules.has((JSON.parse(json) as Offering).scheduleId)) matching.set(id, json)
      await nextTurn()
    }
    const unused = await findUnused(log, change.sourceId, matching.keys())
    for (const [id, json] of matching) if (!unused.has(id)) offerings.push(json)
  }
  return offerings
}

/** Those of the offerings of a source that no slot refers to. Reads slots only until all are known to be used. */
async function findUnused(log: ChangeLogReader, sourceId: number, offeringIds: Iterable<number>): Promise<Set<number>> {
  const unused = new Set(offeringIds)
  if (unused.size === 0) return unused
  for await (const ids of log.usedOfferings(sourceId)) {
    for (const id of ids) unused.delete(id)
    if (unused.size === 0) break
    await nextTurn()
  }
  return unused
}

/** The resources of deleted offerings that no other offering has, as `Type/id`. */
async function readDropped(log: ChangeLogReader, between: { after: number; until: number }): Promise<Set<string>> {
  const dropped = new Set<string>()
  for (const source of await log.droppedOfferings(between)) {
    const names = new Set<string>()
    for (const [n, json] of source.offerings.entries()) {
      if (n % READ_OFFERINGS_MAX === 0) await nextTurn()
      for (const name of namesIn(json)) names.add(name)
    }
    for (const sourceId of [source.sourceId, ...source.successorIds]) {
      for await (const rows of log.offeringsOf({ ...source, sourceId })) {
        for (const { json } of rows) for (const name of namesIn(json)) names.delete(name)
        await nextTurn()
      }
    }
    for (const name of names) dropped.add(name)
  }
  return dropped
}

function namesIn(offering: string): string[] {
  const published = new PublishedOffering(JSON.parse(offering) as Offering)
  return DIRECTORY_TYPES.flatMap((type) => published.all(type).map(({ id }) => `${type}/${id}`))
}

/** By the publishers of offerings. */
async function readHorizons(
  log: ChangeLogReader,
  { offerings, moved }: NetChanges,
): Promise<ReadonlyMap<string, ScheduleHorizons>> {
  const byPublisher = new Map<string, ScheduleHorizons>()
  let parsed = 0
  for (const json of [...offerings.values(), ...moved]) {
    const { publisher } = JSON.parse(json) as Offering
    if (!byPublisher.has(publisher)) byPublisher.set(publisher, await log.horizons(publisher))
    if (++parsed % READ_OFFERINGS_MAX === 0) await nextTurn()
  }
  return byPublisher
}
