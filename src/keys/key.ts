import { DAY_MS } from '../lib/time.ts'

/** An API key as stored: without the secret, of which only the hash is stored. */
export interface ApiKey {
  readonly id: string
  readonly organizationId: string
  readonly name: string
  /** What the key is for, as people wrote it. */
  readonly note?: string
  /** The only networks from which requests are accepted, as `parseNetwork()` writes them; absent: all. */
  readonly networks?: readonly string[]
  /** SHA-256 of the whole key, 64 hexadecimal digits. */
  readonly hash: string
  /** The key's last 4 characters, for display. */
  readonly lastFour: string
  readonly createdAtMs: number
  /** An email address, or `command line`. */
  readonly createdBy?: string
  /** The id of the key that replaced it. */
  readonly replacedBy?: string
  readonly expiresAtMs?: number
  readonly revokedAtMs?: number
  readonly revokedReason?: string
  /** As of the last drain of the usage meter, a second or two ago. */
  readonly lastUsedAtMs?: number
  /** Grows with each change of the key; absent before the key is stored. */
  readonly revision?: number
  /** In `changedSince()` and the like: the last suspension or resumption of its organization. */
  readonly organizationState?: OrganizationState
}

/** Whether an organization is suspended. Of two states, the one with the higher revision is current. */
export interface OrganizationState {
  readonly revision: number
  readonly suspended: boolean
}

/** `expiring` keys are accepted, but expire within 14 days. */
type KeyState = 'active' | 'expiring' | 'expired' | 'revoked'

export const EXPIRING_MS = 14 * DAY_MS

/** How far ahead a key can expire: ten years. */
export const EXPIRY_MS_MAX = 3653 * DAY_MS

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

/** The expiry of a key created now with the lifetime of this one, which an edit may have made longer than a new key's can be. */
export function renewedExpiry({ createdAtMs, expiresAtMs }: ApiKey, nowMs: number): number | undefined {
  return expiresAtMs === undefined ? undefined : nowMs + Math.min(expiresAtMs - createdAtMs, EXPIRY_MS_MAX)
}
