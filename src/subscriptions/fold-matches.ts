import { EVENT_IDS_MAX } from '../shared/subscription-vocabulary.ts'
import type { FilterMatches, MatchedSlot, MatchKind } from '../store/contracts/subscription-matches.ts'

/** The transitions of a slot, as far as later ones and the announcement depend on them. */
interface FoldedSlot {
  readonly startMs: number
  readonly first: MatchKind
  isOpen: boolean
  isFirstSync: boolean
  hasReturned: boolean
}

/**
 * Merges the matches of consecutive commits, in order of revision: `netMatches()` makes the same of the result and any later matches as of
 * all, except that the span of revisions may be narrower and that held sources count differences. A source keeps three revisions.
 *
 *     transitions of a slot                at the first, second and last revision
 *     opened, …, closed, opened            opened
 *     opened, …, closed or removed         opened              removed
 *     closed or removed, …, opened         nothing
 *     closed or removed, …, closed         removed
 *     the same with a return               first     returned  removed, if it is not open
 *
 * Of more than `EVENT_IDS_MAX` slots only the number is kept.
 */
export function foldMatches(rows: readonly FilterMatches[]): FilterMatches[] {
  let left = EVENT_IDS_MAX
  return [...Map.groupBy(rows, ({ sourceId }) => sourceId).values()].flatMap((ofSource) => {
    const revisions = [...new Set(ofSource.map(({ revision }) => revision))]
    const last = revisions.at(-1)
    if (last === undefined || revisions.length <= 3) return ofSource
    const drafts = new FoldedRows(ofSource[0], [revisions[0], revisions[1], last])
    for (const { kind, total, slots } of ofSource) drafts.count(0, kind, total - slots.length)
    for (const [id, slot] of slotsOf(ofSource)) {
      const kinds = kindsOf(slot)
      if (kinds.every((kind) => kind === undefined)) continue
      if (left-- > 0) for (const [at, kind] of kinds.entries()) drafts.add(at, kind, [id, slot.startMs])
      else drafts.count(0, netKind(slot), 1)
    }
    return drafts.end()
  })
}

function slotsOf(rows: readonly FilterMatches[]): Map<string, FoldedSlot> {
  const found = new Map<string, FoldedSlot>()
  for (const { kind, slots } of rows) {
    for (const [id, startMs] of slots) {
      const slot = found.get(id) ?? { startMs, first: kind, isOpen: false, isFirstSync: false, hasReturned: false }
      found.set(id, slot)
      slot.isOpen = OPENING.has(kind)
      if (kind === 'returned') slot.hasReturned = true
      else if (slot.isOpen) slot.isFirstSync = kind === 'first-sync'
    }
  }
  return found
}

const OPENING: ReadonlySet<MatchKind> = new Set(['opened', 'first-sync', 'returned'])

type Kinds = readonly [first: MatchKind | undefined, second?: MatchKind | undefined, last?: MatchKind | undefined]

/** The fewest transitions with the same outcome. */
function kindsOf({ first, isOpen, isFirstSync, hasReturned }: FoldedSlot): Kinds {
  const last = isOpen ? undefined : 'removed'
  if (first === 'returned') return [first, isFirstSync ? 'first-sync' : undefined, last]
  const second = hasReturned ? 'returned' : undefined
  if (OPENING.has(first)) return [isFirstSync ? 'first-sync' : 'opened', second, last]
  if (hasReturned) return ['removed', second, last]
  return [last]
}

/** The transition as which a slot is counted; undefined if it is as it was. */
function netKind({ first, isOpen, isFirstSync, hasReturned }: FoldedSlot): MatchKind | undefined {
  const wasOpen = !OPENING.has(first)
  if (wasOpen === isOpen) return hasReturned ? 'returned' : undefined
  if (!isOpen) return 'removed'
  if (first === 'returned') return first
  return isFirstSync ? 'first-sync' : 'opened'
}

/** The rows of a source at three of its revisions. */
class FoldedRows {
  readonly #source: Pick<FilterMatches, 'filtersKey' | 'sourceId'>
  readonly #revisions: readonly number[]
  readonly #rows = new Map<string, FilterMatches & { total: number; slots: MatchedSlot[] }>()

  constructor({ filtersKey, sourceId }: FilterMatches, revisions: readonly [number, number, number]) {
    this.#source = { filtersKey, sourceId }
    this.#revisions = revisions
  }

  add(at: number, kind: MatchKind | undefined, slot: MatchedSlot): void {
    if (kind !== undefined) this.count(at, kind, 1)?.slots.push(slot)
  }

  /** Slots of which only the number is known. */
  count(at: number, kind: MatchKind | undefined, count: number): { readonly slots: MatchedSlot[] } | undefined {
    if (kind === undefined || count === 0) return undefined
    const name = `${at} ${kind}`
    const row = this.#rows.get(name) ?? { ...this.#source, revision: this.#revisions[at], kind, total: 0, slots: [] }
    this.#rows.set(name, row)
    row.total += count
    return row
  }

  end(): FilterMatches[] {
    return [...this.#rows.values()].sort((a, b) => a.revision - b.revision)
  }
}
