import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { endsInLine } from '../../lib/line-file.ts'
import { ensurePrivateFile } from '../../lib/private-file.ts'
import { errorMessage } from '../../lib/text.ts'

const AT_MS = z.int().nonnegative()

/** An act that must survive a restored backup. Ids are those of the store. */
const ENTRY = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('key.revoked'), id: z.string(), atMs: AT_MS, reason: z.string().optional() }),
  /** By a rotation or an edit. Null: never. The last entry of a key applies. */
  z.object({ kind: z.literal('key.expires'), id: z.string(), atMs: AT_MS, expiresAtMs: z.int().nullable() }),
  z.object({ kind: z.literal('organization.suspended'), id: z.string(), atMs: AT_MS, reason: z.string() }),
  z.object({ kind: z.literal('account.suspended'), id: z.string(), atMs: AT_MS, reason: z.string() }),
  z.object({
    kind: z.enum(['organization.resumed', 'organization.deleted', 'account.resumed', 'account.deleted']),
    id: z.string(),
    atMs: AT_MS,
  }),
])
export type RevocationEntry = z.infer<typeof ENTRY>

/**
 * The append-only file of revocations, outside the database so that a restore does not undo them: a JSON object per line. Several
 * processes may append to it. It contains ids, times and reasons, no secrets.
 */
export class RevocationLog {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /**
   * On disk when it returns. Call it after the commit, and before the change is confirmed: an entry of a change that was refused would be
   * applied at the next start, and one that is missing is added within the hour (`logCompletion()`). Throws if the file cannot be written.
   */
  append(entries: readonly RevocationEntry[]): void {
    if (entries.length === 0) return
    try {
      this.#append(entries)
    } catch (error) {
      throw this.#failure(error, 'The change is in effect, and is logged within an hour once the file can be written')
    }
  }

  /** Throws if the file cannot be opened for writing: before a change that must not be made then. */
  requireWritable(): void {
    try {
      closeSync(this.#open())
    } catch (error) {
      throw this.#failure(error, 'Nothing was changed')
    }
  }

  /** Oldest first. Leaves out lines that a crash cut off. Empty if there is no file. */
  read(): RevocationEntry[] {
    if (!existsSync(this.path)) return []
    const entries: RevocationEntry[] = []
    for (const line of readFileSync(this.path, 'utf8').split('\n')) {
      const { data } = ENTRY.safeParse(parsed(line))
      if (data !== undefined) entries.push(data)
    }
    return entries
  }

  #open(): number {
    ensurePrivateFile(this.path)
    return openSync(this.path, 'a+', 0o600)
  }

  #failure(error: unknown, effect: string): Error {
    return new Error(`Cannot write the revocation log "${this.path}": ${errorMessage(error)}. ${effect}`, {
      cause: error,
    })
  }

  #append(entries: readonly RevocationEntry[]): void {
    const file = this.#open()
    try {
      const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
      // Unlike `writeSync()`, it writes everything or throws: a disk may fill up.
      writeFileSync(file, endsInLine(file) ? lines : `\n${lines}`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
