import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, linkSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { defined } from '../../lib/optional.ts'
import { createPrivateFile, ensurePrivateFolder } from '../../lib/private-file.ts'
import { errorMessage } from '../../lib/text.ts'
import { refuseOpenFile } from '../move/exclusive-use.ts'
import { openDatabase, openStore, storeOn } from '../open-store.ts'
import { completeLog, type Reapplied, reapplyRevocations } from '../revocations/reapply-revocations.ts'
import { RevocationLog } from '../revocations/revocation-log.ts'
import { renewStore } from '../sql/renew-store.ts'
import { checkStoreFile, flush, flushNamed, type StoreFileState } from './sqlite-file.ts'

interface RestoreOptions {
  /** Whether an existing store is kept beside and replaced; otherwise it is an error. */
  readonly replace: boolean
  readonly revocationLog: string | undefined
  readonly now: () => number
}

/** A finished restore. */
interface Restored extends StoreFileState {
  /** Where the store from before is. */
  readonly kept?: string
  /** Absent if there was no log, and no store from before that could be read for revocations. */
  readonly reapplied?: Reapplied
  /** Why the store from before could not be read for revocations that the log lacks. */
  readonly unread?: string
}

/** With its name, a SQLite store has these files. */
const LOG_SUFFIXES = ['-wal', '-shm'] as const
const SUFFIXES = ['', ...LOG_SUFFIXES] as const

/**
 * Makes a backup the store at a path. It is copied, checked, migrated, given a new store epoch and has the revocations of the log applied
 * before it gets the name of the store; if one of these fails, the store stays as it was. Revocations of the store that it replaces
 * apply as well, also those that a killed process could not log. Throws if a service has the store open, and if the backup is damaged or
 * of a newer version.
 */
export async function restoreSqlite(file: string, path: string, options: RestoreOptions): Promise<Restored> {
  const { replace, revocationLog, now } = options
  if (!existsSync(file)) throw new Error(`the file must exist: got "${file}"`)
  if (statSync(file).isDirectory()) throw new Error(`the backup must be a file: got the folder "${file}"`)
  // A log without its store would be taken for the log of the next one.
  const exists = SUFFIXES.some((suffix) => existsSync(path + suffix))
  if (exists && !replace) throw new Error(`there is a store: "${path}". To rename and replace it, give --replace`)
  if (existsSync(path)) refuseOpenFile(path, { task: 'restore', which: 'the store' })
  const created = ensurePrivateFolder(dirname(path))
  const partial = `${path}.partial-${randomUUID()}`
  createPrivateFile(partial)
  try {
    await copy(file, partial)
    checkStoreFile(partial)
    const hasBefore = existsSync(path)
    const unread = hasBefore ? await logRevocationsOf(path, revocationLog, now) : undefined
    const isKnown = hasBefore && unread === undefined
    const log = revocationLog !== undefined && (isKnown || existsSync(revocationLog)) ? revocationLog : undefined
    const reapplied = await prepare(`sqlite:${absolute(partial)}`, log, now)
    const state = checkStoreFile(partial)
    flush(partial)
    // Copies of what syncs compare lines with; those of later syncs must not match new syncs of the same number.
    rmSync(`${path}-rows`, { recursive: true, force: true })
    const kept = exists ? keep(path, now()) : undefined
    renameSync(partial, path)
    flushNamed(path)
    return {
      ...state,
      ...defined({ kept, reapplied, unread }),
    }
  } finally {
    for (const suffix of [...SUFFIXES, '-journal', '-rows']) rmSync(partial + suffix, { recursive: true, force: true })
    if (!existsSync(path)) removeEmpty(created)
  }
}

/** From the innermost on. Ends at one that another process uses by now: an error would hide why the restore failed. */
function removeEmpty(folders: readonly string[]): void {
  try {
    for (const folder of folders) rmdirSync(folder)
  } catch {}
}

/** Through SQLite, so that a write-ahead log beside the file is part of the copy. */
async function copy(file: string, partial: string): Promise<void> {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    await backup(database, partial, { rate: 2 ** 31 - 1 })
    chmodSync(partial, 0o600)
  } finally {
    database.close()
  }
}

/** Adds what the log lacks. The store stays as it is, and may be damaged or of another version: returns why it could not be read. */
async function logRevocationsOf(
  path: string,
  revocationLog: string | undefined,
  now: () => number,
): Promise<string | undefined> {
  if (revocationLog === undefined) return undefined
  try {
    const database = await openDatabase(`sqlite:${absolute(path)}`)
    try {
      await completeLog(storeOn(database, now), new RevocationLog(revocationLog), now)
    } finally {
      await database.close()
    }
    return undefined
  } catch (error) {
    return errorMessage(error)
  }
}

/** Migrates the copy, starts a new epoch, and applies the revocations. */
async function prepare(url: string, path: string | undefined, now: () => number): Promise<Reapplied | undefined> {
  await renewStore(url, now())
  if (path === undefined) return undefined
  const store = await openStore(url, { now })
  try {
    return await reapplyRevocations(store, new RevocationLog(path), now)
  } finally {
    await store.close()
  }
}

/**
 * Gives a store that is not in use another name, and returns it. Its file keeps the first name, too, until the next store takes it: the
 * service would begin an empty store if this process was killed in between.
 */
function keep(path: string, nowMs: number): string {
  const kept = `${path}.before-${new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  if (existsSync(kept)) throw new Error(`the store could not be kept: "${kept}" exists`)
  if (existsSync(path)) linkOrRename(path, kept)
  for (const suffix of LOG_SUFFIXES) if (existsSync(path + suffix)) renameSync(path + suffix, kept + suffix)
  return kept
}

/** Not every file system has hard links. */
function linkOrRename(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    renameSync(from, to)
  }
}

/** URLs of SQLite stores begin with a slash or a dot. */
function absolute(path: string): string {
  return /^\.{0,2}\//.test(path) ? path : `./${path}`
}
