import { mintApiKey } from '../keys/mint-key.ts'
import { COMMAND_LINE } from './actor.ts'
import { type Command, textOption } from './command.ts'
import { getOrganization } from './find-organization.ts'
import { parseExpiry } from './parse-expiry.ts'
import { parseName } from './parse-operand.ts'
import { formatInstant, formatSeconds } from './table.ts'
import { withStore } from './with-store.ts'

/** `key create --org <name>`: the only place where a key is ever shown. */
export const keyCreate: Command = {
  operands: [],
  options: {
    org: { value: '<name>', means: 'the organization that owns the key: its name or id', required: true },
    name: { value: '<text>', means: 'what the key is for, to know it by later (default: "default")' },
    expires: {
      value: '<date>',
      means: 'the last day on which it works, in UTC, or an instant (default: never)',
    },
  },
  explanation: `The key is printed now and never again: only its hash is kept. It stands alone on standard output, all else on
standard error, so KEY=$(…) takes it. A running service lets it in within a second.`,
  examples: [
    'key create --org "Good Health" --name "our app"',
    'key create --org "Good Health" --expires 2030-01-31',
    'key create --org "Good Health" --expires 2030-01-31T12:00:00-05:00 --json',
  ],
  async run(call) {
    const nowMs = call.clock()
    const name = parseName('key name', textOption(call, 'name') ?? 'default')
    const expires = textOption(call, 'expires')
    const expiry = expires === undefined ? {} : { expiresAtMs: parseExpiry(expires, nowMs) }
    const { organization, secret, key } = await withStore(call, async (store) => {
      const organization = await getOrganization(store, textOption(call, 'org') ?? '')
      const minted = mintApiKey({ organizationId: organization.id, name, ...expiry }, nowMs)
      await store.keys.put(minted.key, COMMAND_LINE)
      return { organization, ...minted }
    })
    const json = {
      id: key.id,
      key: secret,
      org: organization.name,
      name,
      lastFour: key.lastFour,
      createdAt: formatInstant(key.createdAtMs),
      ...(key.expiresAtMs !== undefined && { expiresAt: formatInstant(key.expiresAtMs) }),
    }
    call.print(json, secret)
    const until =
      key.expiresAtMs === undefined ? 'never expires' : `expires ${formatSeconds(key.expiresAtMs)}`
    call.tell(
      `Key ${key.id} ("${name}") of ${organization.name}; it ${until}. Keep it safe: it is not shown again.`,
    )
  },
}
