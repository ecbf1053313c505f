import { z } from 'zod'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, CommandError, defineCommand, flag } from './command.ts'
import { PROGRAM } from './program.ts'
import { withStore } from './store-access.ts'

/** `operator remove <email>`. Throws `CommandError` for other people, and for the last operator without `--last`. */
export const operatorRemove = defineCommand({
  description: `The account stays and loses the operator's rights immediately. Addresses in OPERATOR_EMAILS are removed there.`,
  examples: ['operator remove ada@example.org', 'operator remove ada@example.org --last'],
  input: {
    email: argument(z.string()),
    last: flag('also remove the last operator; "operator link" creates another one'),
  },
  async run(call, { email, last }) {
    const address = email.trim().toLowerCase()
    const { operatorEmails } = call.config.account
    if (operatorEmails.includes(address)) {
      throw new CommandError(
        `Cannot remove operator: OPERATOR_EMAILS contains ${address}. Remove it there and restart the service.`,
      )
    }
    await withStore(call, async ({ operators }) => {
      const found = (await operators.list()).find((operator) => operator.email === address)
      const allowNone = last || operatorEmails.length > 0
      const outcome =
        found === undefined ? 'not-operator' : await operators.remove(found.userId, { allowNone, by: COMMAND_LINE })
      if (outcome === 'not-operator') {
        throw new CommandError(
          `Cannot remove operator: "${email}" is not an operator\nAll operators: ${PROGRAM} operator list`,
        )
      }
      if (outcome === 'last') {
        throw new CommandError(
          `Cannot remove operator: ${address} is the last one. Add --last to leave the service without an operator.`,
        )
      }
      call.print({ email: address }, `Removed the operator ${address}.`)
    })
  },
})
