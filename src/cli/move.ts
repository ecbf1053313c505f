import { VARIABLES } from '../config/config.ts'
import { type Moved, moveStore } from '../store/move/move-store.ts'
import { redact } from '../workers/log.ts'
import { type Call, type Command, textOption, UsageFault } from './command.ts'
import { formatTable } from './table.ts'

/** `move --from <url> --to <url>`: see `moveStore()`. */
export const move: Command = {
  operands: [],
  options: {
    from: { value: '<url>', means: 'the store to read: what DATABASE_URL is now', required: true },
    to: { value: '<url>', means: 'the store to make: what DATABASE_URL will be', required: true },
  },
  explanation: `Carries everything over: organizations, keys, people and how they sign in, logs, counts, sources and slots. Stop the service first; it
refuses a store that a service has open. --from is only read, and stays as it was; --to must be empty. Both are compared at the end, table by table. A move
that was interrupted goes on when the same command is run again, and its half-made store cannot be served until then. Give a password by PGPASSWORD or
a password file rather than in the URL, where other users of the machine can see it.`,
  examples: [
    'move --from sqlite:./data/slots.db --to postgres://slots@db.example.org/slots',
    'move --from postgres://slots@db.example.org/slots --to sqlite:./data/slots.db --json',
  ],
  async run(call) {
    const [from, to] = [storeUrl(call, 'from'), storeUrl(call, 'to')]
    const startedAtMs = call.clock()
    const moved = await moveStore({ from, to, now: call.clock, onProgress: progressTo(call) })
    const { resumed, tables } = moved
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    const durationMs = call.clock() - startedAtMs
    call.print(
      { from: redact(from), to: redact(to), resumed, rows, durationMs, tables },
      formatMoved(moved, rows, durationMs),
    )
  },
}

function storeUrl(call: Call, option: string): string {
  const { parse, must } = VARIABLES.databaseUrl
  const url = parse(textOption(call, option) ?? '')
  // What was given may hold a password.
  if (url === undefined) throw new UsageFault(`Cannot run "move": --${option} must be ${must}`)
  return url
}

const TELL_EVERY_MS = 2000

/** Small tables take no time and no line. */
function progressTo(call: Call): (table: string, rows: number) => void {
  let toldAtMs = call.clock()
  return (table, rows) => {
    if (call.clock() - toldAtMs < TELL_EVERY_MS) return
    toldAtMs = call.clock()
    call.tell(`${table}: ${rows} rows`)
  }
}

function formatMoved({ resumed, tables }: Moved, rows: number, durationMs: number): string {
  const table = formatTable(
    ['TABLE', 'ROWS', 'SHA-256 SUM'],
    tables.map(({ table, rows, checksum }) => [table, rows, checksum.slice(0, 16)]),
  )
  const how = resumed ? 'Went on with an earlier move: ' : ''
  return `${table}\n${how}${rows} rows moved and compared in ${(durationMs / 1000).toFixed(1)} s.`
}
