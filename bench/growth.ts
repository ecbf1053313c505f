import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { settledBytes } from './measures.ts'
import { processorMs, type Running, slotsCommand, start } from './processes.ts'
import { type Bench, type Serving, serving, storeOf } from './serving.ts'

/** How long an idle node is observed. */
const IDLE_SECONDS = 20

/**
 * The cost of a store and a node by number of slots: prints one row of a Markdown table per size.
 *
 * Sizes are slots. Needs about 400 bytes of disk per slot for the feed, and twice that for the store during the sync.
 */
export async function measureGrowth(bench: Bench, sizes: readonly number[]): Promise<void> {
  console.log(`\n${bench.databases.kind}\n`)
  console.log(
    '| slots | first sync, s | 1 % changed, s | nothing changed, s | store, MB | node, MB | start, s | visible after, s | idle node, ms/s | transactions/s | load |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|---|---|')
  for (const slots of sizes) {
    const figures = await measureSize(bench, slots)
    const cells = [...figures, loadavg()[0]].map((figure) => String(Number(figure.toPrecision(3))))
    console.log(`| ${slots.toLocaleString('en-US')} | ${cells.join(' | ')} |`)
  }
}

async function measureSize(bench: Bench, slots: number): Promise<number[]> {
  const publisher = await start(['bench/publisher.ts', '--slots', String(slots)])
  const name = `growth-${slots}`
  const store = await storeOf(bench, name)
  try {
    await slotsCommand(store, 'source', 'add', 'bench', publisher.firstLine, '--every', '1440')
    const syncs = [await syncSeconds(store)]
    await change(publisher)
    syncs.push(await syncSeconds(store), await syncSeconds(store))
    const storeMb = (await bench.databases.bytes(name)) / 1e6
    const node = await serving(bench, name)
    try {
      const nodeMb = (await settledBytes(node)) / 1e6
      const idle = await watchIdle(bench, name, node)
      await change(publisher)
      const visible = await visibleSeconds(store, node)
      return [...syncs, storeMb, nodeMb, node.readyMs / 1000, visible, ...idle]
    } finally {
      await node.stop()
    }
  } finally {
    await publisher.stop()
  }
}

async function syncSeconds(store: Record<string, string>): Promise<number> {
  const { durationMs } = (await slotsCommand(store, 'sync', 'bench')) as { durationMs: number }
  return durationMs / 1000
}

async function change(publisher: Running): Promise<void> {
  await fetch(new URL('/__change?share=0.01', publisher.firstLine), { method: 'POST' })
}

/** CPU milliseconds and database transactions per second while idle. */
async function watchIdle(bench: Bench, name: string, node: Running): Promise<[number, number]> {
  const before = [await processorMs(node), await bench.databases.transactions(name)]
  await pause(IDLE_SECONDS * 1000)
  const after = [await processorMs(node), await bench.databases.transactions(name)]
  return [(after[0] - before[0]) / IDLE_SECONDS, (after[1] - before[1]) / IDLE_SECONDS]
}

/** From the end of a sync in another process until the node serves it. */
async function visibleSeconds(store: Record<string, string>, node: Serving): Promise<number> {
  const before = await node.etag()
  await slotsCommand(store, 'sync', 'bench')
  const startedMs = performance.now()
  while ((await node.etag()) === before) await pause(10)
  return (performance.now() - startedMs) / 1000
}
