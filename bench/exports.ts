import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { residentBytes } from './processes.ts'
import { randomMix } from './queries.ts'
import { median } from './report.ts'
import { type Bench, type Serving, serving } from './serving.ts'

const FORMS = [
  { name: 'NDJSON', accept: 'application/x-ndjson', goal: 300_000 },
  { name: 'CSV', accept: 'text/csv', goal: 300_000 },
] as const

/** Speed and memory of exports of all slots, and their effect on other requests. */
export async function measureExports(bench: Bench): Promise<void> {
  const large = await serving(bench, 'large')
  try {
    await exportAll(large, FORMS[0].accept)
    const before = await residentBytes(large.child)
    let peak = before
    const watch = setInterval(async () => {
      peak = Math.max(peak, await residentBytes(large.child))
    }, 20)
    for (const { name, accept, goal } of FORMS) {
      const rates: number[] = []
      for (let round = 0; round < bench.rounds; round++) rates.push(await exportAll(large, accept))
      bench.report.atLeast(`export as ${name}, slots/s`, median(rates), goal)
    }
    clearInterval(watch)
    bench.report.atMost('additional memory for exports, MB', (peak - before) / 1e6, 100)
    await measureBeside(bench, large)
  } finally {
    await large.stop()
  }
}

/** p99 of a mix during consecutive exports, relative to p99 without. */
async function measureBeside(bench: Bench, large: Serving): Promise<void> {
  const mix = await randomMix(1000, large.count, 4)
  await large.load(mix, { seconds: 1 })
  const ratios: number[] = []
  const notes: string[] = []
  for (let round = 0; round < bench.rounds; round++) {
    const rest = await large.load(mix)
    let isOver = false
    let exported = 0
    const exporting = (async () => {
      for (; !isOver; exported++) await exportAll(large, FORMS[0].accept)
    })()
    const busy = await large.load(mix)
    isOver = true
    await exporting
    ratios.push(busy.p99Ms / rest.p99Ms)
    notes.push(`${busy.p99Ms} and ${rest.p99Ms} ms, ${exported} exports`)
  }
  const name = 'p99 during consecutive exports, relative to p99 without'
  bench.report.atMost(name, median(ratios), 2, ` (${notes.join('; ')})`)
}

/** Reads and discards an export. Returns slots per second. */
async function exportAll({ port, key }: Serving, accept: string): Promise<number> {
  const startedMs = performance.now()
  const headers = { 'x-api-key': key, accept }
  const sent = request({ host: '127.0.0.1', port, path: '/v1/scheduling/slots', headers, agent: false })
  const [response] = (await once(sent.end(), 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  const total = Number(response.headers['slots-total'])
  return (total / (performance.now() - startedMs)) * 1000
}
