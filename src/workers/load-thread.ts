import { once } from 'node:events'
import { collectGarbage } from '../lib/collect-garbage.ts'
import { SlotPacker } from '../slot-index/packed-slots.ts'
import { buildRange } from '../slot-index/runs/build-range.ts'
import type { SortedRows } from '../slot-index/runs/build-run.ts'
import type { RunContext } from '../slot-index/runs/levels.ts'
import type { RevisionDelta } from '../store/contracts/revision-feed.ts'
import { openStore } from '../store/open-store.ts'
import { type LoadOperations, type LoadOptions, receivedBlocks } from './load-worker.ts'
import type { ParentOperations } from './supervised-worker.ts'
import { lowerPriority, openThread, threadOptions } from './thread-entry.ts'

// Thread entry: packs slots and builds runs for a follow thread that loads everything. Started by startLoaders().

const { databaseUrl, threads } = threadOptions<LoadOptions>()
const opening = openStore(databaseUrl)
let packer = new SlotPacker(threads)
let changes: RevisionDelta | undefined
let context: RunContext | undefined
let blocks: readonly SortedRows[] = []
const { stopping, close } = openThread<ParentOperations, LoadOperations>({
  async open() {
    const store = await opening
    await changes?.close()
    changes = await store.revisionFeed.open(undefined)
    packer = new SlotPacker(threads)
    return changes.revision
  },
  async pack(keys) {
    for await (const slots of opened(changes).insertedIn(keys)) packer.put(slots)
    return packer.take()
  },
  async count(keys) {
    let count = 0
    for await (const slots of opened(changes).insertedIn(keys)) count += slots.length
    return count
  },
  takeContext(received) {
    context = received
  },
  takeBlocks(received) {
    blocks = receivedBlocks(received)
    // The blocks before.
    collectGarbage()
  },
  build(range) {
    return buildRange(blocks, range, opened(context)).map(({ memory }) => memory)
  },
})

// A node that is serving comes first.
lowerPriority()
opening.catch(() => undefined)
if (!stopping.aborted) await once(stopping, 'abort')
await changes?.close()
await opening.then(
  (store) => store.close(),
  () => undefined,
)
close()

function opened<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Cannot load slots: nothing is open')
  return value
}
