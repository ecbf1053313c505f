import { z } from 'zod'
import { backUpSqlite } from '../store/backup/back-up.ts'
import { sqlitePath } from '../store/open-store.ts'
import { sqliteMessage } from '../store/sqlite/result-codes.ts'
import { argument, type Call, CommandError, defineCommand } from './command.ts'
import { requireStore } from './store-access.ts'

/** `backup <file>`. Throws `CommandError` for a file that exists, and for PostgreSQL. */
export const backup = defineCommand({
  description: `Copies a SQLite store to a new file, also while the service runs. The copy is one state of the store, checked and on disk
when the command ends. It contains the email addresses of people and the hashes of keys and passwords: encrypt it where it
is kept. Copy the revocation log, too. PostgreSQL: docs/postgresql.md#backups`,
  examples: ['backup /backups/slots-2030-01-31.db', 'backup "/backups/slots-$(date +%F).db" --json'],
  input: { file: argument(z.string().min(1, 'must not be empty')) },
  async run(call, { file }) {
    const path = pathOfStore(call, 'back up')
    requireStore(call)
    const { bytes, revision, schema } = await backUpSqlite(path, file).catch((error: unknown) => {
      throw commandError('back up', error)
    })
    const result = { file, bytes, revision, schema }
    call.print(
      result,
      `Backed up ${path} to ${file}: ${(bytes / 1e6).toFixed(1)} MB, revision ${revision}, schema ${schema}.`,
    )
  },
})

/** The path of the SQLite store. Throws `CommandError` for PostgreSQL. */
export function pathOfStore({ config }: Call, task: string): string {
  const path = sqlitePath(config.databaseUrl)
  if (path !== undefined) return path
  throw new CommandError(
    `Cannot ${task}: the store is a PostgreSQL database. Use its tools: docs/postgresql.md#backups`,
  )
}

/** An error of a task as the command line prints it. */
export function commandError(task: string, error: unknown): CommandError {
  const reason = sqliteMessage(error)
  return new CommandError(reason.startsWith('Cannot ') ? reason : `Cannot ${task}: ${reason}`)
}
