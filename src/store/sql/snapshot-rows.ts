import { randomUUID } from 'node:crypto'
import { readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findAscending } from '../../lib/ascending.ts'
import { BitSet } from '../../lib/bit-set.ts'
import { ensurePrivateFolder } from '../../lib/private-file.ts'
import type { SlotDraft, SlotMove, StoredRows } from '../contracts/snapshots.ts'
import type { SyncOutcome } from '../contracts/sources.ts'
import { readCounters } from './counters.ts'
import type { Database, SyncOfSource } from './database.ts'
import { GrowingColumns, type RowColumns } from './row-columns.ts'
import { BLOCK_ROWS, RowFileWriter, readRowFile } from './row-file.ts'
import { StoredIds, tagOf } from './stored-ids.ts'
import { readStoredRows } from './stored-slots.ts'

/** Raise it with every change of the layout of the file or of the meaning of a column: other files are ignored. */
const FORMAT = 1

/** A source whose rows a sync reads and writes. */
interface RowsOptions extends SyncOfSource {
  readonly slotCount: number
  /** The outcome of the sync that committed the last snapshot. */
  readonly lastRead: SyncOutcome | undefined
}

/**
 * The rows of a source that a sync knows: those of the last snapshot, and its drafts.
 *
 * Where the database has a folder for it, the columns of the last snapshot of a large source are in a file as well, because reading
 * them costs a hundredth of reading the rows. The file is a cache: a commit removes it, and replaces it after the transaction. It is read
 * only if its token names the format, the store and the outcome of the last commit, which the row of the source contains.
 *
 *     <source>.rows          the last snapshot
 *     <source>.<uuid>        the drafts of a running sync, then the rest of its snapshot
 */
export class SnapshotRows {
  readonly #database: Database
  readonly #of: RowsOptions
  readonly #ids: StoredIds
  #stored: RowColumns | undefined
  readonly #file: SnapshotFile | undefined

  constructor(database: Database, of: RowsOptions) {
    this.#database = database
    this.#of = of
    this.#ids = new StoredIds(of.slotCount)
    this.#file = database.rowFolder === undefined ? undefined : new SnapshotFile(database.rowFolder, of.sourceId)
  }

