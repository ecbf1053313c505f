import fc from 'fast-check'
import { defined } from '../../src/lib/optional.ts'
import { slotId } from '../../src/slot/ids.ts'
import {
  type Coding,
  type Location,
  type Modality,
  type Offering,
  SLOT_STATUSES,
  type Slot,
} from '../../src/slot/slot.ts'

const text = fc.oneof(
  fc.constantFrom('57', 'covid19-immunization', 'a  b', 'Praxis "Müller" ☂', '=1+1', '0', '\\', "O'Brien", '{"a":1}'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((one) => one.trim() === one && isPrintable(one)),
)
/** Finite numbers: a feed cannot contain others. */
const phone = fc.constantFrom(
  '617-555-0101',
  '+1 (617) 555-0102',
  '1-800-FLOWERS 12',
  '+49 30 901820',
  'Praxis: 0123 456',
)
/** Not `fc.webUrl()`, which takes a second of CPU time to create. */
const url = fc
  .tuple(fc.constantFrom('http', 'https'), fc.domain(), text, fc.option(text, { nil: undefined }))
  .map(([scheme, domain, path, query]) => {
    const search = query === undefined ? '' : `?${encodeURIComponent(query)}=1#${encodeURIComponent(query)}`
    return `${scheme}://${domain}/${encodeURIComponent(path)}${search}`
  })
const texts = fc.uniqueArray(text, { minLength: 1, maxLength: 3 })
const state = fc.constantFrom('MA', 'CA', 'NH', 'TX', 'CA-ON')
const location: fc.Arbitrary<Location> = fc
  .record(
    {
      name: text,
      phone: fc.uniqueArray(phone, { minLength: 1, maxLength: 3 }),
      website: fc.uniqueArray(url, { minLength: 1, maxLength: 2 }),
      addressLine: texts,
      city: text.map((name) => name.normalize()),
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
const modalities = fc.constantFrom<readonly Modality[]>(
  ['in-person'],
  ['virtual'],
  ['virtual', 'phone'],
  ['in-person', 'virtual'],
  ['in-person', 'virtual', 'phone', 'video'],
)
/** Each has a code or a display, and a display if its concept has a text. */
const coding: fc.Arbitrary<Coding> = fc
  .record(
    { system: fc.constantFrom('http://snomed.info/sct', 'urn:oid:1.2'), code: text, display: text },
    { requiredKeys: [] },
  )
  .filter(({ code, display }) => (code ?? display) !== undefined)
/** If any has a code, the first one has. */
const service = fc
  .record({
    codings: fc.uniqueArray(coding, { minLength: 1, maxLength: 3, selector: (one) => JSON.stringify(one) }),
    spoken: fc.option(text, { nil: undefined }),
  })
  // The two codings of the first generation: the reader prefers the second.
  .filter(({ codings }) => !['57', 'covid19-immunization'].every((both) => codings.some(({ code }) => code === both)))
  .map(({ codings, spoken }) => {
    const [first, ...others] = codings.toSorted((a, b) => Number(a.code === undefined) - Number(b.code === undefined))
    const named = first.display === undefined && spoken !== undefined ? { ...first, display: spoken } : first
    const words = first.code === undefined ? first.display : (spoken ?? first.display)
    return {
      ...defined({ serviceTypeCode: named.code, serviceTypeText: words }),
      // The reader drops repeated codings.
      serviceTypes: [named, ...others.filter((other) => JSON.stringify(other) !== JSON.stringify(named))],
    }
  })
const offering: fc.Arbitrary<Offering> = fc
  .record(
    {
      publisher: fc.constantFrom('north', 'south'),
      scheduleId: fc.constantFrom('a', 'b', 'x/y ?'),
      service,
      appointmentType: text,
      acceptingPatients: fc.constantFrom('newpt', 'existptonly', 'existptfam'),
      bookingPhone: phone,
      // Only a Location says where something is offered.
      attended: fc.record(
        {
          modalities,
          location,
          serviceStates: fc.uniqueArray(state, { minLength: 1 }).map((all) => all.sort()),
        },
        { requiredKeys: [] },
      ),
      provider: fc
        .record({ name: text, specialty: text, npi: fc.constantFrom('1346271483', '0000000000') }, { requiredKeys: [] })
        .filter((provider) => Object.keys(provider).length > 0),
    },
    { requiredKeys: ['publisher', 'scheduleId'] },
  )
  .map(({ attended, service: said, ...rest }) => {
    const { modalities, location = {}, serviceStates } = attended ?? {}
    // A virtual slot has no address; without a service mode, a Location shows where a slot is.
    const place = modalities?.[0] === 'virtual' ? contactOf(location) : location
    const isSomewhere = modalities !== undefined || Object.keys(place).length > 0
    return {
      ...rest,
      ...said,
      isVirtual: modalities?.includes('virtual') ?? false,
      ...(modalities && { modalities }),
      ...(Object.keys(place).length > 0 && { location: place }),
      ...(isSomewhere && serviceStates && { serviceStates }),
    }
  }) as fc.Arbitrary<Offering>

function contactOf({ name, phone, website }: Location): Location {
  return { ...(name && { name }), ...(phone && { phone }), ...(website && { website }) }
}

/** Slots with every field, and every unusual value that a feed can contain. */
export const arbitrarySlot: fc.Arbitrary<Slot> = fc
  .record({
    number: fc.nat(1000),
    status: fc.constantFrom(...SLOT_STATUSES),
    offset: fc.constantFrom('Z', '-05:00', '+05:30'),
    lasts: fc.constantFrom(0, 15, 960),
    offering,
    own: fc.record(
      {
        bookingDeepLink: url,
        capacity: fc.nat(),
        identifier: fc.array(fc.record({ system: text, value: text }, { requiredKeys: ['value'] }), {
          minLength: 1,
          maxLength: 2,
        }),
      },
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
