import type { Account } from '../store/contracts/account-store.ts'
import type { Store } from '../store/contracts/store.ts'
import { type Command, textOption } from './command.ts'
import { formatInstant, formatSeconds, formatTable } from './table.ts'
import { withStore } from './with-store.ts'

/** `account list`. */
export const accountList: Command = {
  operands: [],
  options: { search: { value: '<text>', means: 'only those with this in name or address' } },
  explanation: `Accounts stand in the order of their e-mail addresses. An operator is whoever opened the setup link, or has an address of
OPERATOR_EMAILS that is confirmed.`,
  examples: ['account list', 'account list --search example.org --json'],
  async run(call) {
    const accounts = await withStore(call, (store) => readAll(store, textOption(call, 'search')))
    const { operatorEmails } = call.config.account
    const views = accounts.map((account) => viewAccount(account, operatorEmails))
    call.print(
      views,
      views.length === 0
        ? 'No accounts. People make them in the dashboard.'
        : formatTable(
            ['E-MAIL', 'CONFIRMED', 'NAME', 'ORGANIZATIONS', 'OPERATOR', 'CREATED'],
            views.map((view) => [
              view.email,
              view.emailConfirmed ? 'yes' : 'no',
              view.name,
              view.organizations,
              view.isOperator ? 'yes' : 'no',
              formatSeconds(Date.parse(view.createdAt)),
            ]),
          ),
    )
  },
}

const PAGE_LENGTH = 500

async function readAll(store: Store, search: string | undefined): Promise<Account[]> {
  const all: Account[] = []
  for (;;) {
    const page = { limit: PAGE_LENGTH, offset: all.length, ...(search !== undefined && { search }) }
    const { accounts, total } = await store.operators.accounts(page)
    all.push(...accounts)
    if (accounts.length === 0 || all.length >= total) return all
  }
}

function viewAccount(account: Account, operatorEmails: readonly string[]) {
  const { userId, email, emailConfirmed, name, organizations, createdAtMs } = account
  const isOperator = account.isOperator || (emailConfirmed && operatorEmails.includes(email))
  const createdAt = formatInstant(createdAtMs)
  return { id: userId, email, emailConfirmed, name, organizations, isOperator, createdAt }
}
