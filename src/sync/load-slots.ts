import { collectGarbage } from '../lib/collect-garbage.ts'
import type { IndexBuilder } from '../slot-index/index-builder.ts'
import { noNumbers, type PackedSlots } from '../slot-index/packed-slots.ts'
import { divideByStart, type MinuteRange, sliceByStart } from '../slot-index/runs/build-range.ts'
import type { SortedRows } from '../slot-index/runs/build-run.ts'
import type { Levels, RunContext, RunState } from '../slot-index/runs/levels.ts'
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
  /** Before `takeBlocks()`. */
  takeContext(context: RunContext): Promise<void>
  /** Before `build()`: replaces the blocks before. */
  takeBlocks(blocks: readonly SortedRows[]): Promise<void>
  build(range: MinuteRange): Promise<readonly Run[]>
  close(): Promise<void>
}

/** From so many keys on, the threads save more time than they need to start. */
export const LOADERS_KEYS_MIN = 200_000
/** Slots that a thread reads at a time, at most: more gain nothing. */
const SLOTS_PER_RANGE_MAX = 250_000
/** Ranges for each thread, at least, so that all end at about the same time. */
const RANGES_MIN = 8
/** So that a range has four runs, although not all ranges are of one size. */
const ROWS_PER_RANGE = Math.floor(RUN_ROWS_MAX * 3.8)
/** So many rows are built before their blocks are freed and the next are built. */
const ROWS_PER_SLICE = 4_000_000
/** Blocks of some 2 MB that become garbage between two collections. */
const BLOCKS_PER_COLLECTION = 128
/** Bytes that a slot takes in addition when its run is built: runs replace the records of packed slots, slice by slice. */
const BUILT_SLOT_BYTES = 80
const OPEN_TRIES = 20

/** Opens all slots at one revision, in this thread and the others; undefined if there is always a commit in between. */
export async function openTogether(
  feed: RevisionFeed,
  loaders: readonly SlotLoader[],
): Promise<RevisionDelta | undefined> {
  for (let tries = 0; tries < OPEN_TRIES; tries++) {
    const changes = await feed.open(undefined)
    let isTogether = false
    try {
      const revisions = await Promise.all(loaders.map((loader) => loader.open()))
      isTogether = revisions.every((revision) => revision === changes.revision)
      if (isTogether) return changes
    } finally {
      if (!isTogether) await changes.close()
    }
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
  const ranges = rangesOf(changes.keysEnd, loaders.length)
  let [pending, leftOut] = [0, 0]
  let putting = Promise.resolve()
  const packing = withEach(loaders, async (loader) => {
    const numbers = noNumbers()
    for (const keys of ranges) {
      if (await isFull(pending * BUILT_SLOT_BYTES)) {
        const count = await loader.count(keys)
        leftOut += count
        continue
      }
      const packed = await loader.pack(keys)
      const slots = packed.blocks.flat().reduce((sum, { count }) => sum + count, 0)
      pending += slots
      // One after the other, while the thread packs the next slots.
      putting = putting.then(async () => {
        await putUnknownOfferings(change, packed.offered)
        builder.putPacked(packed, numbers)
      })
      putting.catch(() => undefined)
    }
  })
  // Also after an error: the caller closes the store and begins again with the builder.
  await packing.finally(() => putting)
  return leftOut
}

/**
 * Shared by all loops over it, and ended by the first that throws. The ranges do not grow where keys of an old store are of slots that
 * are gone: one would have most of the slots that follow.
 */
function* rangesOf(keysEnd: number, loaders: number): Generator<KeyRange> {
  const size = Math.min(SLOTS_PER_RANGE_MAX, Math.ceil(keysEnd / (loaders * RANGES_MIN)))
  for (let from = 0; from < keysEnd; from += size) yield { from, to: from + size }
}

async function buildAll(builder: IndexBuilder, loaders: readonly SlotLoader[]): Promise<void> {
  const { blocks, context } = builder.takeBlocks()
  await withEach(loaders, (loader) => loader.takeContext(context))
  const levels: Levels[] = []
  for (const each of blocks) levels.push({ zero: [], one: await buildStatus(each, loaders) })
  builder.putBuilt(levels)
}

/** Builds the runs of one status, slice by slice. Empties `blocks`. */
async function buildStatus(blocks: SortedRows[], loaders: readonly SlotLoader[]): Promise<RunState[]> {
  const runs: Run[] = []
  if (blocks.length === 0) return []
  for (const rows of slicesOf(blocks)) {
    await withEach(loaders, (loader) => loader.takeBlocks(rows))
    const ranges = divideByStart(rows, ROWS_PER_RANGE)
    const built: (readonly Run[])[] = []
    const each = ranges.entries()
    await withEach(loaders, async (loader) => {
      for (const [n, range] of each) built[n] = await loader.build(range)
    })
    runs.push(...built.flat())
    // Their memory is free when all threads have collected it.
    rows.length = 0
    collectGarbage()
  }
  return runs.map((run) => ({ run, from: 0, gone: undefined }))
}

function slicesOf(blocks: SortedRows[]): SortedRows[][] {
  const steps = sliceByStart(blocks, ROWS_PER_SLICE)
  for (let n = 1; ; n++) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (n % BLOCKS_PER_COLLECTION === 0) collectGarbage()
  }
}

/** Lets each thread do its part; if one fails, when all have ended. */
async function withEach(loaders: readonly SlotLoader[], work: (loader: SlotLoader) => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled(loaders.map(work))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
