import { parseArgs } from 'node:util'
import { growthIn } from './judge-soak.ts'
import { soak } from './soak.ts'

// npm run soak -- --days 30
const { values } = parseArgs({ options: { days: { type: 'string', default: '30' } } })
const startedMs = performance.now()
const result = await soak(Number(values.days), ({ day, sizes }) => {
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1)
  const shown = Object.entries(sizes).map(
    ([name, size]) => `${name} ${size > 99_999 ? `${(size / 1e6).toFixed(1)} MB` : size}`,
  )
  console.log(`day ${day} after ${minutes} min: ${shown.join(', ')}`)
})
const growth = growthIn(result.samples)
console.log(JSON.stringify({ rows: result.samples.at(-1)?.rows, syncs: result.syncs, callers: result.callers }))
console.log(growth.length === 0 ? 'Everything was flat.' : growth.join('\n'))
for (const error of result.errors) console.log(`error: ${error}`)
process.exitCode = growth.length === 0 && result.errors.length === 0 ? 0 : 1
