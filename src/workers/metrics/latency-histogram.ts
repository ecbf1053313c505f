import { Histogram, type Registry } from 'prom-client'
import { LATENCY_BOUNDS_US } from '../../keys/latency.ts'

const US_PER_S = 1_000_000

/**
 * A histogram of what was counted elsewhere, by the bucket of `LATENCY_BOUNDS_US`: nothing has to be observed one by one.
 *
 * Its sum is reckoned from the middles of the buckets, so a mean that is taken from it is right to about a quarter.
 */
export class LatencyHistogram extends Histogram {
  readonly #form: { readonly name: string; readonly help: string }
  readonly #counts: () => ArrayLike<number>

  constructor(form: { name: string; help: string }, registry: Registry, counts: () => ArrayLike<number>) {
    super({ ...form, registers: [registry] })
    this.#form = form
    this.#counts = counts
  }

  /** What the registry asks for, instead of what would have been observed. */
  async getForPromString() {
    return { ...this.#form, type: 'histogram', aggregator: 'sum', values: [...this.#values()] }
  }

  *#values() {
    const { name } = this.#form
    const counts = this.#counts()
    let count = 0
    let sumUs = 0
    for (let bucket = 0; bucket < counts.length; bucket++) {
      count += counts[bucket]
      sumUs += counts[bucket] * middleUs(bucket)
      const le = bucket < LATENCY_BOUNDS_US.length ? LATENCY_BOUNDS_US[bucket] / US_PER_S : '+Inf'
      yield { metricName: `${name}_bucket`, labels: { le }, value: count }
    }
    yield { metricName: `${name}_sum`, labels: {}, value: sumUs / US_PER_S }
    yield { metricName: `${name}_count`, labels: {}, value: count }
  }
}

/** Of the open bucket, its lower end. */
function middleUs(bucket: number): number {
  const lower = bucket === 0 ? 0 : LATENCY_BOUNDS_US[bucket - 1]
  return bucket < LATENCY_BOUNDS_US.length ? (lower + LATENCY_BOUNDS_US[bucket]) / 2 : lower
}
