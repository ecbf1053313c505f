import { parseArgs } from 'node:util'
import { torture } from '../run-torture.ts'
import { run } from './network.ts'
import { PATRONI_FAULTS } from './patroni-faults.ts'
import { openPatroniSite } from './patroni-site.ts'

// Runs in the namespaces of `isolated.ts`, which end with this process.
const { values } = parseArgs({ options: { seconds: { type: 'string' }, disasters: { type: 'string' } } })
const names = values.disasters?.split(',') ?? Object.keys(PATRONI_FAULTS)
for (const name of names) {
  if (name in PATRONI_FAULTS) continue
  const known = Object.keys(PATRONI_FAULTS).join(', ')
  throw new Error(`Cannot torture: --disasters must be of ${known}: got "${name}"`)
}
// For the names of network namespaces, and for the disks.
await run('mount', '-t', 'tmpfs', 'tmpfs', '/run')
const broken = await torture(
  await openPatroniSite(names.map((name) => PATRONI_FAULTS[name])),
  Number(values.seconds ?? 0),
)
process.exit(broken.length === 0 ? 0 : 1)
