import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { threadClock } from './thread-clock.ts'

// Loaded into a service (`node --import`) before it starts. Measures how long the thread that serves is busy without a break, in CPU
// time, which other processes of the machine do not lengthen: what it used from one turn of its event loop to the next. Each SIGUSR2
// writes the percentiles since the last one to the file TURN_PROBE, in milliseconds.

const file = process.env.TURN_PROBE
if (isMainThread && file !== undefined) {
  const usedMs = threadClock()
  let turns: number[] = []
  let usedBefore = usedMs()
  const onTurn = () => {
    const used = usedMs()
    turns.push(used - usedBefore)
    usedBefore = used
    // Without a reference, it waits for the next turn and does not cause it.
    setImmediate(onTurn).unref()
  }
  onTurn()
  process.on('SIGUSR2', () => {
    const sorted = Float64Array.from(turns).sort()
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]
    writeFileSync(file, JSON.stringify({ p50Ms: at(0.5), p99Ms: at(0.99), p999Ms: at(0.999), maxMs: at(1) }))
    turns = []
    usedBefore = usedMs()
  })
}
