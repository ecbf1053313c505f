import { DAY_MS } from '../src/lib/time.ts'
import { freePort } from '../test/support/free-port.ts'
import { start } from './processes.ts'
import { generator } from './queries.ts'
import { median } from './report.ts'
import { type Bench, type Serving, serving, storeOf } from './serving.ts'

const DAYS = 28
const QUESTIONS = 100_000
/** With the usual 64, a request waits for those of 63 other callers, so p99 is mostly the time in a queue. */
const FEW_CONNECTIONS = 8
/** Pages of 100 slots whose values the questions ask for. */
const SAMPLED_PAGES = 100

/**
 * The callers' mix, relative to a bare server, while a commit changes 1,000 slots every second: each request is different. A state, by
 * its number of slots, one or two of eight other filters, a day of the next 28, and an offset from 0 to 75. The bare server has one
 * thread; the service has one, then two, which on two cores share one of them with the load generator.
 */
export async function measureCallers(bench: Bench): Promise<void> {
  for (const threads of [1, 2]) {
    const large = await serving(bench, 'large', { WORKERS: String(threads) })
    try {
      await measureMix(bench, large, { store: 'large', threads })
    } finally {
      await large.stop()
    }
  }
}

/** The callers' mix at a service on the named store. */
export async function measureMix(
  bench: Bench,
  large: Serving,
  { store, threads }: { readonly store: string; readonly threads: number },
): Promise<void> {
  const changing = await start(['bench/changing-source.ts'], await storeOf(bench, store))
  const barePort = await freePort()
  const bare = await start(['bench/bare-server.ts', '--port', `${barePort}`, '--bytes', `${await large.pageBytes()}`])
  try {
    const searches = callersMix(await sampleSlots(large), QUESTIONS)
    await large.load(searches, { seconds: 1 })
    const rounds: { ratio: number; p99Ms: number; perSecond: number }[] = []
    for (let round = 0; round < bench.rounds; round++) {
      const base = await large.load(searches, { port: barePort })
      // Each round begins at another question: none is asked twice.
      const begin = Math.floor((round * QUESTIONS) / bench.rounds)
      const ours = await large.load([...searches.slice(begin), ...searches.slice(0, begin)])
      const perSecond = ours.requestsPerSecond
      rounds.push({ ratio: perSecond / base.requestsPerSecond, p99Ms: ours.p99Ms, perSecond })
    }
    const middle = (figure: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[figure]))
    const note = ` (${Math.round(middle('perSecond'))} requests/s, p99 ${middle('p99Ms')} ms)`
    const by = threads === 1 ? '' : `, ${threads} serving threads`
    const what = `callers' mix, 1,000 slots changing every second${by}, ratio to bare`
    bench.report.atLeast(what, middle('ratio'), 0.5, note)
    // From the end, since the rounds began elsewhere.
    const few = await large.load(searches.toReversed(), { connections: FEW_CONNECTIONS })
    const fewNote = ` (${Math.round(few.requestsPerSecond)} requests/s)`
    bench.report.atMost(`callers' mix${by}, ${FEW_CONNECTIONS} connections, p99, ms`, few.p99Ms, 5, fewNote)
  } finally {
    for (const running of [bare, changing]) await running.stop()
  }
}

/** The fields of a slot that the questions ask for. */
export interface SampledSlot {
  readonly start: string
  readonly serviceTypeCode?: string
  readonly location?: {
    readonly city?: string
    readonly state?: string
    readonly postalCode?: string
    readonly latitude?: number
    readonly longitude?: number
  }
  readonly serviceStates?: readonly string[]
  readonly provider?: { readonly specialty?: string }
}

/** Slots of all over the time that the service has slots for. */
export async function sampleSlots({ count, page }: Pick<Serving, 'count' | 'page'>): Promise<SampledSlot[]> {
  const total = await count('')
  const sampled: SampledSlot[] = []
  for (let n = 0; n < SAMPLED_PAGES; n++)
    sampled.push(...((await page(`limit=100&offset=${Math.floor((total * n) / SAMPLED_PAGES)}`)) as SampledSlot[]))
  return sampled
}

type Filter = (slot: SampledSlot, random: () => number) => string | undefined

/** Each filter besides state and day, with the value of a slot; undefined if the slot has none. */
export const FILTERS = {
  city: ({ location }) => location?.city && `city=${encodeURIComponent(location.city)}`,
  postalCode: ({ location }) => location?.postalCode && `postalCode=${location.postalCode}`,
  serviceTypeCode: ({ serviceTypeCode }) => serviceTypeCode && `serviceTypeCode=${serviceTypeCode}`,
  specialty: ({ provider }) => provider?.specialty && `specialty=${encodeURIComponent(provider.specialty)}`,
  near: ({ location: { latitude, longitude } = {} }, random) =>
    latitude === undefined ? undefined : `near=${nearby(latitude, random)},${nearby(longitude, random)}`,
  acceptingPatients: () => 'acceptingPatients=newpt',
  minDurationMinutes: (_slot, random) => `minDurationMinutes=${15 + Math.floor(random() * 16)}`,
  isVirtual: (_slot, random) => `isVirtual=${random() < 0.3}`,
} satisfies Record<string, Filter>

/** The filter by the state of a slot; undefined if it has none. */
export function stateOf({ location, serviceStates }: SampledSlot): string | undefined {
  const state = location?.state ?? serviceStates?.[0]
  return state && `state=${state}`
}

/** Within some kilometers, as a caller's own position. */
function nearby(degrees = 0, random: () => number): string {
  return (degrees + (random() - 0.5) / 10).toFixed(2)
}

/** Different questions, the values of each from one slot, so that most have an answer. */
export function callersMix(slots: readonly SampledSlot[], length: number, seed = 1): string[] {
  const random = generator(seed)
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]
  const filterKinds: readonly Filter[] = Object.values(FILTERS)
  return Array.from({ length }, () => {
    const slot = pick(slots)
    const filters = new Set([pick(filterKinds), ...(random() < 0.5 ? [pick(filterKinds)] : [])])
    const day = Math.floor(Date.now() / DAY_MS) + Math.floor(random() * DAYS)
    return [
      stateOf(slot),
      ...[...filters].map((filter) => filter(slot, random)),
      `startAfter=${new Date(day * DAY_MS).toISOString()}`,
      `startBefore=${new Date((day + 1) * DAY_MS).toISOString()}`,
      `offset=${Math.floor(random() * 76)}`,
    ]
      .filter(Boolean)
      .join('&')
  })
}
