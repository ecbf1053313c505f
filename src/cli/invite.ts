import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { hashToken } from '../auth/link-tokens.ts'
import { INVITATION_MS } from '../shared/contract/invitations.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, defineCommand, option } from './command.ts'
import { getOrganization, linkAddresses, withStore } from './store-access.ts'
import { formatInstant, formatSeconds } from './table.ts'
import { wordValue } from './values.ts'

const emailValue = z.email({ error: ({ input }) => `must be an email address: got "${input}"` }).toLowerCase()

/** `invite <org> [<email>]`: the link is the only text on standard output. */
export const invite = defineCommand({
  description: `Creates an invitation link to an organization. It works once, within 7 days; with an email address, only for the account with
that address. No email is sent: pass the link on.`,
  examples: ['invite "Good Health" grace@example.org', 'invite "Good Health" --role admin'],
  input: {
    org: argument(z.string()),
    email: argument(emailValue.optional()),
    role: option(wordValue(['member', 'admin']).default('member'), '<role>', 'member or admin (default: member)'),
  },
  async run(call, { org, email, role }) {
    await withStore(call, async (store) => {
      const { id: organizationId, name } = await getOrganization(store, org)
      const token = randomBytes(32).toString('base64url')
      const expiresAtMs = store.now() + INVITATION_MS
      const whom = email === undefined ? {} : { email }
      const terms = { organizationId, role, tokenHash: hashToken(token), expiresAtMs }
      await store.invitations.create({ ...terms, ...whom }, COMMAND_LINE)
      const { dashboardUrl } = await linkAddresses(call, store)
      const link = new URL(`/app/invitation#${token}`, dashboardUrl).href
      call.print({ link, org: name, role, ...whom, expiresAt: formatInstant(expiresAtMs) }, link)
      const who = email ?? 'Anyone with the link'
      call.note(
        `${who} can join ${name} as ${role === 'admin' ? 'an admin' : 'a member'} until ${formatSeconds(expiresAtMs)}.`,
      )
    })
  },
})
