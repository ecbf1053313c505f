import type { BlocksToBuild, IndexBuilder } from '../slot-index/index-builder.ts'
import { noNumbers, type PackedSlots } from '../slot-index/packed-slots.ts'
import { divideByStart, type MinuteRange } from '../slot-index/runs/build-range.ts'
import type { Run } from '../slot-index/runs/run.ts'
import { RUN_ROWS_MAX } from '../slot-index/runs/run-layout.ts'
import type { KeyRange, RevisionDelta, RevisionFeed } from '../store/contracts/revision-feed.ts'
import { putUnknownOfferings, type SlotChange } from './put-slots.ts'

/** A thread that helps to load all slots. */
export interface SlotLoader {
  /** Opens all slots as they are now, instead of those that are open. Returns their revision. */
  open(): Promise<number>
  /** Packs the slots with these keys. */
  pack(keys: KeyRange): Promise<PackedSlots>
  count(keys: KeyRange): Promise<number>
  /** Before `build()`. */
  takeBlocks(blocks: BlocksToBuild): Promise<void>
  build(range: StatusRange): Promise<readonly Run[]>
  close(): Promise<void>
}

/** Rows of one status. */
export interface StatusRange extends MinuteRange {
  readonly status: number
}

/** From so many keys on, the threads save more time than they need to start. */
export const LOADERS_KEYS_MIN = 200_000
/** Slots that a thread reads at a time, at most: more gain nothing. */
const SLOTS_PER_RANGE_MAX = 250_000
/** Ranges for each thread, at least, so that all end at about the same time. */
const RANGES_MIN = 8
/** So that a range has four runs, although not all ranges are of one size. */
const ROWS_PER_RANGE = Math.floor(RUN_ROWS_MAX * 3.8)
const OPEN_TRIES = 20

/** Opens all slots at one revision, in this thread and the others; undefined if there is always a commit in between. */
export async function openTogether(
  feed: RevisionFeed,
  loaders: readonly SlotLoader[],
): Promise<RevisionDelta | undefined> {
  for (let tries = 0; tries < OPEN_TRIES; tries++) {
    const changes = await feed.open(undefined)
    const revisions = await Promise.all(loaders.map((loader) => loader.open()))
    if (revisions.every((revision) => revision === changes.revision)) return changes
    await changes.close()
  }
  return undefined
}

/**
 * Loads all slots by several threads into a builder that has begun. Returns the number of slots that were left out.
 *
 *     each thread     pack the slots of a range of keys ─▶ …      build the runs of a range of starts ─▶ …
 *     this thread     put their offerings, renumber the rows      collect the runs
 */
export async function loadSlots(change: SlotChange, loaders: readonly SlotLoader[]): Promise<number> {
  const leftOut = await packAll(change, loaders)
  await buildAll(change.builder, loaders)
  return leftOut
}

async function packAll(change: SlotChange, loaders: readonly SlotLoader[]): Promise<number> {
  const { changes, builder, isFull } = change
  const ranges = new KeyRanges(changes.keysEnd, loaders.length)
  let [pending, leftOut] = [0, 0]
  let putting = Promise.resolve()
  await withEach(loaders, async (loader) => {
    const numbers = noNumbers()
    for (const keys of ranges.each) {
      if (await isFull(pending)) {
        const count = await loader.count(keys)
        leftOut += count
        continue
      }
      const packed = await loader.pack(keys)
      const slots = packed.blocks.flat().reduce((sum, { count }) => sum + count, 0)
      ranges.adapt(slots)
      pending += slots
      // One after the other, while the thread packs the next slots.
      putting = putting.then(async () => {
        await putUnknownOfferings(change, packed.offered)
        builder.putPacked(packed, numbers)
      })
      putting.catch(() => undefined)
    }
  })
  await putting
  return leftOut
}

/** Ranges of keys with about as many slots each: most keys of an old store are of slots that are gone. */
class KeyRanges {
  /** Shared by all loops over it, and ended by the first that throws. */
  readonly each: Iterable<KeyRange>
  readonly #slotsWanted: number
  #size: number

  constructor(keysEnd: number, loaders: number) {
    this.each = this.#ranges(keysEnd)
    this.#slotsWanted = Math.min(SLOTS_PER_RANGE_MAX, Math.ceil(keysEnd / (loaders * RANGES_MIN)))
    this.#size = this.#slotsWanted
  }

  /** `slots`: how many were in a range. */
  adapt(slots: number): void {
    if (slots < this.#slotsWanted / 4) this.#size *= 2
    else if (slots > this.#slotsWanted) this.#size = Math.ceil(this.#size / 2)
  }

  *#ranges(keysEnd: number): Generator<KeyRange> {
    for (let from = 0; from < keysEnd; ) {
      const to = from + this.#size
      yield { from, to }
      from = to
    }
  }
}

async function buildAll(builder: IndexBuilder, loaders: readonly SlotLoader[]): Promise<void> {
  const toBuild = builder.takeBlocks()
  await withEach(loaders, (loader) => loader.takeBlocks(toBuild))
  const ranges = toBuild.blocks.flatMap((blocks, status) =>
    divideByStart(blocks, ROWS_PER_RANGE).map((range) => ({ ...range, status })),
  )
  const built: (readonly Run[])[] = []
  const each = ranges.entries()
  await withEach(loaders, async (loader) => {
    for (const [n, range] of each) built[n] = await loader.build(range)
  })
  const runsOf = (status: number) => built.filter((_, n) => ranges[n].status === status).flat()
  builder.putBuilt(
    toBuild.blocks.map((_, status) => ({
      zero: [],
      one: runsOf(status).map((run) => ({ run, from: 0, gone: undefined })),
    })),
  )
}

/** Lets each thread do its part; if one fails, when all have ended. */
async function withEach(loaders: readonly SlotLoader[], work: (loader: SlotLoader) => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled(loaders.map(work))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
