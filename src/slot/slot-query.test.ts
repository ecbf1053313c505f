import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatCursor } from './cursor.ts'
import { FILTER_PARAMETERS } from './filter-parameters.ts'
import { InvalidParameter } from './query-parameter.ts'
import { nameFilters } from './slot-filters.ts'
import { cursorScope, parseSlotQuery, SLOT_PARAMETERS, type SlotQuery } from './slot-query.ts'

test('parses every parameter', () => {
  const search = [
    'state=ma&state=NH&state=MA&isVirtual=false&status=busy&serviceTypeCode=57&serviceTypeCode=124',
    'startAfter=1970-01-01T00:00:01Z&startBefore=1970-01-01T00:00:02%2B00:00&minDurationMinutes=15',
    'appointmentType=WALKIN&acceptingPatients=newpt&city=San+Jos%C3%A9&postalCode=021&radiusKm=10.5',
    'near=42.36,-71.06&specialty=Dermatology&providerNpi=1346271483&publisher=b&publisher=a',
    `scheduleId=s-1&actorKey=${'0'.repeat(24)}&sort=distance&limit=7&offset=3`,
  ].join('&')
  const { radiusKm: _, ...query } = fieldsOf(search)
  assert.deepEqual(query, {
    status: 'busy',
    sort: 'distance',
    limit: 7,
    offset: 3,
    states: ['MA', 'NH'],
    isVirtual: false,
    startAfterMs: 1000,
    startBeforeMs: 2000,
    minDurationMs: 900_000,
    serviceTypeCodes: ['124', '57'],
    appointmentType: 'WALKIN',
    acceptingPatients: 'newpt',
    city: 'San José',
    postalCodePrefix: '021',
    near: { latitude: 42.36, longitude: -71.06, radiusKm: 10.5 },
    specialty: 'Dermatology',
    providerNpi: '1346271483',
    publishers: ['a', 'b'],
    scheduleId: 's-1',
    actorKey: '0'.repeat(24),
  })
})

