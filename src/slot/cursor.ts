// Hot path
import { clip, InvalidParameter } from './query-parameter.ts'
import { shortHash } from './short-hash.ts'

/** Where a page ended in the order of its list: the last slot that it held. */
export interface Position {
  readonly startMs: number
  /** 24 characters of base32hex. */
  readonly id: string
  /** From the point that `near` names; there if and only if that is what the list is sorted by. */
  readonly distanceKm?: number
}

/** Opaque text for callers: where a page ended, and of which question (by its name) it was a page. */
export function formatCursor({ startMs, id, distanceKm }: Position, question: string): string {
  return Buffer.from(`${markOf(question)}.${id}.${startMs}.${distanceKm ?? ''}`, 'latin1').toString(
    'base64url',
  )
}

/**
 * Where the page ended that a cursor came with. Throws `InvalidParameter` if it is not what `formatCursor()` made of the
 * same question.
 */
export function parseCursor(text: string, question: string): Position {
  const bytes = Buffer.from(text.slice(0, LENGTH_MAX), 'base64url')
  const parts = FORM.exec(bytes.toString('latin1'))?.groups
  // Node passes over what is no base64url.
  if (parts === undefined || bytes.toString('base64url') !== text)
    throw new InvalidParameter(
      'cursor',
      `cursor must be empty or the value in the Link header of the previous page: got "${clip(text)}".`,
    )
  if (parts.mark !== markOf(question))
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

/** Forty bits tell a caller's questions apart; nothing hangs on a cursor that was made up. */
function markOf(question: string): string {
  return shortHash(question).slice(0, 8)
}
