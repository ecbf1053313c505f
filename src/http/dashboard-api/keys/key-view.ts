import type { ApiKey } from '../../../keys/key.ts'
import { isActive, keyState } from '../../../keys/key-state.ts'
import { DAY_MS } from '../../../lib/time.ts'
import type { KeyView } from '../../../shared/contract/keys.ts'

/** A key as its organization sees it: without the hash. */
export function viewKey(key: ApiKey, nowMs: number): KeyView {
  const { hash: _hash, organizationId: _organization, ...rest } = key
  return { ...rest, status: keyState(key, nowMs), hints: isActive(key, nowMs) ? hintsOf(key, nowMs) : [] }
}

function hintsOf({ createdAtMs, lastUsedAtMs }: ApiKey, nowMs: number): KeyView['hints'] {
  if (lastUsedAtMs === undefined) return nowMs - createdAtMs > 7 * DAY_MS ? ['unused'] : []
  return nowMs - lastUsedAtMs > 30 * DAY_MS ? ['idle'] : []
}
