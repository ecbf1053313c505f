import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { ApiKey } from './key.ts'
import { BASE62, CHECKSUM_LENGTH, hashKey, KEY_PREFIX, SECRET_LENGTH } from './key-ring.ts'

/** A new key: `secret` is shown once and not stored; `key` is stored. */
export interface MintedKey {
  readonly secret: string
  readonly key: ApiKey
}

/** Mints a key for an organization. `expiresAtMs` is the first instant at which it is rejected. */
export function mintApiKey(
  owner: Pick<ApiKey, 'organizationId' | 'name' | 'note' | 'networks' | 'expiresAtMs'>,
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
 * The text of a key: `svc_sk_`, 256 random bits as 43 base62 characters, and the CRC32 of both as 6. The checksum lets the service reject
 * mistyped keys without a lookup, and scanners recognize leaked keys.
 */
export function mintKey(bits: Uint8Array = randomBytes(32)): string {
  const secret = formatBase62(BigInt(`0x${Buffer.from(bits).toString('hex')}`), SECRET_LENGTH)
  return KEY_PREFIX + secret + keyChecksum(KEY_PREFIX + secret)
}

/** The part of a key that may be displayed: its last 4 characters. At least 232 of the 256 random bits stay secret. */
export function lastFourOf(key: string): string {
  return key.slice(-4)
}

/** The CRC32 of a key's prefix and secret, as 6 base62 characters. */
function keyChecksum(body: string): string {
  return formatBase62(BigInt(crc32(body)), CHECKSUM_LENGTH)
}

/** A number below 62^width as base62, padded with zeros to the width. */
export function formatBase62(value: bigint, width: number): string {
  let digits = ''
  for (let rest = value; rest > 0n; rest /= 62n) digits = BASE62.charAt(Number(rest % 62n)) + digits
  return digits.padStart(width, '0')
}
