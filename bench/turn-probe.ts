import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

// Loaded into a service (`node --import`) before it starts. Measures how long the thread that serves is busy without a break, in CPU
// time, which other processes of the machine do not lengthen: what it used between two turns of a timer of 1 ms. Each SIGUSR2
// writes the percentiles since the last one to the file TURN_PROBE, in milliseconds.

const file = process.env.TURN_PROBE
if (isMainThread && file !== undefined) {
  let turns: number[] = []
  let usedBefore = usedMs()
  setInterval(() => {
    const used = usedMs()
    turns.push(used - usedBefore)
    usedBefore = used
  }, 1).unref()
  process.on('SIGUSR2', () => {
    const sorted = turns.sort((one, other) => one - other)
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]
    writeFileSync(file, JSON.stringify({ p50Ms: at(0.5), p99Ms: at(0.99), p999Ms: at(0.999), maxMs: at(1) }))
    turns = []
  })
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
