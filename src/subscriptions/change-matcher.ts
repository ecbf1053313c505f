import { nextTurn } from '../lib/next-turn.ts'
import { MANY_SLOTS_MIN } from '../shared/source-fields.ts'
import { EVENT_IDS_MAX } from '../shared/subscription-vocabulary.ts'
import { filterValuesOf } from '../slot/filter-values.ts'
import type { ChangeLogEntry, ChangeLogReader, LoggedCommit } from '../store/contracts/change-log.ts'
import type { InsertedSlot } from '../store/contracts/revision-feed.ts'
import type { FilterMatches, MatchedSlot, MatchKind } from '../store/contracts/subscription-matches.ts'
import type { RecentRemovals } from './recent-removals.ts'
import type { OfferingMatches, SharedFilters, SubscriptionIndex } from './subscription-index.ts'

interface ChangeMatcherOptions {
  readonly index: SubscriptionIndex
  readonly removals: RecentRemovals
  readonly log: ChangeLogReader
  readonly nowMs: number
}

/** Offerings that are matched in one turn of the event loop. */
const PER_TURN = 50

/** The two versions of a slot around a commit; the first also if it was removed shortly before. */
interface Transition {
  readonly row: ChangeLogEntry
  readonly before: InsertedSlot | undefined
  readonly after: InsertedSlot | undefined
  /** `before` was removed by an earlier commit. */
  readonly isReturn: boolean
}

/** Finds the filters that see the changes of a page of the log. Valid until the index changes. */
export class ChangeMatcher {
  readonly #options: ChangeMatcherOptions
  readonly #offerings = new Map<number, OfferingMatches>()

  constructor(options: ChangeMatcherOptions) {
    this.#options = options
  }

  /** The matches of consecutive rows of the log, of commits that include theirs. */
  async match(rows: readonly ChangeLogEntry[], commits: readonly LoggedCommit[]): Promise<FilterMatches[]> {
    const drafts = new MatchDrafts()
    const byRevision = new Map(commits.map((commit) => [commit.revision, commit]))
    const transitions = await this.#transitions(rows, byRevision)
    await this.#loadOfferings(transitions)
    for (const transition of transitions) {
      const commit = byRevision.get(transition.row.revision)
      if (commit !== undefined) this.#compare(transition, commit, drafts)
    }
    return drafts.end()
  }

  /** A version is read by its key if the log leaves it out: deleted ones, and those that a later commit has deleted. */
  async #transitions(
    rows: readonly ChangeLogEntry[],
    commits: ReadonlyMap<number, LoggedCommit>,
  ): Promise<Transition[]> {
    const { log, removals } = this.#options
    const found: { row: ChangeLogEntry; beforeKey: number | undefined; isReturn: boolean }[] = []
    const keys = new Set<number>()
    for (const row of rows) {
      if (row.phase === 'deleted' && row.changed) continue
      const removedKey = removals.follow(row, commits.get(row.revision)?.committedAtMs ?? 0)
      const beforeKey = row.phase === 'deleted' ? row.key : (row.replaces ?? removedKey)
      if (beforeKey !== undefined) keys.add(beforeKey)
      if (row.phase === 'inserted' && row.slot === undefined) keys.add(row.key)
      found.push({ row, beforeKey, isReturn: removedKey !== undefined })
    }
    const versions = await log.versions([...keys])
    return found.map(({ row, beforeKey, isReturn }) => {
      const before = beforeKey === undefined ? undefined : versions.get(beforeKey)
      const after = row.phase === 'deleted' ? undefined : (row.slot ?? versions.get(row.key))
      return { row, before, after, isReturn: isReturn && before !== undefined }
    })
  }

  async #loadOfferings(transitions: readonly Transition[]): Promise<void> {
    const { index, log } = this.#options
    const missing = new Set<number>()
    for (const { before, after } of transitions)
      for (const slot of [before, after])
        if (slot !== undefined && this.#mayMatch(slot) && !this.#offerings.has(slot.offeringId))
          missing.add(slot.offeringId)
    if (missing.size === 0) return
    for (const [n, { id, json }] of (await log.offerings([...missing])).entries()) {
      // Deliveries share the thread.
      if (n % PER_TURN === PER_TURN - 1) await nextTurn()
      this.#offerings.set(id, index.matchOffering(filterValuesOf(JSON.parse(json))))
    }
  }

  #mayMatch({ status, endMs }: InsertedSlot): boolean {
    return status === 'free' && endMs > this.#options.nowMs
  }

  /** The first version of a changed slot must be known: else it may have matched already. */
  #compare({ row, before, after, isReturn }: Transition, commit: LoggedCommit, drafts: MatchDrafts): void {
    if (row.replaces !== undefined && before === undefined) return
    const matchedBefore = new Set(this.#matchesOf(before))
    const matches = this.#matchesOf(after)
    // Shared by all matches of the slot, of which there may be thousands.
    const found: Found = { slot: [row.id, row.startMs], commit }
    const kind = isFirst(commit) ? 'first-sync' : 'opened'
    for (const filters of matches) {
      if (matchedBefore.size === 0 || !matchedBefore.delete(filters)) drafts.add(filters, kind, found)
      else if (isReturn) drafts.add(filters, 'returned', found)
    }
    // The removal of a slot that returns otherwise than before was counted when it was removed.
    const gone = after === undefined ? 'removed' : 'closed'
    if (!isReturn) for (const filters of matchedBefore) drafts.add(filters, gone, found)
  }

  #matchesOf(slot: InsertedSlot | undefined): SharedFilters[] {
    if (slot === undefined || !this.#mayMatch(slot)) return []
    return this.#offerings.get(slot.offeringId)?.ofSlot(slot, this.#options.nowMs) ?? []
  }
}

/** The first snapshot of a source, or the first after a snapshot that lost all slots at once. */
function isFirst({ slotsBefore, slotsOnce = 0 }: LoggedCommit): boolean {
  return slotsBefore === undefined || (slotsBefore === 0 && slotsOnce >= MANY_SLOTS_MIN)
}

interface Found {
  readonly slot: MatchedSlot
  readonly commit: LoggedCommit
}

type MatchDraft = FilterMatches & { total: number; slots: MatchedSlot[] }

/** Matches by revision and kind, then by filters. */
class MatchDrafts {
  readonly #drafts = new Map<number, Partial<Record<MatchKind, Map<SharedFilters, MatchDraft>>>>()

  add(filters: SharedFilters, kind: MatchKind, { slot, commit }: Found): void {
    const { revision, sourceId } = commit
    const kinds = this.#drafts.get(revision) ?? {}
    this.#drafts.set(revision, kinds)
    kinds[kind] ??= new Map()
    let draft = kinds[kind].get(filters)
    if (draft === undefined) {
      draft = { filtersKey: filters.key, revision, kind, sourceId, total: 0, slots: [] }
      kinds[kind].set(filters, draft)
    }
    draft.total++
    if (draft.slots.length < EVENT_IDS_MAX) draft.slots.push(slot)
  }

  end(): FilterMatches[] {
    return [...this.#drafts.values()].flatMap((kinds) => Object.values(kinds).flatMap((drafts) => [...drafts.values()]))
  }
}
