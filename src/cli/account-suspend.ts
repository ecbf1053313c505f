import { z } from 'zod'
import { SUSPENSION_REASON } from '../shared/contract/suspension.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, CommandError, defineCommand, option } from './command.ts'
import { PROGRAM } from './program.ts'
import { withAccount } from './store-access.ts'

/** `account suspend <email>`. Throws `CommandError` for an unknown address, a suspended account and an operator. */
export const accountSuspend = defineCommand({
  description: `Ends all sessions of the account, and refuses sign-ins with the reason until "account resume". The keys of its organizations
keep working: to stop them, suspend the organizations. Operators must lose their role first.`,
  examples: ['account suspend ada@example.org --reason "Shared with others"'],
  input: {
    email: argument(z.string()),
    reason: option(SUSPENSION_REASON, '<text>', 'reason, shown when the person signs in'),
  },
  async run(call, { email, reason }) {
    await withAccount(call, { email, purpose: 'suspend account' }, async (person, signIn, { accounts }) => {
      const isConfigured = person.emailVerified && call.config.account.operatorEmails.includes(person.email)
      const outcome = isConfigured ? 'operator' : await accounts.suspend(person.id, reason, COMMAND_LINE)
      if (outcome === 'already') throw new CommandError(`Cannot suspend account: ${person.email} is already suspended`)
      if (outcome === 'operator') {
        const how = isConfigured
          ? `Remove ${person.email} from OPERATOR_EMAILS first.`
          : `First: ${PROGRAM} operator remove ${person.email}`
        throw new CommandError(`Cannot suspend account: ${person.email} is an operator or a viewer\n${how}`)
      }
      await signIn.notifyOwner({ kind: 'account.suspended', userId: person.id, by: COMMAND_LINE })
      call.print({ id: person.id, email: person.email, suspended: true }, `Suspended ${person.email}.`)
    })
  },
})

/** `account resume <email>`. Throws `CommandError` for an unknown address, and for an account that is not suspended. */
export const accountResume = defineCommand({
  description: 'Lets the owner of a suspended account sign in again.',
  examples: ['account resume ada@example.org'],
  input: { email: argument(z.string()) },
  async run(call, { email }) {
    await withAccount(call, { email, purpose: 'resume account' }, async (person, signIn, { accounts }) => {
      if (!(await accounts.resume(person.id, COMMAND_LINE)))
        throw new CommandError(`Cannot resume account: ${person.email} is not suspended`)
      await signIn.notifyOwner({ kind: 'account.resumed', userId: person.id, by: COMMAND_LINE })
      call.print({ id: person.id, email: person.email, suspended: false }, `Resumed ${person.email}.`)
    })
  },
})
