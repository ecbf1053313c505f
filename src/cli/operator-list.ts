import type { Store } from '../store/contracts/store.ts'
import { defineCommand } from './command.ts'
import { withStore } from './store-access.ts'
import { formatInstant, formatSeconds, formatTable } from './table.ts'

/** `operator list`. */
export const operatorList = defineCommand({
  description: `Lists the people who opened a setup link, and the accounts with a verified address in OPERATOR_EMAILS.`,
  examples: ['operator list'],
  input: {},
  async run(call) {
    const { operatorEmails } = call.config.account
    const views = await withStore(call, async (store) => [
      ...(await store.operators.list()).map(({ userId, email, name, addedAtMs }) => ({
        id: userId,
        email,
        name,
        grantedBy: 'setup link',
        grantedAt: formatInstant(addedAtMs),
      })),
      ...(await configuredOperators(store, operatorEmails)),
    ])
    call.print(
      views,
      formatTable(
        views,
        {
          EMAIL: ({ email }) => email,
          NAME: ({ name }) => name,
          'GRANTED BY': ({ grantedBy }) => grantedBy,
          GRANTED: ({ grantedAt }) => grantedAt && formatSeconds(grantedAt),
        },
        'No operators yet. "operator link" creates a link that makes a person an operator.',
      ),
    )
  },
})

async function configuredOperators(store: Store, operatorEmails: readonly string[]) {
  const pages = await Promise.all(
    operatorEmails.map((email) => store.operators.accounts({ search: email, limit: 100, offset: 0 })),
  )
  return pages
    .flatMap(({ accounts }) => accounts)
    .filter(({ email, emailVerified, isOperator }) => operatorEmails.includes(email) && emailVerified && !isOperator)
    .map(({ userId, email, name }) => ({ id: userId, email, name, grantedBy: 'OPERATOR_EMAILS', grantedAt: undefined }))
}
