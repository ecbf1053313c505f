import { Agent, type ClientRequest, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** A caller of the service: its connections, and the request that each sends next. */
export interface CallerLoad {
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  /** Path and query of the n-th request of the caller. */
  readonly pathOf: (n: number) => string
  /** Wait between a response and the next request of its connection. */
  readonly pauseMs?: number
}

/** Latencies of the responses with status 200, and the number of responses by status. */
export interface CallerResult {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly statuses: Readonly<Record<number, number>>
}

/** Sends requests until stopped. */
export class Caller {
  readonly #load: CallerLoad
  readonly #agent: Agent
  readonly #running: Promise<void>
  readonly #open = new Set<ClientRequest>()
  #latencies: number[] = []
  #statuses: Record<number, number> = {}
  #sent = 0
  #isStopped = false

  constructor(load: CallerLoad) {
    this.#load = load
    this.#agent = new Agent({ keepAlive: true, maxSockets: load.connections })
    this.#running = Promise.all(Array.from({ length: load.connections }, () => this.#run())).then(() => undefined)
  }

  /** What was measured since the last call. */
  take(): CallerResult {
    const sorted = this.#latencies.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
    const result = { p50Ms: at(0.5), p99Ms: at(0.99), statuses: this.#statuses }
    this.#latencies = []
    this.#statuses = {}
    return result
  }

  /** Aborts the requests that wait for a response. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const each of this.#open) each.destroy()
    await this.#running
    this.#agent.destroy()
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      await this.#ask(this.#load.pathOf(this.#sent++))
      if (this.#load.pauseMs !== undefined) await pause(this.#load.pauseMs)
    }
  }

  #ask(path: string): Promise<void> {
    const { origin, headers } = this.#load
    return new Promise((resolve) => {
      const startedMs = performance.now()
      const sent = request(`${origin}${path}`, { agent: this.#agent, headers })
      this.#open.add(sent)
      sent.once('close', () => {
        this.#open.delete(sent)
        resolve()
      })
      sent.once('error', () => undefined)
      sent.once('response', (response) => {
        const { statusCode = 0 } = response
        this.#statuses[statusCode] = (this.#statuses[statusCode] ?? 0) + 1
        response.once('error', () => undefined)
        response.once('end', () => {
          if (statusCode === 200) this.#latencies.push(performance.now() - startedMs)
        })
        response.resume()
      })
      sent.end()
    })
  }
}

/** Requests of which each costs a pass over the slots or the offerings; no two are equal. */
export const COSTLY_PATHS = {
  'facets, radius varied': (n) => `/v1/scheduling/facets?near=40.71,-74.01&radiusKm=${radiusOf(n)}`,
  'facets, duration, time and zone varied': (n) =>
    `/v1/scheduling/facets?minDurationMinutes=${1 + (n % 14)}&startAfter=${instantOf(n)}&timeZone=${ZONES[n % ZONES.length]}`,
  'actors by distance': (n) => `/v1/scheduling/actors?near=${pointOf(n)}&radiusKm=500&sort=distance`,
  'slots by distance': (n) => `/v1/scheduling/slots?near=${pointOf(n)}&radiusKm=500&sort=distance`,
  // A search of the dashboard by day.
  Explore: (n) => `/api/explore/days?near=${pointOf(n)}&radiusKm=500`,
} as const satisfies Record<string, (n: number) => string>

export type CostlyPath = keyof typeof COSTLY_PATHS

/** Plain pages: a state and an offset. */
export function plainPath(n: number): string {
  return `/v1/scheduling/slots?state=${['CA', 'TX', 'FL', 'NY'][n % 4]}&offset=${(n * 37) % 500}`
}

const ZONES = ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles', 'Asia/Kathmandu']

function radiusOf(n: number): string {
  return (100 + (n % 4000) / 10).toFixed(1)
}

function instantOf(n: number): string {
  return new Date(Date.UTC(2020, 0, 1) + n * 1000).toISOString()
}

function pointOf(n: number): string {
  return `${(30 + (n % 1500) / 100).toFixed(2)},${(-120 + (Math.floor(n / 7) % 4500) / 100).toFixed(2)}`
}
