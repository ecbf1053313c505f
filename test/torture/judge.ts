import type { SlotStatus } from '../../src/slot/slot.ts'
import type { FeedHistory, PublishedSlot, Version } from './feed-history.ts'

/** The request for a page of the list. */
export interface RequestedPage {
  readonly status: SlotStatus
  readonly state?: string
  readonly publisher?: string
  readonly limit: number
  readonly offset: number
}

/** The response. */
export interface ServedPage {
  readonly slots: readonly {
    readonly publisher: string
    readonly start: string
    readonly status: string
    readonly bookingDeepLink: string
  }[]
  readonly total: number
}

/** By slug, the number of the oldest version that a page may be of. */
export type Floor = ReadonlyMap<string, number>

/**
 * Finds a version of each publisher, none older than `floor`, for which a page is exactly right: its slots, their order, the offset and
 * the total. Returns by slug the oldest version that it can be of; undefined if there are none.
 */
export function judge(
  histories: readonly FeedHistory[],
  floor: Floor,
  { request, page }: { request: RequestedPage; page: ServedPage },
): Floor | undefined {
  if (page.slots.length !== Math.max(0, Math.min(request.limit, page.total - request.offset))) return undefined
  const concerned = histories.filter(({ slug }) => request.publisher === undefined || slug === request.publisher)
  const span = spanOf(page)
  const choices = concerned.map((history) => {
    const published = page.slots.filter(({ publisher }) => publisher === history.slug)
    return matchingVersions(history, floor.get(history.slug) ?? 0, { request, span, published })
  })
  const before = page.slots.length === 0 ? undefined : request.offset
  return oldestOf(concerned, choices, { before, total: page.total })
}

/** The time from the first slot of a page to its last. */
interface Span {
  readonly fromMs: number
  readonly toMs: number
}

function spanOf({ slots }: ServedPage): Span | undefined {
  const starts = slots.map(({ start }) => Date.parse(start))
  if (starts.length === 0) return undefined
  // The span of a page that is out of order does not contain all of its slots, so no version matches it.
  return { fromMs: starts[0], toMs: starts[starts.length - 1] }
}

/** A version with exactly the slots that the page has of its publisher, and how many of its slots are before the page and in all. */
interface MatchingVersion {
  readonly number: number
  readonly before: number
  readonly total: number
}

function matchingVersions(
  history: FeedHistory,
  from: number,
  shown: { request: RequestedPage; span: Span | undefined; published: ServedPage['slots'] },
): MatchingVersion[] {
  const matching = new Map<string, MatchingVersion>()
  for (let number = from; ; number++) {
    const version = history.find(number)
    if (version === undefined) return [...matching.values()]
    const match = matchOf(version, shown)
    // Only these sums matter, so of the versions that have the same, the oldest is enough.
    if (match !== undefined && !matching.has(`${match.before} ${match.total}`)) {
      matching.set(`${match.before} ${match.total}`, match)
    }
  }
}

function matchOf(
  version: Version,
  { request, span, published }: { request: RequestedPage; span: Span | undefined; published: ServedPage['slots'] },
): MatchingVersion | undefined {
  const slots = version.select(request.status, request.state)
  const { number } = version
  if (span === undefined) return { number, before: 0, total: slots.length }
  const before = countBefore(slots, span.fromMs)
  const isShown = published.every((slot, at) => isSame(slot, slots[before + at]))
  const next = slots[before + published.length]
  if (!isShown || (next !== undefined && next.startMs <= span.toMs)) return undefined
  return { number, before, total: slots.length }
}

function countBefore(slots: readonly PublishedSlot[], startMs: number): number {
  let [low, high] = [0, slots.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (slots[middle].startMs < startMs) low = middle + 1
    else high = middle
  }
  return low
}

function isSame(slot: ServedPage['slots'][number], truth: PublishedSlot | undefined): boolean {
  return (
    truth !== undefined &&
    slot.bookingDeepLink === truth.bookingDeepLink &&
    slot.status === truth.status &&
    Date.parse(slot.start) === truth.startMs
  )
}

/** The oldest version of each publisher in any choice of one version each whose sums are those of the page. */
function oldestOf(
  histories: readonly FeedHistory[],
  choices: readonly (readonly MatchingVersion[])[],
  sum: { before: number | undefined; total: number },
): Floor | undefined {
  const oldest = new Map<string, number>()
  const chosen: MatchingVersion[] = []
  const choose = (at: number, before: number, total: number) => {
    if (total > sum.total || (sum.before !== undefined && before > sum.before)) return
    if (at < choices.length) {
      for (const matching of choices[at]) {
        chosen[at] = matching
        choose(at + 1, before + matching.before, total + matching.total)
      }
      return
    }
    if (total !== sum.total || (sum.before !== undefined && before !== sum.before)) return
    for (const [place, { slug }] of histories.entries()) {
      oldest.set(slug, Math.min(oldest.get(slug) ?? Number.POSITIVE_INFINITY, chosen[place].number))
    }
  }
  choose(0, 0, 0)
  return oldest.size === 0 ? undefined : oldest
}
