import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readText } from '../../../test/support/feeds/read-text.ts'

const START = '2030-01-07T10:00:00-05:00'
const END = '2030-01-07T10:30:00-05:00'

/** A table of one row with these columns beside start and end. */
const table = (columns: string, row: string) => `start,end,${columns}\n${START},${END},${row}\n`

const AS_WRITTEN = 'must be the original text'

for (const [column, cell, said] of [
  ['id', '1.23457E+15', AS_WRITTEN],
  ['scheduleId', '1,2E+11', AS_WRITTEN],
  ['provider.npi', '1.23457e+09', AS_WRITTEN],
  ['bookingPhone', '6,17555E+09', AS_WRITTEN],
  ['bookingPhone', '6,17555E9', 'must be a telephone number'],
  ['bookingPhone', '6175550142.0', 'must be a telephone number'],
  ['bookingPhone', '6.175.550.142', 'must be a telephone number'],
  ['location.city', '#N/A', 'must be a value'],
  ['location.city', '#REF!', 'must be a value'],
  ['location.name', '#BEZUG!', 'must be a value'],
  ['location.name', 'Err:502', 'must be a value'],
  ['bookingPhone', '########', 'must be a value'],
  ['serviceTypeText', '=A1', 'must be a value'],
  ['location.postalCode', '2139.0', 'must be a ZIP code'],
  ['location.postalCode', '2,139', 'must be a ZIP code'],
  ['capacity', '1.000', 'must be digits only'],
  ['capacity', '1,000', 'must be digits only'],
  ['location.latitude', '423.601', 'must be a number from -90 to 90'],
] as const) {
  test(`rejects a value destroyed by a spreadsheet: ${cell} in ${column}`, async () => {
    const { draft, reasons } = await readText(table(column, `"${cell}"`))
    assert.equal(draft.slots.length, 0)
    assert.ok(reasons[0][1].startsWith(`${column} ${said}`), reasons[0][1])
    assert.ok(reasons[0][1].includes(`got "${cell}"`), reasons[0][1])
  })
}

/** Nearly as long as a row may be. */
const SPACES = ' '.repeat(1_000_000)

for (const [column, cell, said] of [
  ['isVirtual', `${SPACES}maybe`, 'isVirtual must be true or false'],
  ['serviceTypes', `a|b|c;${SPACES}d`, undefined],
  ['location.phone', `6${SPACES.slice(0, 1990)}x|`.repeat(500), 'location.phone must be a telephone number'],
] as const) {
  test(`reads a cell of a million spaces in linear time: ${column}`, async () => {
    const { draft, reasons } = await readText(table(column, `"${cell}"`))
    assert.equal(draft.slots.length, said === undefined ? 1 : 0)
    assert.ok(said === undefined || reasons[0][1].startsWith(said), reasons[0]?.[1])
  })
}

test('keeps number signs, E and equals signs that belong to a value', async () => {
  const columns = 'id,location.name,location.addressLine,serviceTypeCode'
  const { draft, reasons } = await readText(table(columns, '1E5,#1 Clinic,#PH|Suite #B,A=B'))
  assert.deepEqual(reasons, [])
  const { location, serviceTypeCode } = draft.slots[0].offering
  assert.deepEqual(location, { name: '#1 Clinic', addressLine: ['#PH', 'Suite #B'] })
  assert.equal(serviceTypeCode, 'A=B')
})

test('reads ="02139" as 02139', async () => {
  const { draft, reasons } = await readText(table('zip,id', '="02139","=""007"""'))
  assert.deepEqual(reasons, [])
  assert.equal(draft.slots[0].offering.location?.postalCode, '02139')
})

test('reads decimal commas and localized booleans', async () => {
  const rows = ['WAHR', 'FALSCH', 'VRAI', 'FAUX', 'VERDADERO', 'FALSO', 'sí', 'nein'].map(
    (word, n) => `${START};${END};${n};"${word}";42,3601;-71,094;"3,0"`,
  )
  const text = ['start;end;id;isVirtual;latitude;longitude;capacity', ...rows].join('\r\n')
  const { draft, reasons } = await readText(text)
  assert.deepEqual(reasons, [])
  assert.deepEqual(
    draft.slots.map(({ offering }) => offering.isVirtual),
    [true, false, true, false, true, false, true, false],
  )
  const [, { offering, capacity }] = draft.slots
  assert.deepEqual([offering.location, capacity], [{ latitude: 42.3601, longitude: -71.094 }, 3])
})

for (const [column, cell, meant] of [
  ['status', 'avaliable', 'available'],
  ['status', 'Bussy', 'busy'],
  ['acceptingPatients', 'newpat', 'newpt'],
  ['modalities', 'in-persn', 'in-person'],
  ['state', 'Masachusetts', 'Massachusetts'],
  ['serviceStates', 'Texs', 'Texas'],
] as const) {
  test(`guesses the value that is meant: ${cell} in ${column}`, async () => {
    const { reasons } = await readText(table(column, cell))
    assert.ok(reasons[0][1].endsWith(`: got "${cell}" (did you mean ${meant}?)`), reasons[0][1])
  })
}

test('guesses every value that is meant, also those that a reason has room only to name', async () => {
  const { reasons } = await readText(
    table('status,acceptingPatients,state,serviceStates', 'avaliable,newpat,Masachusetts,Texs'),
  )
  const [[, reason]] = reasons
  assert.ok(reason.length <= 300, reason)
  for (const meant of ['available', 'newpt', 'Massachusetts', 'Texas'])
    assert.ok(reason.includes(`(did you mean ${meant}?)`), reason)
})

test('guesses no value for one that is unlike all', async () => {
  const { reasons } = await readText(table('status,state', 'maybe,Atlantis'))
  assert.doesNotMatch(reasons[0][1], /did you mean/)
})
