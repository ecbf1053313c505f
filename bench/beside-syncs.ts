import { setTimeout as pause } from 'node:timers/promises'
import { Caller, plainPath } from '../test/support/caller-load.ts'
import { type Running, slotsCommand, start } from './processes.ts'
import { type Bench, serving, storeOf } from './serving.ts'

const PLAIN = { connections: 4, pathOf: plainPath, pauseMs: 2 }

/** New sources that are synced at once. */
const COUNTS = [1, 4]

/** p50 and p99 of a caller of plain pages while the node syncs new sources, until the last slot is served, beside the same alone. */
export async function measureBesideSyncs(bench: Bench): Promise<void> {
  const node = await serving(bench, 'large')
  const publishers: Running[] = []
  const plain = new Caller({ ...PLAIN, origin: `http://127.0.0.1:${node.port}`, headers: { 'x-api-key': node.key } })
  try {
    const slots = String(Math.ceil(bench.slots / 10))
    for (const [round, count] of COUNTS.entries()) {
      const slugs = Array.from({ length: count }, (_, n) => `beside-${round}-${n}`)
      const urls: string[] = []
      for (const _ of slugs) {
        const publisher = await start(['bench/publisher.ts', '--slots', slots, '--seed', String(publishers.length + 2)])
        publishers.push(publisher)
        urls.push(publisher.firstLine)
      }
      await pause(1000)
      plain.take()
      await pause(bench.seconds * 1000)
      const alone = plain.take()
      const startedMs = performance.now()
      for (const [n, slug] of slugs.entries())
        await slotsCommand(await storeOf(bench, 'large'), 'source', 'add', slug, urls[n])
      for (const slug of slugs) while ((await node.count(`publisher=${slug}`)) === 0) await pause(100)
      const tookMs = performance.now() - startedMs
      const beside = plain.take()
      const ms = (figure: number) => figure.toFixed(1)
      const note =
        ` (p50 ${ms(alone.p50Ms)} and ${ms(beside.p50Ms)} ms, p99 ${ms(alone.p99Ms)} and ${ms(beside.p99Ms)} ms;` +
        ` ${slots} slots each, ${ms(tookMs / 1000)} s)`
      bench.report.known(`p99 beside ${count} first syncs, relative to alone`, beside.p99Ms / alone.p99Ms, note)
    }
  } finally {
    await plain.stop()
    for (const running of [...publishers, node]) await running.stop()
  }
}
