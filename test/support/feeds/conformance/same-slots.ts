import { defined } from '../../../../src/lib/optional.ts'
import { slotId } from '../../../../src/slot/ids.ts'
import { parseRfc3339 } from '../../../../src/slot/instant.ts'
import type { Offering, Slot, SlotStatus } from '../../../../src/slot/slot.ts'
import type { SuiteSlot } from './format-under-test.ts'

/** A Slot and its outcome in every format. `served`: the values that differ from the published ones. */
export interface SameSlot {
  readonly slot: SuiteSlot
  readonly becomes: 'served' | 'rejected' | 'withheld'
  readonly served?: { readonly start?: string; readonly end?: string; readonly capacity?: number }
}

const TIMES = { start: '2030-01-08T09:00:00-05:00', end: '2030-01-08T09:15:00-05:00' }
const LINK = 'https://clinic.example/book/1?a=b'

/** Slots for the rules that all formats share. The last one is a duplicate. */
export const SAME_SLOTS: readonly SameSlot[] = [
  { slot: { id: 'plain', ...TIMES }, becomes: 'served' },
  { slot: { id: 'busy', ...TIMES, status: 'busy' }, becomes: 'served' },
  { slot: { id: 'tentative', ...TIMES, status: 'busy-tentative' }, becomes: 'served' },
  { slot: { id: 'unavailable', ...TIMES, status: 'busy-unavailable' }, becomes: 'served' },
  { slot: { id: 'link', ...TIMES, bookingDeepLink: LINK }, becomes: 'served' },
  { slot: { id: 'capacity', ...TIMES, capacity: '3' }, becomes: 'served', served: { capacity: 3 } },
  {
    slot: { id: 'short', start: '2030-01-08T09:00:00-05', end: '2030-01-08T09:15:00-0500' },
    becomes: 'served',
    served: TIMES,
  },
  { slot: { id: 'plain', start: '2030-01-09T09:00:00Z', end: '2030-01-10T01:00:00Z' }, becomes: 'served' },
  { slot: { id: 'error', ...TIMES, status: 'entered-in-error' }, becomes: 'withheld' },
  { slot: { id: 'nobody', ...TIMES, acceptingPatients: 'nopt' }, becomes: 'withheld' },
  { slot: { id: 'status', ...TIMES, status: 'perhaps' }, becomes: 'rejected' },
  { slot: { id: 'backwards', start: TIMES.end, end: TIMES.start }, becomes: 'rejected' },
  { slot: { id: 'nowhere', start: '2030-01-08T09:00:00', end: '2030-01-08T09:15:00' }, becomes: 'rejected' },
  { slot: { id: 'never', start: '2030-02-30T09:00:00Z', end: '2030-02-30T10:00:00Z' }, becomes: 'rejected' },
  { slot: { id: 'no end', start: TIMES.start, end: '' }, becomes: 'rejected' },
  { slot: { id: 'plain', ...TIMES }, becomes: 'rejected' },
]

const OFFERING: Offering = {
  publisher: 'clinic',
  scheduleId: 's1',
  isVirtual: false,
  modalities: ['in-person'],
  location: {
    name: 'Harbor Clinic',
    addressLine: ['1 Main Street'],
    city: 'Boston',
    state: 'MA',
    postalCode: '02110',
  },
}

/** The served slots. */
export const EXPECTED: readonly Slot[] = SAME_SLOTS.filter(({ becomes }) => becomes === 'served').map(
  ({ slot, served }) => {
    const { start = slot.start, end = slot.end, capacity } = served ?? {}
    const [startMs, endMs] = [msOf(start), msOf(end)]
    return {
      id: slotId('clinic', 's1', slot.id, { startMs, endMs }),
      status: (slot.status ?? 'free') as SlotStatus,
      start,
      end,
      startMs,
      endMs,
      offering: OFFERING,
      ...defined({ bookingDeepLink: slot.bookingDeepLink, capacity }),
    }
  },
)

/** A slot without the ids of resources, which tables do not have. */
export function withoutResources({ offering, ...own }: Slot): Slot {
  const { details: _, ...shared } = offering
  return { ...own, offering: shared }
}

function msOf(instant: string): number {
  const ms = parseRfc3339(instant)
  if (ms === undefined) throw new Error(`Cannot expect a slot: its time must be an instant: got "${instant}"`)
  return ms
}
