import { COMMAND_LINE } from './actor.ts'
import type { Command } from './command.ts'
import { parseName } from './parse-operand.ts'
import { PROGRAM } from './program.ts'
import { formatInstant } from './table.ts'
import { withStore } from './with-store.ts'

/** `org create <name>`. Throws `NameTaken`. */
export const orgCreate: Command = {
  operands: [{ name: 'name' }],
  options: {},
  explanation: `An organization owns keys. Its name must be unused, without regard to case.`,
  examples: ['org create "Good Health"', 'org create "Good Health" --json'],
  async run(call) {
    const name = parseName('organization name', call.operands[0])
    const { id, createdAtMs } = await withStore(call, (store) =>
      store.organizations.create(name, COMMAND_LINE),
    )
    call.print(
      { id, name, createdAt: formatInstant(createdAtMs) },
      `Created organization "${name}" (${id}).\nA key for it: ${PROGRAM} key create --org ${JSON.stringify(name)}`,
    )
  },
}
