import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/time.ts'
import { manifest, ndjson, type Publisher } from '../support/feeds/publisher.ts'

/** The publishers: one whose slots end, appear and are booked, and one whose slots are all different each hour. */
export const SLUGS = ['clinic', 'renewed'] as const

const STATES = ['MA', 'IL', 'CA'] as const
const DAYS_AHEAD = 7
const RENEWED_SLOTS = 60

/** Publishes what the feeds contain at a time. */
export function publishAt(publisher: Publisher, atMs: number): void {
  const hour = Math.floor(atMs / HOUR_MS)
  for (const slug of SLUGS) {
    const slots = slug === 'clinic' ? clinicSlots(hour) : renewedSlots(hour)
    publisher.files[`/${slug}/places`] = ndjson(...STATES.flatMap(placeIn))
    publisher.files[`/${slug}/slots`] = ndjson(...slots)
    const files = { [`/${slug}/places`]: 'Location', [`/${slug}/slots`]: 'Slot' }
    publisher.files[`/${slug}/$bulk-publish`] = manifest(files, { transactionTime: new Date(atMs).toISOString() })
  }
  publisher.asked()
}

function placeIn(state: string) {
  return [
    { resourceType: 'Location', id: state, name: `Clinic ${state}`, address: { city: `City ${state}`, state } },
    { resourceType: 'Schedule', id: state, actor: [{ reference: `Location/${state}` }] },
  ]
}

/** One in each of the hours ahead and in each state, of which every fifth changes between free and busy every day. */
function clinicSlots(hour: number): object[] {
  const day = Math.floor((hour * HOUR_MS) / DAY_MS)
  return STATES.flatMap((state, at) =>
    Array.from({ length: DAYS_AHEAD * 24 }, (_, n) => {
      const start = hour + 1 + n
      return slot(`${state}-${start}`, state, start * HOUR_MS, (start + at) % 5 === day % 5 ? 'busy' : 'free')
    }),
  )
}

function renewedSlots(hour: number): object[] {
  return Array.from({ length: RENEWED_SLOTS }, (_, n) =>
    slot(`${hour}-${n}`, STATES[n % STATES.length], (hour + 24) * HOUR_MS + n * MINUTE_MS, 'free'),
  )
}

function slot(id: string, state: string, startMs: number, status: string) {
  const [start, end] = [startMs, startMs + 15 * MINUTE_MS].map((ms) => new Date(ms).toISOString())
  return { resourceType: 'Slot', id, schedule: { reference: `Schedule/${state}` }, status, start, end }
}
