import { z } from 'zod'
import { argument, defineCommand } from './command.ts'
import { changeOperator, LAST_FLAG } from './operator-change.ts'

/** `operator remove <email>`. Throws `CommandError` for other people, and for the last operator without `--last`. */
export const operatorRemove = defineCommand({
  description: `The account stays and loses the rights of an operator or viewer immediately. To remove an address
of OPERATOR_EMAILS, change that variable and restart the service.`,
  examples: ['operator remove ada@example.org', 'operator remove ada@example.org --last'],
  input: { email: argument(z.string()), last: LAST_FLAG },
  async run(call, { email, last }) {
    const removed = await changeOperator(call, { email, last, verb: 'remove' }, (operators, userId, change) =>
      operators.remove(userId, change),
    )
    call.print({ email: removed }, `Removed the operator ${removed}.`)
  },
})
