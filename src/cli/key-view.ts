import type { ApiKey } from '../keys/key.ts'
import { KEY_PREFIX } from '../keys/key-ring.ts'
import { type KeyState, keyState } from '../keys/key-state.ts'
import { formatInstant, formatSeconds, formatTable } from './table.ts'

/** A key without its hash, as commands print it. */
export interface PrintedKey {
  readonly id: string
  readonly org: string
  readonly name: string
  readonly lastFour: string
  readonly status: KeyState
  readonly createdAt: string
  readonly lastUsedAt?: string
  readonly expiresAt?: string
  readonly revokedAt?: string
  readonly revokedReason?: string
}

/** A key at a point in time. */
export function printedKey(key: ApiKey, org: string, nowMs: number): PrintedKey {
  return {
    id: key.id,
    org,
    name: key.name,
    lastFour: key.lastFour,
    status: keyState(key, nowMs),
    createdAt: formatInstant(key.createdAtMs),
    ...(key.lastUsedAtMs !== undefined && { lastUsedAt: formatInstant(key.lastUsedAtMs) }),
    ...(key.expiresAtMs !== undefined && { expiresAt: formatInstant(key.expiresAtMs) }),
    ...(key.revokedAtMs !== undefined && { revokedAt: formatInstant(key.revokedAtMs) }),
    ...(key.revokedReason !== undefined && { revokedReason: key.revokedReason }),
  }
}

/** Formats keys as a table. */
export function formatKeys(views: readonly PrintedKey[]): string {
  return formatTable(
    ['ID', 'KEY', 'STATUS', 'ORG', 'NAME', 'CREATED', 'LAST USED', 'EXPIRES', 'REASON'],
    views.map((view) => [
      view.id,
      `${KEY_PREFIX}…${view.lastFour}`,
      view.status,
      view.org,
      view.name,
      seconds(view.createdAt),
      seconds(view.lastUsedAt) ?? 'never',
      seconds(view.expiresAt) ?? 'never',
      view.revokedReason,
    ]),
  )
}

function seconds(instant: string | undefined): string | undefined {
  return instant === undefined ? undefined : formatSeconds(Date.parse(instant))
}
