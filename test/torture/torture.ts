import { parseArgs } from 'node:util'
import { torture } from './run-torture.ts'

// npm run torture -- --seconds 60 --reach proxy|hosts
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    reach: { type: 'string', default: 'proxy' },
  },
})
process.exitCode = (await torture(Number(values.seconds), values.reach === 'hosts' ? 'hosts' : 'proxy'))
  ? 0
  : 1
