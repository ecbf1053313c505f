import { createSetupLink } from '../auth/setup.ts'
import { defineCommand } from './command.ts'
import { linkAddresses, withStore } from './store-access.ts'
import { formatInstant, formatSeconds } from './table.ts'

/** `operator link`. */
export const operatorLink = defineCommand({
  description: `A person who opens the link and signs in becomes an operator, who sees all sources, organizations and accounts. The link works
once, within 24 hours, and replaces all earlier links, including the one printed at startup. Where sign-up is by invitation,
it also allows one person to sign up.`,
  examples: ['operator link'],
  input: {},
  async run(call) {
    const { link, expiresAtMs } = await withStore(call, async (store) => {
      const { dashboardUrl } = await linkAddresses(call, store)
      return createSetupLink(store.operators, { dashboardUrl, now: store.now })
    })
    call.print({ link, expiresAt: formatInstant(expiresAtMs) }, link)
    call.note(`The link works once, until ${formatSeconds(expiresAtMs)}. Anyone who opens it can become an operator.`)
  },
})
