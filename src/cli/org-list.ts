import { defineCommand } from './command.ts'
import { PROGRAM } from './program.ts'
import { withStore } from './store-access.ts'
import { formatInstant, formatSeconds, formatTable } from './table.ts'

/** `org list`. */
export const orgList = defineCommand({
  description: 'Sorted by name. Commands accept the name or the ID.',
  examples: ['org list', 'org list --json'],
  input: {},
  async run(call) {
    const organizations = await withStore(call, (store) => store.organizations.list())
    call.print(
      organizations.map(({ id, name, createdAtMs, suspension }) => ({
        id,
        name,
        createdAt: formatInstant(createdAtMs),
        ...(suspension && { suspendedAt: formatInstant(suspension.atMs), suspendedReason: suspension.reason }),
      })),
      formatTable(
        organizations,
        {
          ID: ({ id }) => id,
          NAME: ({ name }) => name,
          STATUS: ({ suspension }) => (suspension === undefined ? 'active' : 'suspended'),
          CREATED: ({ createdAtMs }) => formatSeconds(createdAtMs),
        },
        `No organizations yet. Create one: ${PROGRAM} org create "Good Health"`,
      ),
    )
  },
})
