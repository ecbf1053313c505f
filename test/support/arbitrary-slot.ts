import fc from 'fast-check'
import { slotId } from '../../src/slot/ids.ts'
import { type Location, type Modality, type Offering, SLOT_STATUSES, type Slot } from '../../src/slot/slot.ts'

const text = fc.oneof(
  fc.constantFrom('57', 'covid19-immunization', 'a  b', 'Praxis "Müller" ☂', '=1+1', '0', '\\', "O'Brien", '{"a":1}'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((one) => one.trim() === one && isPrintable(one)),
)
/** What is no number is not read from a feed in the first place. */
const phone = fc.constantFrom(
  '617-555-0101',
  '+1 (617) 555-0102',
  '1-800-FLOWERS 12',
  '+49 30 901820',
  'Praxis: 0123 456',
)
const texts = fc.uniqueArray(text, { minLength: 1, maxLength: 3 })
const state = fc.constantFrom('MA', 'CA', 'NH', 'TX')
const location: fc.Arbitrary<Location> = fc
  .record(
    {
      name: text,
      phone: fc.uniqueArray(phone, { minLength: 1, maxLength: 3 }),
      website: fc.uniqueArray(fc.webUrl(), { minLength: 1, maxLength: 2 }),
      addressLine: texts,
      city: text,
      state,
      postalCode: fc.constantFrom('02114', '02114-0001', '94105', 'K1A 0B1'),
      position: fc.record({
        latitude: fc.double({ min: -90, max: 90, noNaN: true, noDefaultInfinity: true }),
        longitude: fc.double({ min: -180, max: 180, noNaN: true, noDefaultInfinity: true }),
      }),
    },
    { requiredKeys: [] },
  )
  .map(({ position, ...rest }) => ({ ...rest, ...position }))
  .map((one) => JSON.parse(JSON.stringify(one)) as Location)
const modalities = fc.constantFrom<readonly Modality[]>(['in-person'], ['virtual'], ['in-person', 'virtual'])
const offering: fc.Arbitrary<Offering> = fc
  .record(
    {
      publisher: fc.constantFrom('north', 'south'),
      scheduleId: fc.constantFrom('a', 'b', 'x/y ?'),
      serviceTypeCode: text,
      serviceTypeText: text,
      appointmentType: text,
      acceptingPatients: fc.constantFrom('newpt', 'existptonly', 'existptfam'),
      bookingPhone: phone,
      // Only a Location says where something is offered, and each says how it can be attended.
      attended: fc.record(
        {
          modalities,
          location,
          serviceStates: fc.uniqueArray(state, { minLength: 1 }).map((all) => all.sort()),
        },
        { requiredKeys: ['modalities'] },
      ),
      provider: fc
        .record({ name: text, specialty: text, npi: fc.constantFrom('1346271483', '0000000000') }, { requiredKeys: [] })
        .filter((provider) => Object.keys(provider).length > 0),
    },
    { requiredKeys: ['publisher', 'scheduleId'] },
  )
  .map(({ attended, ...rest }) => ({
    ...rest,
    ...attended,
    isVirtual: attended?.modalities.includes('virtual') ?? false,
  }))
  .map(({ location: place, ...rest }) => ({
    ...rest,
    ...(place !== undefined && Object.keys(place).length > 0 ? { location: place } : {}),
  })) as fc.Arbitrary<Offering>
/** Slots with every field, and every oddity that a feed can say. */
export const arbitrarySlot: fc.Arbitrary<Slot> = fc
  .record({
    number: fc.nat(1000),
    status: fc.constantFrom(...SLOT_STATUSES),
    offset: fc.constantFrom('Z', '-05:00', '+05:30'),
    lasts: fc.constantFrom(0, 15, 960),
    offering,
    own: fc.record(
      { bookingDeepLink: fc.webUrl({ withQueryParameters: true, withFragments: true }), capacity: fc.nat() },
      { requiredKeys: [] },
    ),
  })
  .map(({ number, status, offset, lasts, offering, own }) => {
    const start = `2026-06-${String(1 + (number % 20)).padStart(2, '0')}T09:00:00${offset}`
    const startMs = Date.parse(start)
    const endMs = startMs + lasts * 60_000
    const end = lasts === 0 ? start : new Date(endMs).toISOString()
    const id = slotId(offering.publisher, offering.scheduleId, String(number), { startMs, endMs })
    return { id, status, start, end, startMs, endMs, ...own, offering }
  })

// biome-ignore lint/suspicious/noControlCharactersInRegex: texts that are read have none
const CONTROL = /[\x00-\x1f\x7f]/

function isPrintable(one: string): boolean {
  return one.isWellFormed() && !CONTROL.test(one)
}
