import { parseArgs } from 'node:util'
import type { Disaster } from './disasters.ts'
import { torture } from './run-torture.ts'
import { openStreamingSite } from './streaming-site.ts'

// npm run torture -- --seconds 60 --reach proxy|hosts --disasters node,database,both
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    reach: { type: 'string', default: 'proxy' },
    disasters: { type: 'string', default: 'node,database,node,both,node,node,database' },
  },
})
const reach = values.reach === 'hosts' ? 'hosts' : 'proxy'
await using site = await openStreamingSite(reach, values.disasters.split(',').map(parseDisaster))
process.exitCode = (await torture(site, Number(values.seconds))) ? 0 : 1

function parseDisaster(text: string): Disaster {
  if (text === 'node' || text === 'database' || text === 'both') return text
  throw new Error(`Cannot torture: --disasters must be of node, database and both: got "${text}"`)
}
