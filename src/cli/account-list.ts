import { z } from 'zod'
import { defined } from '../lib/optional.ts'
import type { Account } from '../store/contracts/operators.ts'
import type { Store } from '../store/contracts/store.ts'
import { defineCommand, option } from './command.ts'
import { withStore } from './store-access.ts'
import { formatInstant, formatSeconds, formatTable } from './table.ts'

/** `account list`. */
export const accountList = defineCommand({
  description: `Accounts are sorted by email address. An operator is a person who opened the setup link or has a verified address in
OPERATOR_EMAILS.`,
  examples: ['account list', 'account list --search example.org --json'],
  input: {
    search: option(z.string().optional(), '<text>', 'only accounts with this text in name or address'),
  },
  async run(call, { search }) {
    const accounts = await withStore(call, (store) => readAll(store, search))
    const { operatorEmails } = call.config.account
    const views = accounts.map((account) => viewAccount(account, operatorEmails))
    call.print(
      views,
      formatTable(
        views,
        {
          EMAIL: ({ email }) => email,
          VERIFIED: ({ emailVerified }) => (emailVerified ? 'yes' : 'no'),
          NAME: ({ name }) => name,
          ORGANIZATIONS: ({ organizations }) => organizations,
          ROLE: ({ operatorRole }) => operatorRole,
          STATUS: ({ suspendedAt }) => (suspendedAt === undefined ? 'active' : 'suspended'),
          'LAST SIGN-IN': ({ lastSignInAt }) => lastSignInAt && formatSeconds(lastSignInAt),
          CREATED: ({ createdAt }) => formatSeconds(createdAt),
        },
        'No accounts yet. People create them in the dashboard.',
      ),
    )
  },
})

const PAGE_LENGTH = 500

async function readAll(store: Store, search: string | undefined): Promise<Account[]> {
  const all: Account[] = []
  for (;;) {
    const page = { limit: PAGE_LENGTH, offset: all.length, ...defined({ search }) }
    const { accounts, total } = await store.operators.accounts(page)
    all.push(...accounts)
    if (accounts.length === 0 || all.length >= total) return all
  }
}

function viewAccount(account: Account, operatorEmails: readonly string[]) {
  const { userId, email, emailVerified, name, organizations, createdAtMs } = account
  const isConfigured = emailVerified && operatorEmails.includes(email)
  const role = isConfigured ? 'operator' : account.operatorRole
  const { suspension, lastSignInAtMs } = account
  return {
    id: userId,
    email,
    emailVerified,
    name,
    organizations,
    createdAt: formatInstant(createdAtMs),
    ...defined({ operatorRole: role }),
    ...(lastSignInAtMs !== undefined && { lastSignInAt: formatInstant(lastSignInAtMs) }),
    ...(suspension && { suspendedAt: formatInstant(suspension.atMs), suspendedReason: suspension.reason }),
  }
}
