import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findGenerator } from './load.ts'
import { measureLoading, measureServing, measureServingDuringSync, measureSyncs } from './measures.ts'
import { type Running, start } from './processes.ts'
import { Report } from './report.ts'

// npm run bench [-- --slots 1000000 --seconds 5 --rounds 3]: every figure that bench/RESULTS.md keeps, from one run.
// npm run bench -- --smoke: the same in half a minute, to see that it works; its figures mean nothing.

const { values } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    slots: { type: 'string' },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
  },
})
const size = {
  slots: Number(values.slots ?? (values.smoke ? 20_000 : 1_000_000)),
  seconds: Number(values.seconds ?? (values.smoke ? 1 : 5)),
  rounds: Number(values.rounds ?? (values.smoke ? 1 : 3)),
}

const folder = await mkdtemp(join(tmpdir(), 'slots-bench-'))
const publishers: Running[] = []
try {
  const generator = await findGenerator()
  const report = new Report(
    `${size.slots} slots, ${generator.name}, ${cpus().length} cores, node ${process.version}`,
  )
  const bench = { ...size, folder, generate: generator.generate, report }
  const large = await publish(size.slots)
  const small = await publish(Math.ceil(size.slots / 100))
  await measureSyncs(bench, large, small)
  await measureLoading(bench)
  await measureServing(bench)
  if (!values.smoke) await measureServingDuringSync(bench, large)
  report.print()
} finally {
  for (const publisher of publishers) await publisher.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Starts a publisher of so many slots and returns the address of its manifest. */
async function publish(slots: number): Promise<string> {
  const publisher = await start(['bench/publisher.ts', '--slots', String(slots)])
  publishers.push(publisher)
  return publisher.said
}
