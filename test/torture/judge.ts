import type { SlotStatus } from '../../src/slot/slot.ts'
import type { FeedHistory, TrueSlot, Version } from './feed-history.ts'

/** What was asked. */
export interface Asked {
  readonly status: SlotStatus
  readonly state?: string
  readonly publisher?: string
  readonly limit: number
  readonly offset: number
}

/** What came. */
export interface Came {
  readonly slots: readonly {
    readonly publisher: string
    readonly start: string
    readonly status: string
    readonly bookingDeepLink: string
  }[]
  readonly total: number
}

/** By slug, the number of the oldest version that an answer may be of. */
export type Floor = ReadonlyMap<string, number>

/**
 * Whether a page is the exact answer of one version of each publisher's past, none older than `floor`: the slots, their
 * order, the offset and the total. Returns by slug the oldest version it can be of, and undefined if it is of none.
 */
export function judge(
  histories: readonly FeedHistory[],
  floor: Floor,
  { asked, came }: { asked: Asked; came: Came },
): Floor | undefined {
  if (came.slots.length !== Math.max(0, Math.min(asked.limit, came.total - asked.offset))) return undefined
  const concerned = histories.filter(({ slug }) => asked.publisher === undefined || slug === asked.publisher)
  const stretch = stretchOf(came)
  const choices = concerned.map((history) => {
    const published = came.slots.filter(({ publisher }) => publisher === history.slug)
    return fittingVersions(history, floor.get(history.slug) ?? 0, { asked, stretch, published })
  })
  const before = came.slots.length === 0 ? undefined : asked.offset
  return oldestOf(concerned, choices, { before, total: came.total })
}

/** From the first slot of a page to its last. */
interface Stretch {
  readonly fromMs: number
  readonly toMs: number
}

function stretchOf({ slots }: Came): Stretch | undefined {
  const starts = slots.map(({ start }) => Date.parse(start))
  if (starts.length === 0) return undefined
  // A page out of order has a stretch that does not hold its own slots, and so fits no version.
  return { fromMs: starts[0], toMs: starts[starts.length - 1] }
}

/** A version that offers exactly what the page shows of its publisher, and what else of it then counts. */
interface Fitting {
  readonly number: number
  readonly before: number
  readonly total: number
}

function fittingVersions(
  history: FeedHistory,
  from: number,
  page: { asked: Asked; stretch: Stretch | undefined; published: Came['slots'] },
): Fitting[] {
  const fitting = new Map<string, Fitting>()
  for (let number = from; ; number++) {
    const version = history.find(number)
    if (version === undefined) return [...fitting.values()]
    const fits = fit(version, page)
    // Only what is summed matters: of versions that are alike in it, the oldest stands for all.
    if (fits !== undefined && !fitting.has(`${fits.before} ${fits.total}`)) {
      fitting.set(`${fits.before} ${fits.total}`, fits)
    }
  }
}

function fit(
  version: Version,
  { asked, stretch, published }: { asked: Asked; stretch: Stretch | undefined; published: Came['slots'] },
): Fitting | undefined {
  const slots = version.select(asked.status, asked.state)
  const { number } = version
  if (stretch === undefined) return { number, before: 0, total: slots.length }
  const before = countBefore(slots, stretch.fromMs)
  const isShown = published.every((slot, at) => isSame(slot, slots[before + at]))
  const next = slots[before + published.length]
  if (!isShown || (next !== undefined && next.startMs <= stretch.toMs)) return undefined
  return { number, before, total: slots.length }
}

function countBefore(slots: readonly TrueSlot[], startMs: number): number {
  let [low, high] = [0, slots.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (slots[middle].startMs < startMs) low = middle + 1
    else high = middle
  }
  return low
}

function isSame(slot: Came['slots'][number], truth: TrueSlot | undefined): boolean {
  return (
    truth !== undefined &&
    slot.bookingDeepLink === truth.bookingDeepLink &&
    slot.status === truth.status &&
    Date.parse(slot.start) === truth.startMs
  )
}

/** Of all ways to choose a version of each publisher that add up to the page, the oldest version that each occurs in. */
function oldestOf(
  histories: readonly FeedHistory[],
  choices: readonly (readonly Fitting[])[],
  sum: { before: number | undefined; total: number },
): Floor | undefined {
  const oldest = new Map<string, number>()
  const chosen: Fitting[] = []
  const choose = (at: number, before: number, total: number) => {
    if (total > sum.total || (sum.before !== undefined && before > sum.before)) return
    if (at < choices.length) {
      for (const fitting of choices[at]) {
        chosen[at] = fitting
        choose(at + 1, before + fitting.before, total + fitting.total)
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
