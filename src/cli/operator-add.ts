import { z } from 'zod'
import { OPERATOR_ROLES } from '../shared/permissions.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, CommandError, defineCommand, option } from './command.ts'
import { PROGRAM } from './program.ts'
import { withStore } from './store-access.ts'
import { wordValue } from './values.ts'

/** `operator add <email>`. Throws `CommandError` for an unknown address, and for people with a role. */
export const operatorAdd = defineCommand({
  description: `The account must exist: check that it is the person's. For a person without one, "operator link" creates a link.`,
  examples: ['operator add ada@example.org', 'operator add ada@example.org --role viewer'],
  input: {
    email: argument(z.string()),
    role: option(wordValue(OPERATOR_ROLES).default('operator'), '<role>', 'operator, or viewer, who changes nothing'),
  },
  async run(call, { email, role }) {
    const address = email.trim().toLowerCase()
    await withStore(call, async ({ operators }) => {
      const [account] = await operators.accountsByEmail([address])
      if (account === undefined) {
        throw new CommandError(
          `Cannot add operator: no account has the email address "${email}"\nAll accounts: ${PROGRAM} account list`,
        )
      }
      if (!(await operators.add(account.userId, { role, by: COMMAND_LINE }))) {
        throw new CommandError(
          `Cannot add operator: ${address} has a role\nChange it: ${PROGRAM} operator role ${address} ${role}`,
        )
      }
      call.print({ email: address, role }, `${address} is now ${role === 'operator' ? 'an operator' : 'a viewer'}.`)
    })
  },
})
