import { z } from 'zod'
import { renewedExpiry } from '../keys/key.ts'
import { mintApiKey } from '../keys/mint-key.ts'
import { DAY_MS, HOUR_MS } from '../lib/time.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, CommandError, defineCommand, option } from './command.ts'
import { foundKey } from './key-view.ts'
import { withStore } from './store-access.ts'
import { formatInstant, formatInstants, formatSeconds } from './table.ts'
import { describeExpiry, parseExpiry, wordValue } from './values.ts'

/** The choices of the dashboard. */
const KEPT_MS = { '0': 0, '1h': HOUR_MS, '24h': DAY_MS, '7d': 7 * DAY_MS } as const
const KEPT = ['0', '1h', '24h', '7d'] as const

/** `key rotate <id>`. Throws `CommandError` for an unknown ID, and for a key that is inactive or was rotated. */
export const keyRotate = defineCommand({
  description: `Creates a key with the name, note and networks of the old one and prints it once, as the only text on standard output. The old key
stays active for --keep-old, 24 hours by default; with 0 it is revoked immediately.`,
  examples: ['key rotate key_0123456789abcdef0123', 'key rotate key_0123456789abcdef0123 --keep-old 0 --expires never'],
  input: {
    id: argument(z.string()),
    keepOld: option(wordValue(KEPT).default('24h'), '<time>', 'how long the old key stays active: 0, 1h, 24h or 7d'),
    expires: option(
      z.string().optional(),
      '<date>',
      'last day on which the new key works, until its end in UTC, an instant, or never (default: the lifetime of the old key)',
    ),
  },
  async run(call, { id, keepOld, expires }) {
    const { secret, key, old } = await withStore(call, async (store) => {
      const nowMs = store.now()
      const found = foundKey(await store.keys.find(id), 'rotate', id)
      const { organizationId, name } = found
      const expiresAtMs = expiryOf(expires, nowMs) ?? (expires === undefined ? renewedExpiry(found, nowMs) : undefined)
      const owner = { organizationId, name, ...(expiresAtMs !== undefined && { expiresAtMs }) }
      const minted = mintApiKey(owner, nowMs)
      const untilMs = nowMs + KEPT_MS[keepOld]
      const rotated = await store.keys.rotate({ id, organizationId, untilMs }, minted.key, COMMAND_LINE)
      if (rotated === undefined) throw new CommandError('Cannot rotate key: it was rotated before, or is not active')
      return { secret: minted.secret, ...rotated }
    })
    const json = {
      id: key.id,
      key: secret,
      name: key.name,
      lastFour: key.lastFour,
      createdAt: formatInstant(key.createdAtMs),
      ...formatInstants({ expiresAt: key.expiresAtMs, oldExpiresAt: old.revokedAtMs ?? old.expiresAtMs }),
    }
    call.print(json, secret)
    const isKept = old.expiresAtMs !== undefined && old.revokedAtMs === undefined
    const end = isKept ? `stays active until ${formatSeconds(old.expiresAtMs)}` : 'is revoked'
    call.note(`Key ${key.id} ("${key.name}") ${describeExpiry(key.expiresAtMs)}. The old key ${end}.`)
    call.note('Store the new key safely: it is not shown again.')
  },
})

/** Undefined for `never`. */
function expiryOf(expires: string | undefined, nowMs: number): number | undefined {
  return expires === undefined || expires === 'never' ? undefined : parseExpiry(expires, nowMs)
}
