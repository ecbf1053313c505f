import { type ApiKey, keyState } from '../keys/key.ts'
import { KEY_PREFIX } from '../keys/key-ring.ts'
import { defined } from '../lib/optional.ts'
import { CommandError } from './command.ts'
import { PROGRAM } from './program.ts'
import { formatInstant, formatInstants, formatSeconds, formatTable } from './table.ts'

/** A key without its hash, as commands print it. */
type PrintedKey = ReturnType<typeof printedKey>

/** A key, and its state now. */
export function printedKey(key: ApiKey, org: string) {
  return {
    id: key.id,
    org,
    name: key.name,
    ...defined({ note: key.note, networks: key.networks }),
    lastFour: key.lastFour,
    status: keyState(key, Date.now()),
    createdAt: formatInstant(key.createdAtMs),
    ...formatInstants({ lastUsedAt: key.lastUsedAtMs, expiresAt: key.expiresAtMs, revokedAt: key.revokedAtMs }),
    ...defined({ revokedReason: key.revokedReason }),
  }
}

/** Throws `CommandError` if there is no key. */
export function foundKey(key: ApiKey | undefined, verb: string, id: string): ApiKey {
  if (key !== undefined) return key
  throw new CommandError(`Cannot ${verb} key: no key has the ID "${id}"\nAll keys: ${PROGRAM} key list`)
}

/** Formats keys as a table. */
export function formatKeys(views: readonly PrintedKey[], empty: string): string {
  return formatTable(
    views,
    {
      ID: (key) => key.id,
      KEY: (key) => `${KEY_PREFIX}…${key.lastFour}`,
      STATUS: (key) => key.status,
      ORG: (key) => key.org,
      NAME: (key) => key.name,
      CREATED: (key) => formatSeconds(key.createdAt),
      'LAST USED': (key) => (key.lastUsedAt === undefined ? 'never' : formatSeconds(key.lastUsedAt)),
      EXPIRES: (key) => (key.expiresAt === undefined ? 'never' : formatSeconds(key.expiresAt)),
      REASON: (key) => key.revokedReason,
    },
    empty,
  )
}
