import { shortHash } from './ids.ts'
import { clip, InvalidParameter } from './query-parameter.ts'

/** A position in a list: that of the last slot of a page. */
export interface Position {
  readonly startMs: number
  /** 24 characters of base32hex. */
  readonly id: string
  /** From `near`; present if and only if the list is sorted by distance. */
  readonly distanceKm?: number
}

/** Encodes a position and the list that it belongs to as opaque text. `scope`: see `cursorScope()`. */
export function formatCursor({ startMs, id, distanceKm }: Position, scope: string): string {
  return Buffer.from(`${markOf(scope)}.${id}.${startMs}.${distanceKm ?? ''}`, 'latin1').toString('base64url')
}

/** The inverse of `formatCursor()` for the same scope. Throws `InvalidParameter` for any other text. */
export function parseCursor(text: string, scope: string): Position {
  const bytes = Buffer.from(text.slice(0, LENGTH_MAX), 'base64url')
  const parts = FORM.exec(bytes.toString('latin1'))?.groups
  // Node skips invalid characters of base64url.
  if (parts === undefined || bytes.toString('base64url') !== text)
    throw new InvalidParameter(
      'cursor',
      `cursor must be empty or the value in the Link header of the previous page: got "${clip(text)}".`,
    )
  if (parts.mark !== markOf(scope))
    throw new InvalidParameter(
      'cursor',
      `cursor must come from a page with the same filters and sort: got "${clip(text)}" from another list.`,
    )
  const position = { startMs: Number(parts.startMs), id: parts.id }
  return parts.distance === '' ? position : { ...position, distanceKm: Number(parts.distance) }
}

const LENGTH_MAX = 200
const FORM =
  /^(?<mark>[0-9a-v]{8})\.(?<id>[0-9a-v]{24})\.(?<startMs>-?\d{1,16})\.(?<distance>(?:\d{1,5}(?:\.\d{1,25})?(?:e-\d{1,3})?)?)$/

/** 40 bits distinguish the lists of one caller; a forged cursor does no harm. */
function markOf(scope: string): string {
  return shortHash(scope).slice(0, 8)
}