/** The fields of a query that are set. `hasOffset` is only for the parser. */
function fieldsOf(search: string): Record<string, unknown> {
  const { hasOffset: _, ...query } = parseSlotQuery(search) as SlotQuery & { hasOffset: boolean }
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

test('all queries have the same fields in the same order, and so one hidden class', () => {
  const searches = ['', 'state=MA&city=Boston', 'city=Boston&state=MA', 'near=1,2&radiusKm=3', 'cursor=', 'offset=1']
  const orders = searches.map((search) => Object.keys(parseSlotQuery(search)).join(' '))
  assert.equal(new Set(orders).size, 1)
})

test('defaults to the first 25 free slots by start, within 25 km of a point', () => {
  assert.deepEqual(fieldsOf(''), { status: 'free', sort: 'start', limit: 25, offset: 0 })
  assert.equal(parseSlotQuery('near=0,0').near?.radiusKm, 25)
  assert.deepEqual(parseSlotQuery('cursor=').cursor, {})
})

const POINT = 'near=42.36,-71.06'
const OTHERS_CURSOR = formatCursor({ startMs: 0, id: '0'.repeat(24) }, cursorScope(parseSlotQuery('state=MA')))
const STARTS_CURSOR = formatCursor({ startMs: 0, id: '0'.repeat(24) }, cursorScope(parseSlotQuery(POINT)))

for (const [search, parameter, message] of [
  ['radiusKm=5', 'radiusKm', /radiusKm requires near: got "5"/],
  [`${POINT}&radiusKm=0`, 'radiusKm', /a number above 0, up to 500: got "0"/],
  [`${POINT}&radiusKm=500.1`, 'radiusKm', /got "500.1"/],
  ['near=42.36', 'near', /latitude,longitude in decimal degrees, such as 42.36,-71.06: got "42.36"/],
  ['near=91,0', 'near', /got "91,0"/],
  [`${POINT}&${POINT}`, 'near', /must not be repeated/],
  ['sort=distance', 'sort', /requires near/],
  [`${POINT}&sort=price`, 'sort', /one of start, distance: got "price"/],
  ['acceptingPatients=nopt', 'acceptingPatients', /newpt, existptonly, existptfam: got "nopt"/],
  ['postalCode=', 'postalCode', /1 to 10 letters/],
  ['postalCode=0211_', 'postalCode', /got "0211_"/],
  ['postalCode=02114-12345', 'postalCode', /1 to 10/],
  ['providerNpi=123', 'providerNpi', /ten digits: got "123"/],
  [`providerNpi=${'1'.repeat(101)}`, 'providerNpi', /got "1{100}…"/],
  ['minDurationMinutes=0', 'minDurationMinutes', /from 1 to 1440: got "0"/],
  ['minDurationMinutes=1441', 'minDurationMinutes', /got "1441"/],
  ['actorKey=abc', 'actorKey', /24 digits and letters/],
  ['scheduleId=', 'scheduleId', /1 to 200/],
  ['scheduleId', 'scheduleId', /1 to 200/],
  ['scheduleId&city=a', 'scheduleId', /1 to 200/],
  ['state=p%C3%A9', 'state', /a US state by code or name, .*: got "pé"/],
  ['state=Massachusets', 'state', /a US state by code or name, .*: got "Massachusets"/],
  ['state=%C4%B1d', 'state', /got "ıd"/],
  ['city=a&city=b', 'city', /must not be repeated: got it again with "b"/],
  [`${'state=MA&'.repeat(60)}publisher=x`, 'publisher', /at most 60 values together: got "x"/],
  ['cursor=%21', 'cursor', /the value in the Link header/],
  ['cursor=AAAA', 'cursor', /the value in the Link header of the previous page: got "AAAA"/],
  [`cursor=${OTHERS_CURSOR}`, 'cursor', /same filters and sort/],
  [`state=MA&${POINT}&sort=distance&cursor=${OTHERS_CURSOR}`, 'cursor', /same filters and sort/],
  ['cursor=&offset=0', 'cursor', /combined with offset/],
  [`${POINT}&sort=distance&cursor=${STARTS_CURSOR}`, 'cursor', /same filters and sort/],
] as const) {
  test(`rejects ${search.slice(0, 60)} with a message that explains why`, () => {
    assert.throws(
      () => parseSlotQuery(search),
      (error) => error instanceof InvalidParameter && error.parameter === parameter && message.test(error.message),
    )
  })
}

test('reads a state by code or name, with spaces around it and with the accent of a name', () => {
  const states = ['ma', '+MA+', 'n.h.', 'QU%C3%89BEC', 'Qu%C3%A9bec', 'CA-QC', 'zz']
  const codes = ['MA', 'MA', 'NH', 'CA-QC', 'CA-QC', 'CA-QC', 'ZZ']
  assert.deepEqual(
    states.map((state) => parseSlotQuery(`state=${state}`).states?.[0]),
    codes,
  )
})

test('accepts sixty values in total and continues a cursor with any limit', () => {
  assert.deepEqual(parseSlotQuery(`limit=5&${'state=MA&'.repeat(60)}`).states, ['MA'])
  const query = parseSlotQuery(`limit=3&state=MA&cursor=${OTHERS_CURSOR}`)
  assert.deepEqual(query.cursor, { after: { startMs: 0, id: '0'.repeat(24) } })
})

test('throws only InvalidParameter and terminates for any text', () => {
  const name = fc.constantFrom(...Object.keys(SLOT_PARAMETERS), '', '%', 'x')
  const pair = fc.tuple(name, fc.oneof(fc.string(), fc.constantFrom('1', 'MA', '%ff', '42,1'))).map((p) => p.join('='))
  const property = fc.property(fc.array(pair), (pairs) => {
    try {
      parseSlotQuery(pairs.join('&'))
    } catch (error) {
      assert.ok(error instanceof InvalidParameter)
      assert.ok(error.message.length < 700)
    }
  })
  fc.assert(property, { numRuns: 1000 })
})

test('gives every filter and filter value a unique name', () => {
  const searches = Object.entries(FILTER_PARAMETERS).flatMap(([name, { examples }]) =>
    [...examples, ...(SECOND[name] ?? [])].map((value) => {
      const pair = `${name}=${encodeURIComponent(value)}`
      return { name, search: name === 'radiusKm' ? `${POINT}&${pair}` : pair }
    }),
  )
  const others = searches.filter(({ search }) => search !== 'status=free')
  const names = ['', ...others.map(({ search }) => search)].map((search) => nameFilters(parseSlotQuery(search)))
  assert.equal(new Set(names).size, names.length)
})

/** Second values, for parameters whose first value is ambiguous. */
const SECOND: Record<string, string[]> = {
  state: ['NH'],
  isVirtual: ['false'],
  status: ['busy'],
  acceptingPatients: ['existptfam'],
  near: ['42.36,-71.07', '42.37,-71.06'],
  radiusKm: ['11'],
}

test('accepts each of its own examples', () => {
  for (const [name, { examples, schema, description }] of Object.entries(SLOT_PARAMETERS)) {
    assert.ok(examples.length > 0 && description.length > 10 && Object.keys(schema).length > 0, name)
    for (const example of examples) {
      const needed = name === 'radiusKm' ? `&${POINT}` : ''
      parseSlotQuery(`${name}=${encodeURIComponent(example)}${needed}`)
    }
  }
})
