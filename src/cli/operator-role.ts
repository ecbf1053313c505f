import { z } from 'zod'
import { OPERATOR_ROLES } from '../shared/permissions.ts'
import { argument, defineCommand } from './command.ts'
import { changeOperator, LAST_FLAG } from './operator-change.ts'
import { wordValue } from './values.ts'

/** `operator role <email> <role>`. Throws `CommandError` for other people, and for the last operator without `--last`. */
export const operatorRole = defineCommand({
  description: `An operator changes the service; a viewer sees the same pages and changes nothing. It takes effect immediately.`,
  examples: ['operator role ada@example.org viewer'],
  input: { email: argument(z.string()), role: argument(wordValue(OPERATOR_ROLES)), last: LAST_FLAG },
  async run(call, { email, role, last }) {
    const changed = await changeOperator(call, { email, last, verb: 'change' }, (operators, userId, change) =>
      operators.setRole(userId, role, change),
    )
    call.print({ email: changed, role }, `${changed} is now ${role === 'operator' ? 'an operator' : 'a viewer'}.`)
  },
})
