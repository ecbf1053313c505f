import { parseSlotQuery } from '../src/slot/slot-query.ts'
import { firstTimeMs, measureRepeated } from './aggregates.ts'
import { sampleIndex } from './sample-index.ts'
import { type Bench, type Serving, serving } from './serving.ts'

const PATH = '/v1/scheduling/slots'
/** Pages per measured traversal: more than the cache could hold by chance. */
const WALK_PAGES = 1000

/** One filter each, from very selective to unselective; sample slots have all of these fields. */
const FILTERS: Readonly<Record<string, string>> = {
  'two states': 'state=CA&state=TX',
  'a city': 'city=Los%20Angeles',
  'a postal code of one digit': 'postalCode=0',
  'a specialty': 'specialty=Dermatology',
  'the most frequent specialty': 'specialty=General%20medicine',
  'a provider': 'providerNpi=1346271483',
  'a schedule': 'scheduleId=schedule-CA-12',
  'an actor': `actorKey=${'0'.repeat(24)}`,
  'new patients': 'acceptingPatients=newpt',
  'at least 30 minutes': 'minDurationMinutes=30',
  'the most frequent service type': 'serviceTypeCode=124',
  'an appointment type': 'appointmentType=CHECKUP',
  'two of twenty publishers': 'publisher=publisher-3&publisher=publisher-4',
}

const NEAR: Readonly<Record<string, string>> = {
  'New York': 'near=40.71,-74.01',
  'Los Angeles': 'near=34.05,-118.24',
  Boston: 'near=42.36,-71.06',
}

/** Repeated requests for slots without providers. */
const REPEATED = [
  'state=CA&state=TX',
  'city=Los%20Angeles',
  'serviceTypeCode=124',
  'minDurationMinutes=30',
  'near=40.71,-74.01',
  'near=40.71,-74.01&sort=distance',
  'state=CA&cursor=',
]

/** Filters, `near` and cursors: uncached cost in process, and speed of repeated requests. */
export async function measureFilters(bench: Bench): Promise<void> {
  measureFirstTimes(bench)
  const large = await serving(bench, 'large')
  try {
    // A smoke run needs only one.
    const searches = bench.seconds > 1 ? REPEATED : REPEATED.slice(0, 1)
    for (const search of searches) await measureRepeated(bench, large, { path: `${PATH}?${search}`, goal: 0.8 })
    await measureWalk(bench, large)
  } finally {
    await large.stop()
  }
}

function measureFirstTimes({ slots, rounds, report }: Bench): void {
  const nowMs = Date.now()
  const index = sampleIndex(slots, nowMs)
  const measure = (name: string, search: string, goalMs?: number) => {
    const query = parseSlotQuery(search)
    const ms = firstTimeMs(index, nowMs, rounds, () => index.select(query, nowMs))
    const note = ` (${index.select(query, nowMs).total.toLocaleString('en-US')} match)`
    if (goalMs === undefined) report.known(`${name} the first time, ms`, ms, note)
    else report.atMost(`${name} the first time, ms`, ms, goalMs, note)
  }
  for (const [name, search] of Object.entries(FILTERS)) measure(name, search, 5)
  for (const [city, search] of Object.entries(NEAR)) {
    measure(`25 km around ${city}`, search, 1)
    measure(`25 km around ${city}, nearest first,`, `${search}&sort=distance`)
  }
  measure('500 km around New York', 'near=40.71,-74.01&radiusKm=500')
}

/** Pages by cursor, relative to the same pages by offset. */
async function measureWalk(bench: Bench, large: Serving): Promise<void> {
  const cursors = ['cursor=']
  while (cursors.length < WALK_PAGES) {
    const response = await fetch(`http://127.0.0.1:${large.port}${PATH}?${cursors.at(-1)}`, {
      headers: { 'x-api-key': large.key },
    })
    await response.arrayBuffer()
    const next = /[?&](cursor=[\w-]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
    if (next === undefined) break
    cursors.push(next)
  }
  const offsets = cursors.map((_, page) => `offset=${page * 25}`)
  const speeds = []
  for (const searches of [offsets, cursors]) {
    await large.load(searches, { seconds: 1 })
    speeds.push((await large.load(searches)).requestsPerSecond)
  }
  bench.report.known(`${cursors.length} pages by cursor, of the speed by offset`, speeds[1] / speeds[0])
}
