import { setImmediate } from 'node:timers/promises'
import type { Revision } from '../../../slot/revision.ts'
import type { Offering } from '../../../slot/slot.ts'
import type { ChangeLogEntry, ChangeLogReader } from '../../../store/contracts/change-log.ts'
import type { InsertedSlot } from '../../../store/contracts/revision-feed.ts'
import type { FeedProvenance } from './feed-provenance.ts'
import { SlotLineWriter, sharedSlotText } from './feed-slot-lines.ts'
import { resourcesOf } from './offering-resources.ts'
import { DIRECTORY_TYPES } from './published-resource.ts'
import type { UpdateFileType } from './update-names.ts'

/** A file of an update. */
export interface UpdateFile {
  readonly body: Buffer
  /** Number of its resources or, of deletions, of its Bundles. */
  readonly count: number
}

/** A page of an update. It depends on its name only, on every node. */
export interface UpdatePage {
  /** Those that are not empty. */
  readonly files: ReadonlyMap<UpdateFileType, UpdateFile>
  /** Where the next page begins; the last revision of the log at the end. */
  readonly end: Revision
  readonly bytes: number
}

/** Rows of the log in a page, and in one read. */
const PAGE_ROWS_MAX = 4000
const READ_ROWS_MAX = 500
/** Deletions in a Bundle. */
const BUNDLE_ENTRIES_MAX = 1000

/**
 * The net changes after a position: for each slot its last state, with all resources that it refers to. A page may end within a commit: what
 * follows is on the next.
 */
export async function readUpdate(
  log: ChangeLogReader,
  after: Revision,
  provenance: FeedProvenance,
): Promise<UpdatePage> {
  const slots = new Map<string, InsertedSlot | undefined>()
  let position = after
  for (let rows = 0; rows < PAGE_ROWS_MAX && position.revision < log.newest; ) {
    const page = await log.read(position, READ_ROWS_MAX)
    for (const row of page.rows) note(row, slots)
    rows += page.rows.length
    position = page.end
    // SQLite responds within microtasks, which would starve the other requests of this thread.
    await setImmediate()
  }
  const put = [...slots.values()].filter((slot) => slot !== undefined)
  const offerings = await readOfferings(log, put)
  const files = new Map<UpdateFileType, UpdateFile>()
  for (const type of DIRECTORY_TYPES) {
    const lines = new Map<string, string>()
    for (const offering of offerings.values()) {
      for (const resource of resourcesOf(offering, type, provenance)) lines.set(resource.id, JSON.stringify(resource))
    }
    if (lines.size > 0) files.set(type, { body: toLines([...lines.values()]), count: lines.size })
    await setImmediate()
  }
  if (put.length > 0) files.set('Slot', { body: slotLines(put, offerings, provenance), count: put.length })
  const deleted = [...slots].filter(([, slot]) => slot === undefined).map(([id]) => bundleEntry(id))
  if (deleted.length > 0) files.set('deleted', deletionLines(deleted))
  const bytes = [...files.values()].reduce((sum, { body }) => sum + body.length, 0)
  return { files, end: position, bytes }
}

/** A version without a slot is followed by its deletion. */
function note(row: ChangeLogEntry, slots: Map<string, InsertedSlot | undefined>): void {
  if (row.phase === 'deleted') {
    if (!row.changed) slots.set(row.id, undefined)
  } else if (row.slot !== undefined) slots.set(row.id, row.slot)
}

async function readOfferings(log: ChangeLogReader, slots: readonly InsertedSlot[]): Promise<Map<number, Offering>> {
  const ids = [...new Set(slots.map(({ offeringId }) => offeringId))].sort((a, b) => a - b)
  const rows = ids.length === 0 ? [] : await log.offerings(ids)
  const jsonById = new Map(rows.map(({ id, json }) => [id, json]))
  return new Map(
    ids.map((id) => {
      const json = jsonById.get(id)
      if (json === undefined) throw new Error(`Cannot write an update: offering ${id} is not stored`)
      return [id, JSON.parse(json) as Offering]
    }),
  )
}

function slotLines(
  slots: readonly InsertedSlot[],
  offerings: ReadonlyMap<number, Offering>,
  provenance: FeedProvenance,
): Buffer {
  const shared = new Map(
    [...offerings].map(([id, offering]) => [id, Buffer.from(sharedSlotText(offering, provenance))]),
  )
  const writer = new SlotLineWriter(provenance)
  const lines = slots.map(({ json, offeringId }) => {
    const own = Buffer.from(json)
    const rest = shared.get(offeringId) ?? Buffer.alloc(0)
    writer.begin(own.length + rest.length, 1)
    writer.write(own, { from: 0, to: own.length }, rest)
    return Buffer.from(writer.written)
  })
  return Buffer.concat(lines)
}

function bundleEntry(id: string): unknown {
  return { request: { method: 'DELETE', url: `Slot/${id}` } }
}

function deletionLines(entries: readonly unknown[]): UpdateFile {
  const bundles: string[] = []
  for (let at = 0; at < entries.length; at += BUNDLE_ENTRIES_MAX) {
    const entry = entries.slice(at, at + BUNDLE_ENTRIES_MAX)
    bundles.push(JSON.stringify({ resourceType: 'Bundle', type: 'transaction', entry }))
  }
  return { body: toLines(bundles), count: bundles.length }
}

function toLines(texts: readonly string[]): Buffer {
  return Buffer.from(texts.map((text) => `${text}\n`).join(''))
}
