import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../test/support/free-port.ts'
import { processorMs, residentBytes, start, untilReady } from './processes.ts'
import { type Bench, serve, storeOf } from './serving.ts'

/** V8 reduces the heap of a node that has just started in this time. */
const SETTLED_MS = 20_000
/** A node that has just started takes more CPU time: V8 goes on compiling in its own threads. */
const RESTING_MS = 40_000
const IDLE_MS = 60_000

/** A node without slots: memory, time to start and CPU time at rest, beside a bare `node:http` server. */
export async function measureEmpty(bench: Bench): Promise<void> {
  const store = await storeOf(bench, 'empty')
  const port = await freePort()
  // The first start creates the store.
  const first = await serve(store, port)
  await untilReady(port)
  await first.stop()
  const startedMs = performance.now()
  const node = await serve(store, port)
  await untilReady(port)
  const seconds = (performance.now() - startedMs) / 1000
  const bare = await start(['bench/bare-server.ts', '--port', `${await freePort()}`, '--bytes', '100'])
  try {
    await pause(SETTLED_MS)
    const [bytes, bareBytes] = [await residentBytes(node.child), await residentBytes(bare.child)]
    bench.report.atMost('empty node, MB', bytes / 1e6, 150, ` (${(bytes / bareBytes).toFixed(2)} of a bare server)`)
    await pause(RESTING_MS)
    const before = await processorMs(node)
    await pause(IDLE_MS)
    const msPerSecond = ((await processorMs(node)) - before) / (IDLE_MS / 1000)
    bench.report.atMost('empty node at rest, ms of CPU time per second', msPerSecond, 10)
    bench.report.atMost('start until ready, s', seconds, 1)
    for (const path of ['/', '/docs', '/app', '/api/me']) await (await fetch(`http://127.0.0.1:${port}${path}`)).text()
    await pause(SETTLED_MS)
    bench.report.known(
      'the same after pages and the dashboard API were used, MB',
      (await residentBytes(node.child)) / 1e6,
    )
  } finally {
    await bare.stop()
    await node.stop()
  }
}
