import { randomMix } from './queries.ts'
import { median } from './report.ts'
import { type Bench, type Serving, serving } from './serving.ts'

const NODES_MAX = 3

/**
 * One, two and three nodes on one store, each with a separate load generator, without a proxy.
 *
 * All share this machine with the load generators and the database: with more processes than cores, the ratios are limited.
 */
export async function measureNodes(bench: Bench): Promise<void> {
  const nodes: Serving[] = []
  let alone = 0
  try {
    for (let count = 1; count <= NODES_MAX; count++) {
      nodes.push(await serving(bench, 'large'))
      const mix = await randomMix(1000, nodes[0].count, 2)
      await askAll(nodes, mix, 1)
      const rates: number[] = []
      const p99s: number[] = []
      for (let round = 0; round < bench.rounds; round++) {
        const results = await askAll(nodes, mix, bench.seconds)
        rates.push(results.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0))
        p99s.push(Math.max(...results.map(({ p99Ms }) => p99Ms)))
      }
      const rate = median(rates)
      if (count === 1) alone = rate
      const note = ` (${(rate / alone).toFixed(2)} of one; p99 ${median(p99s)} ms)`
      bench.report.known(`${count} ${count === 1 ? 'node' : 'nodes'}, mix of 1,000, requests/s in total`, rate, note)
    }
  } finally {
    for (const node of nodes) await node.stop()
  }
}

function askAll(nodes: readonly Serving[], mix: readonly string[], seconds: number) {
  return Promise.all(nodes.map((node) => node.load(mix, { seconds })))
}