  /** Reads the ids as well: a second pass over a million rows would cost more than an unused hash table. */
  async read(): Promise<StoredRows> {
    if (this.#stored !== undefined) return this.#stored
    const rows = (await this.#readFile()) ?? (await this.#readStore())
    this.#stored = rows
    this.#ids.setStored(rows)
    return rows
  }

  /** The keys of all rows that may have one of the ids, drafts included. */
  async candidates(ids: readonly string[]): Promise<number[]> {
    if (this.#stored === undefined) await this.read()
    return this.#ids.candidates(ids)
  }

  inserted(drafts: readonly SlotDraft[], firstKey: number): void {
    for (let at = 0; at < drafts.length; at++) {
      const tag = tagOf(drafts[at].id)
      this.#ids.add(tag, firstKey + at)
      this.#file?.add(drafts[at], firstKey + at, tag)
    }
  }

  changed(deletes: readonly number[], moves: readonly SlotMove[], dropped: number): void {
    if (dropped > 0) this.#file?.giveUp()
    if (deletes.length + moves.length > 0) this.#file?.change(this.#stored, deletes, moves)
  }

  /** The sync begins again. */
  discard(): void {
    this.#file?.discard()
  }

  /** Before the commit. Returns what to do after it, which never fails. */
  async save(outcome: SyncOutcome): Promise<() => void> {
    if (this.#file === undefined) return () => {}
    const isSaved = this.#file.save(this.#stored, await this.#tokenOf(outcome))
    return () => {
      if (isSaved) this.#file?.publish()
    }
  }

  /** Removes the unfinished file, unless it was published. */
  close(): void {
    this.#file?.giveUp()
  }

  async #readFile(): Promise<RowColumns | undefined> {
    const { slotCount, lastRead } = this.#of
    if (this.#file === undefined || lastRead === undefined || slotCount < BLOCK_ROWS) return undefined
    const rows = this.#file.read(await this.#tokenOf(lastRead))
    return rows?.keys.length === slotCount ? rows : undefined
  }

  async #readStore(): Promise<RowColumns> {
    const reading = await this.#database.beginRead()
    try {
      return await readStoredRows(reading, this.#of, this.#of.slotCount)
    } finally {
      await reading.close()
    }
  }

  async #tokenOf(outcome: SyncOutcome): Promise<string> {
    const { store } = await readCounters(this.#database.read.queries, ['store'])
    return JSON.stringify([FORMAT, store, this.#of.sourceId, outcome])
  }
}

/** Removes the files of removed sources. An error of the disk only means that they stay. */
export async function removeUnusedRowFiles({ rowFolder, read }: Database): Promise<void> {
  // Before the sources are read: one that is added in between has no file among these.
  const names = rowFolder === undefined ? [] : rowFilesIn(rowFolder)
  if (rowFolder === undefined || names.length === 0) return
  const rows = await read.queries.selectFrom('sources').select('id').execute()
  const listed = new Set(rows.map(({ id }) => id))
  for (const name of names) if (!listed.has(Number.parseInt(name, 10))) removeFile(join(rowFolder, name))
}

/** Those of the last snapshots and of running syncs, whose names begin with the id of the source. Empty without a readable folder. */
function rowFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+\./.test(name))
  } catch {
    return []
  }
}

function removeFile(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {}
}

/** More moves of rows than this share are not followed: the file is not written then. */
const MOVES_SHARE_MAX = 1 / 50
const MOVES_MIN = 1000

/** The file of a source. An error of the disk only means that it is not written. */
class SnapshotFile {
  readonly #folder: string
  readonly #sourceId: number
  #drafts = new GrowingColumns(1)
  #writer: RowFileWriter | undefined
  /** The rows of the last snapshot that are deleted. */
  #deleted: BitSet | undefined
  readonly #moves = new Map<number, SlotMove>()
  #isGivenUp = false

  constructor(folder: string, sourceId: number) {
    this.#folder = folder
    this.#sourceId = sourceId
  }

  get #path(): string {
    return join(this.#folder, `${this.#sourceId}.rows`)
  }

  read(token: string): RowColumns | undefined {
    return readRowFile(this.#path, token)
  }

  add({ fingerprint, part, endMs }: SlotDraft, key: number, tag: number): void {
    if (this.#isGivenUp) return
    this.#drafts.push(key, fingerprint, part, Math.trunc((endMs + 999) / 1000), tag)
    if (this.#drafts.size === BLOCK_ROWS) this.#try(() => this.#writeDrafts())
  }

  change(stored: RowColumns | undefined, deletes: readonly number[], moves: readonly SlotMove[]): void {
    if (this.#isGivenUp) return
    const isMany = this.#moves.size + moves.length > Math.max(MOVES_MIN, (stored?.keys.length ?? 0) * MOVES_SHARE_MAX)
    if (stored === undefined || isMany) this.giveUp()
    else this.#follow(stored, deletes, moves)
  }

  #follow(stored: RowColumns, deletes: readonly number[], moves: readonly SlotMove[]): void {
    this.#deleted ??= new BitSet(stored.keys.length)
    for (const key of deletes) {
      const row = findAscending(stored.keys, key)
      if (row >= 0) this.#deleted.add(row)
    }
    for (const move of moves) this.#moves.set(move.key, move)
  }

  /** Removes the file of the last snapshot, and writes that of the next beside it. True if it is worth publishing. */
  save(stored: RowColumns | undefined, token: string): boolean {
    this.#try(() => rmSync(this.#path, { force: true }))
    if (stored === undefined) this.giveUp()
    if (this.#isGivenUp || stored === undefined) return false
    const isSmall = this.#writer === undefined && stored.keys.length + this.#drafts.size < BLOCK_ROWS
    if (isSmall) return false
    this.#try(() => {
      this.#writeDrafts()
      const writer = this.#openWriter()
      const firstBlock = writer.blockCount
      for (const block of this.#remaining(stored)) writer.append(block)
      writer.finish(token, firstBlock)
    })
    return !this.#isGivenUp
  }

  publish(): void {
    const path = this.#writer?.path
    if (path === undefined) return
    this.#try(() => {
      renameSync(path, this.#path)
      this.#writer = undefined
    })
  }

  discard(): void {
    this.#removeWriter()
    this.#drafts.clear()
    this.#deleted = undefined
    this.#moves.clear()
    this.#isGivenUp = false
  }

  giveUp(): void {
    this.discard()
    this.#isGivenUp = true
  }

  #writeDrafts(): void {
    if (this.#drafts.size === 0) return
    this.#openWriter().append(this.#drafts.byKey())
    this.#drafts.clear()
  }

  /** The rows of the last snapshot that are left, where they are now. */
  *#remaining(stored: RowColumns): Generator<RowColumns> {
    const block = new GrowingColumns(BLOCK_ROWS)
    for (let row = 0; row < stored.keys.length; row++) {
      if (this.#deleted?.has(row)) continue
      const key = stored.keys[row]
      const { fingerprint, part } = (this.#moves.size > 0 ? this.#moves.get(key) : undefined) ?? {
        fingerprint: stored.fingerprints[row],
        part: stored.parts[row],
      }
      block.push(key, fingerprint, part, stored.ends[row], stored.tags[row])
      if (block.size < BLOCK_ROWS) continue
      yield block.byKey()
      block.clear()
    }
    if (block.size > 0) yield block.byKey()
  }

  #openWriter(): RowFileWriter {
    if (this.#writer !== undefined) return this.#writer
    ensurePrivateFolder(this.#folder)
    // Of syncs that were killed: the lease of the source is held by this one.
    for (const name of rowFilesIn(this.#folder)) {
      if (name.startsWith(`${this.#sourceId}.`) && !name.endsWith('.rows')) removeFile(join(this.#folder, name))
    }
    this.#writer = new RowFileWriter(join(this.#folder, `${this.#sourceId}.${randomUUID()}`))
    return this.#writer
  }

  #removeWriter(): void {
    const path = this.#writer?.path
    this.#writer = undefined
    if (path !== undefined) removeFile(path)
  }

  #try(act: () => void): void {
    try {
      act()
    } catch {
      this.#isGivenUp = true
      this.#removeWriter()
    }
  }
}
