import { randomBytes } from 'node:crypto'
import { hashKey } from './hash-key.ts'
import type { ApiKey } from './key.ts'
import { formatBase62, KEY_PREFIX, keyChecksum, SECRET_LENGTH } from './key-form.ts'

/** A new key: `secret` is shown to its owner once and kept nowhere; `key` is what is stored. */
export interface MintedKey {
  readonly secret: string
  readonly key: ApiKey
}

/** Mints a key for an organization. `expiresAtMs` is the first moment at which it is refused. */
export function mintApiKey(
  owner: { organizationId: string; name: string; expiresAtMs?: number },
  nowMs: number,
): MintedKey {
  const secret = mintKey()
  const key = {
    id: `key_${randomBytes(10).toString('hex')}`,
    ...owner,
    hash: hashKey(secret),
    lastFour: lastFourOf(secret),
    createdAtMs: nowMs,
  }
  return { secret, key }
}

/**
 * A key's text: `svc_sk_`, 43 base62 characters that hold 256 random bits, and 6 that hold the CRC32 of all before.
 *
 * The checksum keeps no secret: it lets a mistyped or truncated key be refused without a look-up, and a scanner
 * tell a leaked key from a text that merely looks like one.
 */
export function mintKey(bits: Uint8Array = randomBytes(32)): string {
  const secret = formatBase62(BigInt(`0x${Buffer.from(bits).toString('hex')}`), SECRET_LENGTH)
  return KEY_PREFIX + secret + keyChecksum(KEY_PREFIX + secret)
}

/** What may be shown of a key for ever: its last 4 characters. At least 232 of the secret's 256 bits remain to be guessed. */
export function lastFourOf(key: string): string {
  return key.slice(-4)
}
