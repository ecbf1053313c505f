import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import { SOURCE_HEALTHS, type SourceHealth } from '../../slot/source-freshness.ts'
import { HEALTH_EVENTS_MAX, type HealthEvent } from '../../store/contracts/source-watch.ts'
import { HealthHistory, INCIDENTS_MAX, TROUBLES, type Trouble, utcDayOf } from './health-history.ts'

const NOW_MS = Date.parse('2026-11-23T12:00:00Z')
const TODAY = utcDayOf(NOW_MS)

/** The events of a source whose health changes at these times. */
function eventsOf(slug: string, changes: readonly (readonly [atMs: number, to: SourceHealth])[]): HealthEvent[] {
  return changes.map(([atMs, to], n) => ({
    id: n + 1,
    slug,
    from: changes[n - 1]?.[1] ?? 'never-synced',
    to,
    why: 'connect ECONNREFUSED http://10.0.0.1/secret',
    atMs,
  }))
}

function reportOf(changes: readonly (readonly [number, SourceHealth])[], createdAtMs = changes[0]?.[0] ?? NOW_MS) {
  const history = new HealthHistory()
  history.add(eventsOf('clinic', changes))
  const source = { slug: 'clinic', createdAtMs, watch: { health: changes.at(-1)?.[1] ?? ('never-synced' as const) } }
  return history.report([source], NOW_MS)
}

test('reports the days with troubles, the incidents and the share of time in which the feed could be read', () => {
  const { publishers, incidents } = reportOf([
    [NOW_MS - 10 * DAY_MS, 'healthy'],
    [NOW_MS - 2 * DAY_MS, 'stale'],
    [NOW_MS - 2 * DAY_MS + HOUR_MS, 'failing'],
    [NOW_MS - 2 * DAY_MS + 13 * HOUR_MS, 'healthy'],
    [NOW_MS - 30 * MINUTE_MS, 'late'],
  ])
  assert.deepEqual(publishers.clinic, {
    recordedSinceMs: NOW_MS - 10 * DAY_MS,
    availability: 0.95,
    days: [
      { day: TODAY - 2, status: 'failing', minutes: 12 * 60 },
      { day: TODAY - 1, status: 'failing', minutes: 60 },
      { day: TODAY, status: 'late', minutes: 30 },
    ],
  })
  assert.deepEqual(incidents, [
    { publisher: 'clinic', status: 'late', fromMs: NOW_MS - 30 * MINUTE_MS },
    { publisher: 'clinic', status: 'failing', fromMs: NOW_MS - 2 * DAY_MS, toMs: NOW_MS - 2 * DAY_MS + 13 * HOUR_MS },
  ])
})

test('joins incidents with a short pause, and counts no time in which a source was paused or not synced', () => {
  const { publishers, incidents } = reportOf([
    [NOW_MS - 4 * HOUR_MS, 'failing'],
    [NOW_MS - 3 * HOUR_MS, 'healthy'],
    [NOW_MS - 3 * HOUR_MS + 14 * MINUTE_MS, 'stale'],
    [NOW_MS - 2 * HOUR_MS, 'paused'],
  ])
  assert.deepEqual(
    incidents.map(({ status, fromMs, toMs }) => [status, NOW_MS - fromMs, NOW_MS - (toMs ?? 0)]),
    [['failing', 4 * HOUR_MS, 2 * HOUR_MS]],
  )
  assert.equal(publishers.clinic.availability, 0.5)
  assert.deepEqual(reportOf([]).publishers.clinic, { recordedSinceMs: NOW_MS, days: [] })
})

test('names the beginning of an incident that is longer than the history, but not one that ended before', () => {
  const beganMs = NOW_MS - 200 * DAY_MS
  const { publishers, incidents } = reportOf([
    [beganMs - 20 * DAY_MS, 'failing'],
    [beganMs - 10 * DAY_MS, 'healthy'],
    [beganMs, 'stale'],
  ])
  assert.deepEqual(incidents, [{ publisher: 'clinic', status: 'stale', fromMs: beganMs }])
  const { recordedSinceMs, days, availability } = publishers.clinic
  assert.deepEqual([recordedSinceMs, days.length, availability], [(TODAY - 89) * DAY_MS, 90, 1])
})

