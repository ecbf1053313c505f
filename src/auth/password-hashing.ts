import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { verifyPassword } from 'better-auth/crypto'
import { Semaphore } from '../lib/concurrency.ts'
import type { PasswordHashing } from './better-auth.ts'

/** OWASP Password Storage Cheat Sheet: scrypt with N = 2^17, r = 8 and p = 1. Each hash needs 128 MiB while it is computed. */
const LOG_N = 17
const PARAMETERS: ScryptOptions = { N: 2 ** LOG_N, r: 8, p: 1, maxmem: 160 * 2 ** 20 }
const PREFIX = `$scrypt$ln=${LOG_N},r=8,p=1$`
const SALT_BYTES = 16
const KEY_BYTES = 32

/** Bounds the memory: further passwords wait. */
const permits = new Semaphore(2)

const deriveKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/** Hashes passwords with scrypt, and verifies hashes of better-auth, too (N = 2^14, r = 16). */
export const scryptHashing: Required<PasswordHashing> = {
  async hash(password) {
    const salt = randomBytes(SALT_BYTES)
    return `${PREFIX}${salt.toString('base64url')}$${(await derive(password, salt)).toString('base64url')}`
  },

  async verify({ hash, password }) {
    if (!isCurrentHash(hash)) {
      // Takes as long as a new hash: the duration must not reveal how old the account is.
      const [isValid] = await Promise.all([
        verifyPassword({ hash, password }),
        derive(password, Buffer.alloc(SALT_BYTES)),
      ])
      return isValid
    }
    const [salt, key] = hash
      .slice(PREFIX.length)
      .split('$')
      .map((part) => Buffer.from(part, 'base64url'))
    return timingSafeEqual(await derive(password, salt), key)
  },
}

/** False for a hash with other parameters, which the next sign-in replaces. */
export function isCurrentHash(hash: string): boolean {
  return hash.startsWith(PREFIX)
}

/** Normalizes the password as better-auth does (NIST SP 800-63B, 3.1.1.2). */
function derive(password: string, salt: Buffer): Promise<Buffer> {
  return permits.run(() => deriveKey(password.normalize('NFKC'), salt, KEY_BYTES, PARAMETERS))
}
