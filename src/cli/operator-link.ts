import { makeSetupLink } from '../auth/setup-link.ts'
import type { Command } from './command.ts'
import { withStore } from './with-store.ts'

/** `operator link`. */
export const operatorLink: Command = {
  operands: [],
  options: {},
  explanation: `Whoever opens the link and signs in becomes an operator, who sees all sources, organizations and accounts. It works once; the one
before, also that which the start printed, is worth nothing from then on. Where sign-up is by invitation it lets one sign up, too.`,
  examples: ['operator link'],
  async run(call) {
    const { dashboardUrl } = call.config
    const link = await withStore(call, (store) => makeSetupLink(store.operators, dashboardUrl))
    call.print({ link }, link)
    call.tell('The link works once. Whoever opens it becomes an operator.')
  },
}
