import { DAY_MS } from '../lib/time.ts'
import type { ApiKey } from './key.ts'

/** `expiring` keys are accepted, but expire within 14 days. */
export type KeyState = 'active' | 'expiring' | 'expired' | 'revoked'

const EXPIRING_MS = 14 * DAY_MS

export function keyState(key: ApiKey, nowMs: number): KeyState {
  if (key.revokedAtMs !== undefined) return 'revoked'
  const leftMs = inactiveFromMs(key) - nowMs
  if (leftMs <= 0) return 'expired'
  return leftMs < EXPIRING_MS ? 'expiring' : 'active'
}

/** True if requests with the key are accepted. */
export function isActive(key: ApiKey, nowMs: number): boolean {
  return nowMs < inactiveFromMs(key)
}

/** The first moment at which requests with the key are rejected: its expiry, or -Infinity once it is revoked. */
export function inactiveFromMs({ revokedAtMs, expiresAtMs }: ApiKey): number {
  return revokedAtMs === undefined ? (expiresAtMs ?? Number.POSITIVE_INFINITY) : Number.NEGATIVE_INFINITY
}
