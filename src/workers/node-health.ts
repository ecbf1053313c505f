import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { NodeHealth } from '../http/node-query.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { MINUTE_MS } from '../lib/time.ts'
import type { SlotIndex } from '../slot-index/slot-index.ts'

/** Long enough for stable percentiles, short enough to describe the present. */
const WINDOW_MS = MINUTE_MS
/** The sampling interval of the event-loop delay. Measured values include it. */
const RESOLUTION_MS = 20

type Waits = NodeHealth['eventLoop']

/** Measures this node's health: memory, contents, and the event-loop delay of the main thread. */
export class NodeWatch {
  readonly #delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  readonly #startedAtMs = Date.now()
  readonly #turning: NodeJS.Timeout
  #lastWindow: Waits | undefined

  constructor() {
    this.#delays.enable()
    this.#turning = setInterval(() => this.#turn(), WINDOW_MS).unref()
  }

  health({
    index,
    keyRing,
    isReady,
  }: {
    index: SlotIndex
    keyRing: KeyRing
    isReady: () => boolean
  }): NodeHealth {
    const { rss, heapUsed, external } = process.memoryUsage()
    return {
      nodeVersion: process.version,
      startedAtMs: this.#startedAtMs,
      ready: isReady(),
      slots: index.length,
      keys: keyRing.size,
      memory: { rssBytes: rss, heapBytes: heapUsed, externalBytes: external },
      eventLoop: this.#lastWindow ?? waitsOf(this.#delays),
    }
  }

  stop(): void {
    clearInterval(this.#turning)
    this.#delays.disable()
  }

  #turn(): void {
    this.#lastWindow = waitsOf(this.#delays)
    this.#delays.reset()
  }
}

function waitsOf(delays: ReturnType<typeof monitorEventLoopDelay>): Waits {
  const waitMs = (percentile: number) =>
    Math.max(0, Math.round((delays.percentile(percentile) / 1e6 - RESOLUTION_MS) * 1000) / 1000)
  return { p50Ms: waitMs(50), p99Ms: waitMs(99) }
}
