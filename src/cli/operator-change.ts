import { COMMAND_LINE } from '../store/contracts/audit.ts'
import type { OperatorChange, OperatorOutcome, OperatorStore } from '../store/contracts/operators.ts'
import { type Call, CommandError, flag } from './command.ts'
import { PROGRAM } from './program.ts'
import { withStore } from './store-access.ts'

/** The switch of commands that can leave the service without an operator. */
export const LAST_FLAG = flag('also if no operator remains; "operator link" creates another one')

/** Changes one operator or viewer. Returns the address. Throws `CommandError`, which begins with the verb. */
export async function changeOperator(
  call: Call,
  { email, last, verb }: { email: string; last: boolean; verb: 'remove' | 'change' },
  change: (operators: OperatorStore, userId: string, options: OperatorChange) => Promise<OperatorOutcome>,
): Promise<string> {
  const address = email.trim().toLowerCase()
  const { operatorEmails } = call.config.account
  if (operatorEmails.includes(address)) {
    throw new CommandError(
      `Cannot ${verb} operator: OPERATOR_EMAILS contains ${address}. Remove it there and restart the service.`,
    )
  }
  const outcome = await withStore(call, async ({ operators }) => {
    const found = (await operators.list()).find((operator) => operator.email === address)
    const options = { allowNone: last || operatorEmails.length > 0, by: COMMAND_LINE }
    return found === undefined ? 'not-operator' : change(operators, found.userId, options)
  })
  if (outcome === 'not-operator') {
    throw new CommandError(
      `Cannot ${verb} operator: "${email}" is not an operator\nAll operators: ${PROGRAM} operator list`,
    )
  }
  if (outcome === 'last') throw lastOperatorError(`${verb} operator`, address)
  return address
}

/** The refusal of a command without `--last`. */
export function lastOperatorError(purpose: string, address: string): CommandError {
  return new CommandError(
    `Cannot ${purpose}: ${address} is the last operator. Add --last to leave the service without an operator.`,
  )
}
