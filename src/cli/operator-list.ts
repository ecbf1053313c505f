import type { Account, Operator } from '../store/contracts/operators.ts'
import { defineCommand } from './command.ts'
import { withStore } from './store-access.ts'
import { formatInstant, formatSeconds, formatTable } from './table.ts'

/** `operator list`. */
export const operatorList = defineCommand({
  description: `Lists the people who got a role by a setup link, by an operator or by "operator add", and the accounts with a verified
address in OPERATOR_EMAILS.`,
  examples: ['operator list'],
  input: {},
  async run(call) {
    const { operatorEmails } = call.config.account
    const views = await withStore(call, async ({ operators }) => {
      const configured = (await operators.accountsByEmail(operatorEmails)).filter(({ emailVerified }) => emailVerified)
      const ids = new Set(configured.map(({ userId }) => userId))
      const given = (await operators.list()).filter(({ userId }) => !ids.has(userId))
      return [...given.map(viewGiven), ...configured.map(viewConfigured)]
    })
    call.print(
      views,
      formatTable(
        views,
        {
          EMAIL: ({ email }) => email,
          NAME: ({ name }) => name,
          ROLE: ({ role }) => role,
          'GRANTED BY': ({ grantedBy }) => grantedBy,
          GRANTED: ({ grantedAt }) => grantedAt && formatSeconds(grantedAt),
        },
        'No operators yet. "operator link" creates a link that makes a person an operator.',
      ),
    )
  },
})

function viewGiven({ userId, email, name, role, addedAtMs }: Operator) {
  return { id: userId, email, name, role, grantedBy: 'setup link or operator', grantedAt: formatInstant(addedAtMs) }
}

function viewConfigured({ userId, email, name }: Account) {
  return { id: userId, email, name, role: 'operator', grantedBy: 'OPERATOR_EMAILS', grantedAt: undefined }
}
