import { z } from 'zod'
import { mintApiKey } from '../keys/mint-key.ts'
import { defined } from '../lib/optional.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { defineCommand, option } from './command.ts'
import { getOrganization, withStore } from './store-access.ts'
import { formatInstant, formatInstants } from './table.ts'
import { describeExpiry, KEY_LABELS, nameValue, parseExpiry } from './values.ts'

/** `key create --org <name>`: the only place where the command line prints a key. */
export const keyCreate = defineCommand({
  description: `The key is printed once and cannot be shown again: only its hash is stored. It is the only text on standard output, so
KEY=$(…) works. A running service accepts it within a second.`,
  examples: [
    'key create --org "Good Health" --name "our app"',
    'key create --org "Good Health" --expires 2030-01-31 --networks 203.0.113.7,10.0.0.0/8',
    'key create --org "Good Health" --expires 2030-01-31T12:00:00-05:00 --json',
  ],
  input: {
    org: option(z.string(), '<name>', 'organization that owns the key: its name or ID'),
    name: option(nameValue.default('default'), '<text>', 'name of the key (default: "default")'),
    ...KEY_LABELS,
    expires: option(
      z.string().optional(),
      '<date>',
      'last day on which the key works, until its end in UTC, or an instant (default: never)',
    ),
  },
  async run(call, { org, name, expires, ...labels }) {
    const expiry = expires === undefined ? {} : { expiresAtMs: parseExpiry(expires, Date.now()) }
    const { organization, secret, key } = await withStore(call, async (store) => {
      const organization = await getOrganization(store, org)
      const minted = mintApiKey({ organizationId: organization.id, name, ...defined(labels), ...expiry }, store.now())
      await store.keys.put(minted.key, COMMAND_LINE)
      return { organization, ...minted }
    })
    const json = {
      id: key.id,
      key: secret,
      org: organization.name,
      name,
      ...defined(labels),
      lastFour: key.lastFour,
      createdAt: formatInstant(key.createdAtMs),
      ...formatInstants({ expiresAt: key.expiresAtMs }),
    }
    call.print(json, secret)
    const until = describeExpiry(key.expiresAtMs)
    call.note(`Key ${key.id} ("${name}") of ${organization.name} ${until}. Store it safely: it is not shown again.`)
  },
})
