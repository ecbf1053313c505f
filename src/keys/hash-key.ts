import { hash } from 'node:crypto'

/**
 * SHA-256 of the whole key as 64 hexadecimal digits: all that is kept of the secret.
 *
 * Without salt or stretching it is enough: the secret is 256 random bits, so there is nothing to guess (ASVS 5.0,
 * 6.5.2), and the hash must be cheap because requests wait for it.
 */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex')
}
