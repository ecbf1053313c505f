import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { errorCode } from '../../lib/text.ts'
import { checkStoreFile, flush, flushNamed, type StoreFileState } from './sqlite-file.ts'

/** A finished backup. */
export interface Backup extends StoreFileState {
  readonly bytes: number
}

/** All pages in one step: between steps, a writer of another process would make the copy start over. */
const PAGES_PER_STEP = 2 ** 31 - 1

/**
 * Copies a SQLite store that may be in use to a new file: the state of one moment. Readers and writers do not wait, but the
 * write-ahead log grows meanwhile. Throws if the file exists, or the store does not. The file appears under its name only
 * when it is complete, checked and on disk, readable only by its owner.
 */
export async function backUpSqlite(path: string, file: string): Promise<Backup> {
  if (existsSync(file)) throw new Error(`the file must not exist: got "${file}"`)
  if (!existsSync(path)) throw new Error(`there is no store: "${path}"`)
  if (!existsSync(dirname(file))) throw new Error(`the folder of the file must exist: got "${dirname(file)}"`)
  const partial = `${file}.partial-${randomUUID()}`
  closeSync(openSync(partial, 'wx', 0o600))
  try {
    const database = new DatabaseSync(path, { readOnly: true })
    try {
      await backup(database, partial, { rate: PAGES_PER_STEP })
    } finally {
      database.close()
    }
    const state = checkStoreFile(partial)
    flush(partial)
    giveName(partial, file)
    flushNamed(file)
    return { ...state, bytes: statSync(file).size }
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(partial + suffix, { force: true })
  }
}

/** Unlike a rename alone, it never replaces a file. Without hard links, as on FAT and some network drives, it takes the name first. */
function giveName(partial: string, file: string): void {
  try {
    linkSync(partial, file)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw error
    closeSync(openSync(file, 'wx'))
    renameSync(partial, file)
  }
}
