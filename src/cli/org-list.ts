import type { Command } from './command.ts'
import { PROGRAM } from './program.ts'
import { formatInstant, formatSeconds, formatTable } from './table.ts'
import { withStore } from './with-store.ts'

/** `org list`. */
export const orgList: Command = {
  operands: [],
  options: {},
  explanation: 'Organizations stand in the order of their names. Commands take the name or the id.',
  examples: ['org list', 'org list --json'],
  async run(call) {
    const organizations = await withStore(call, (store) => store.organizations.list())
    call.print(
      organizations.map(({ id, name, createdAtMs }) => ({ id, name, createdAt: formatInstant(createdAtMs) })),
      organizations.length === 0
        ? `No organizations yet. Create one: ${PROGRAM} org create "Good Health"`
        : formatTable(
            ['ID', 'NAME', 'CREATED'],
            organizations.map(({ id, name, createdAtMs }) => [id, name, formatSeconds(createdAtMs)]),
          ),
    )
  },
}
