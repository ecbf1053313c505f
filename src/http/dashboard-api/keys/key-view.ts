import type { ApiKey } from '../../../keys/key.ts'
import { DAY_MS } from '../../../lib/time.ts'
import type { KeyView } from '../../../shared/shapes.ts'

/** A key as its organization sees it: without the hash, and with what is to be noticed about it. */
export function viewKey(key: ApiKey, nowMs: number): KeyView {
  const { id, name, lastFour, createdAtMs, createdBy, expiresAtMs, lastUsedAtMs, revokedAtMs } = key
  return {
    id,
    name,
    lastFour,
    status: statusOf(key, nowMs),
    hints: isLive(key, nowMs) ? hintsOf(key, nowMs) : [],
    createdAtMs,
    ...(createdBy !== undefined && { createdBy }),
    ...(expiresAtMs !== undefined && { expiresAtMs }),
    ...(lastUsedAtMs !== undefined && { lastUsedAtMs }),
    ...(revokedAtMs !== undefined && { revokedAtMs }),
    ...(key.revokedReason !== undefined && { revokedReason: key.revokedReason }),
    ...(key.replacedBy !== undefined && { replacedBy: key.replacedBy }),
  }
}

/** True if requests with the key are let in. */
export function isLive(key: ApiKey, nowMs: number): boolean {
  return statusOf(key, nowMs) === 'active'
}

function statusOf({ revokedAtMs, expiresAtMs }: ApiKey, nowMs: number): KeyView['status'] {
  if (revokedAtMs !== undefined) return 'revoked'
  return expiresAtMs !== undefined && expiresAtMs <= nowMs ? 'expired' : 'active'
}

/** That a rotated key ends soon is what was asked for. */
function hintsOf(key: ApiKey, nowMs: number): KeyView['hints'] {
  const { createdAtMs, lastUsedAtMs, expiresAtMs, replacedBy } = key
  const hints: KeyView['hints'][number][] = []
  if (lastUsedAtMs === undefined && nowMs - createdAtMs > 7 * DAY_MS) hints.push('unused')
  if (lastUsedAtMs !== undefined && nowMs - lastUsedAtMs > 30 * DAY_MS) hints.push('idle')
  if (replacedBy === undefined && expiresAtMs !== undefined && expiresAtMs - nowMs < 14 * DAY_MS) {
    hints.push('expires-soon')
  }
  return hints
}
