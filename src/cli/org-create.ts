import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, defineCommand } from './command.ts'
import { PROGRAM } from './program.ts'
import { withStore } from './store-access.ts'
import { formatInstant } from './table.ts'
import { nameValue } from './values.ts'

/** `org create <name>`. Throws `NameTaken`. */
export const orgCreate = defineCommand({
  description: 'An organization owns API keys. Its name must be unique, ignoring case.',
  examples: ['org create "Good Health"', 'org create "Good Health" --json'],
  input: { name: argument(nameValue) },
  async run(call, { name }) {
    const { id, createdAtMs } = await withStore(call, (store) => store.organizations.create(name, COMMAND_LINE), {
      mayCreate: true,
    })
    call.print(
      { id, name, createdAt: formatInstant(createdAtMs) },
      `Created organization "${name}" (${id}).\nCreate a key: ${PROGRAM} key create --org ${id}`,
    )
  },
})
