import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The state of a store file. */
export interface StoreFileState {
  readonly revision: number
  /** The newest step of its schema. */
  readonly schema: string
}

/** Reads a closed file. Throws unless it is a whole store: every page is checked, which takes seconds per gigabyte. */
export function checkStoreFile(path: string): StoreFileState {
  const database = new DatabaseSync(path)
  try {
    const faults = database
      .prepare('pragma integrity_check(5)')
      .all()
      .map((row) => String(Object.values(row)[0]))
    if (faults[0] !== 'ok') throw new Error(`the file is damaged: ${faults.join('; ')}`)
    if (database.prepare("select 1 from sqlite_schema where name = 'migrations'").get() === undefined)
      throw new Error('the file is not a store of this service')
    const revision = database.prepare("select value from counters where name = 'slots'").get()
    const schema = database.prepare('select name from migrations order by name desc limit 1').get()
    // One file from now on: a log would have to be copied with it.
    database.exec('pragma journal_mode = delete')
    return { revision: Number(revision?.value), schema: String(schema?.name) }
  } finally {
    database.close()
  }
}

/** Flushes a file or a folder to disk. */
export function flush(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Flushes a file that has got its name, and its name. */
export function flushNamed(path: string): void {
  flush(path)
  flush(dirname(path))
}
