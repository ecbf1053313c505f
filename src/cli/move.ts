import { z } from 'zod'
import { VARIABLES } from '../config/variables.ts'
import { redact } from '../lib/redact.ts'
import { type Moved, moveStore } from '../store/move/move-store.ts'
import { type Call, defineCommand, option } from './command.ts'
import { elapsedText, formatTable } from './table.ts'

const { schema } = VARIABLES.DATABASE_URL
/** The error does not repeat the value: it may contain a password. */
const storeUrl = z
  .string()
  .refine((url) => schema.safeParse(url).success, 'must be sqlite:./<path>, sqlite:/<path> or postgres://…')

/** `move --from <url> --to <url>`: see `moveStore()`. */
export const move = defineCommand({
  description: `Copies everything: organizations, keys, accounts, logs, usage, sources and slots. Stop the service first: the command refuses a
store that is in use. --from is only read; --to must be empty. At the end all tables are compared. If the command is
interrupted, run it again to continue; the incomplete store cannot be served until then. Pass a password in PGPASSWORD or a
password file rather than in the URL, which other users of the machine can see.`,
  examples: [
    'move --from sqlite:./data/slots.db --to postgres://slots@db.example.org/slots',
    'move --from postgres://slots@db.example.org/slots --to sqlite:./data/slots.db --json',
  ],
  input: {
    from: option(storeUrl, '<url>', 'store to read: the current DATABASE_URL'),
    to: option(storeUrl, '<url>', 'store to create: the future DATABASE_URL'),
  },
  async run(call, { from, to }) {
    const startedAtMs = Date.now()
    const moved = await moveStore({ from, to, now: Date.now, onProgress: progressTo(call) })
    const { resumed, tables } = moved
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    const durationMs = Date.now() - startedAtMs
    call.print(
      { from: redact(from), to: redact(to), resumed, rows, durationMs, tables },
      formatMoved(moved, rows, durationMs),
    )
  },
})

const PROGRESS_EVERY_MS = 2000

/** Prints progress at most every two seconds. */
function progressTo(call: Call): (table: string, rows: number) => void {
  let printedAtMs = Date.now()
  return (table, rows) => {
    if (Date.now() - printedAtMs < PROGRESS_EVERY_MS) return
    printedAtMs = Date.now()
    call.note(`${table}: ${rows} rows`)
  }
}

function formatMoved({ resumed, tables }: Moved, rows: number, durationMs: number): string {
  const formatted = formatTable(tables, {
    TABLE: ({ table }) => table,
    ROWS: ({ rows }) => rows,
    'SHA-256 SUM': ({ checksum }) => checksum.slice(0, 16),
  })
  const prefix = resumed ? 'Resumed an earlier move: ' : ''
  return `${formatted}\n${prefix}${rows} rows moved and compared in ${elapsedText(durationMs)}.`
}
