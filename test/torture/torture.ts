import { parseArgs } from 'node:util'
import type { Disaster } from './disasters.ts'
import { patroniObstacle, runIsolated } from './patroni/isolated.ts'
import { torture } from './run-torture.ts'
import { openStreamingSite } from './streaming-site.ts'

// npm run torture -- --seconds 60 --reach proxy|hosts --disasters node,database,both
// npm run torture -- --patroni --minutes 10 --disasters switchover,kill
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    minutes: { type: 'string' },
    patroni: { type: 'boolean', default: false },
    reach: { type: 'string', default: 'proxy' },
    disasters: { type: 'string' },
  },
})
const seconds = values.minutes === undefined ? Number(values.seconds) : Number(values.minutes) * 60
process.exitCode = (await (values.patroni ? tortureOnPatroni() : tortureOnStandby())) ? 0 : 1

async function tortureOnPatroni(): Promise<boolean> {
  const obstacle = patroniObstacle()
  if (obstacle !== undefined) throw new Error(`Cannot torture: ${obstacle}`)
  return runIsolated([`--seconds=${seconds}`, ...(values.disasters ? [`--disasters=${values.disasters}`] : [])])
}

async function tortureOnStandby(): Promise<boolean> {
  const disasters = values.disasters ?? 'node,database,node,both,node,node,database'
  const reach = values.reach === 'hosts' ? 'hosts' : 'proxy'
  await using site = await openStreamingSite(reach, disasters.split(',').map(parseDisaster))
  return (await torture(site, seconds)).length === 0
}

function parseDisaster(text: string): Disaster {
  if (text === 'node' || text === 'database' || text === 'both') return text
  throw new Error(`Cannot torture: --disasters must be of node, database and both: got "${text}"`)
}