test('begins the record of a source with as many events as are stored at its first one', () => {
  const flapping = Array.from({ length: HEALTH_EVENTS_MAX + 20 }, (_, n): [number, SourceHealth] => [
    NOW_MS - 5 * DAY_MS + n * HOUR_MS,
    n % 2 === 0 ? 'failing' : 'healthy',
  ])
  const { publishers, incidents } = reportOf(flapping, NOW_MS - 80 * DAY_MS)
  assert.equal(publishers.clinic.recordedSinceMs, flapping[20][0])
  assert.equal(incidents.length, INCIDENTS_MAX)
  assert.equal(
    reportOf(flapping.slice(0, 20), NOW_MS - 95 * DAY_MS).publishers.clinic.recordedSinceMs,
    (TODAY - 89) * DAY_MS,
  )
})

test('forgets removed sources, the events of an older source with the same slug, and every reason', () => {
  const history = new HealthHistory()
  history.add(eventsOf('clinic', [[NOW_MS - DAY_MS, 'failing']]))
  const source = { slug: 'clinic', createdAtMs: NOW_MS - HOUR_MS, watch: { health: 'healthy' as const } }
  const again = history.report([source], NOW_MS)
  assert.deepEqual([again.incidents, again.publishers.clinic.days], [[], []])
  const text = JSON.stringify(reportOf([[NOW_MS - DAY_MS, 'failing']]))
  assert.doesNotMatch(text, /ECONNREFUSED|10\.0\.0\.1/)
  history.report([], NOW_MS)
  const before = history.report([{ ...source, createdAtMs: 0 }], NOW_MS)
  assert.deepEqual(before.incidents, [])
})

test('days and availability are those of a count minute by minute', () => {
  const changes = fc.uniqueArray(
    fc.tuple(fc.integer({ min: 1, max: 4 * 24 * 60 }), fc.constantFrom(...SOURCE_HEALTHS)),
    {
      selector: ([minute]) => minute,
      minLength: 1,
      maxLength: 12,
    },
  )
  fc.assert(
    fc.property(changes, (drawn) => {
      const events = drawn
        .toSorted(([a], [b]) => b - a)
        .map(([minute, to]): [number, SourceHealth] => [NOW_MS - minute * MINUTE_MS, to])
      const counted = countByMinute(events)
      const { days, availability } = reportOf(events).publishers.clinic
      assert.deepEqual(days, counted.days)
      assert.equal(availability, counted.availability)
    }),
    { numRuns: 50 },
  )
})

function countByMinute(events: readonly (readonly [number, SourceHealth])[]) {
  const days = new Map<number, { day: number; status: Trouble; minutes: number }>()
  let [watched, failing] = [0, 0]
  for (let ms = events[0][0]; ms < NOW_MS; ms += MINUTE_MS) {
    const health = events.findLast(([atMs]) => atMs <= ms)?.[1] ?? 'healthy'
    if (health !== 'paused' && health !== 'never-synced') watched++
    if (health === 'failing') failing++
    const rank = (TROUBLES as readonly SourceHealth[]).indexOf(health)
    if (rank === -1) continue
    const known = days.get(utcDayOf(ms))
    const status = known === undefined ? TROUBLES[rank] : TROUBLES[Math.min(rank, TROUBLES.indexOf(known.status))]
    days.set(utcDayOf(ms), { day: utcDayOf(ms), status, minutes: (known?.minutes ?? 0) + 1 })
  }
  const availability = watched === 0 ? undefined : Math.floor((1 - failing / watched) * 10_000) / 10_000
  return { days: [...days.values()], availability }
}
