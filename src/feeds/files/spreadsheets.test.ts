import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readText } from '../../../test/support/feeds/read-text.ts'
import { FeedFailure } from '../connector.ts'

const BOSTON = { timeZone: 'America/New_York' }

/** Reads a table in Boston. Slots as `start end status`, without seconds and offset. */
async function readTable(lines: readonly string[], options: Parameters<typeof readText>[1] = BOSTON) {
  const { draft, reasons, notes } = await readText(`${lines.join('\n')}\n`, options)
  const slots = draft.slots.map(({ start, end, status }) => `${start.slice(0, 16)} ${end.slice(0, 16)} ${status}`)
  return { slots, reasons, notes: notes.sentences, offerings: draft.slots.map(({ offering }) => offering) }
}

test('reads a date, a start time and an end time', async () => {
  const { slots, reasons } = await readTable([
    'Date,Start Time,End Time,Status',
    '4/13/2027,9:00 AM,9:30 AM,Open',
    '2027-04-13 00:00:00,9:30,10:00,Booked',
    '4/13/2027 12:00:00 AM,10 am,11 am,AVAILABLE',
    '2027-04-13,11:00:00,12:00:00,Blocked',
    '2027-04-13,12:00-04:00,12:30-04:00,',
  ])
  assert.deepEqual(reasons, [])
  assert.deepEqual(slots, [
    '2027-04-13T09:00 2027-04-13T09:30 free',
    '2027-04-13T09:30 2027-04-13T10:00 busy',
    '2027-04-13T10:00 2027-04-13T11:00 free',
    '2027-04-13T11:00 2027-04-13T12:00 busy-unavailable',
    '2027-04-13T12:00 2027-04-13T12:30 free',
  ])
})

test('reads the dates of start and end from two columns', async () => {
  const { slots } = await readTable(['Start Date,Start Time,End Date,End Time', '2027-04-13,23:30,2027-04-14,00:30'])
  assert.deepEqual(slots, ['2027-04-13T23:30 2027-04-14T00:30 free'])
})

test('reads a duration in place of an end', async () => {
  const rows = ['30', '45 min', '1 h 30 min', '1.5 hours', '0:20', 'PT15M', '90 minutes', '10:00:00']
  const { slots, reasons } = await readTable([
    'Start Date/Time,Duration',
    ...rows.map((text, n) => `2027-04-13 0${n + 1}:00,${text}`),
  ])
  assert.deepEqual(reasons, [])
  assert.deepEqual(
    slots.map((slot) => slot.slice(17, 33)),
    ['01:30', '02:45', '04:30', '05:30', '05:20', '06:15', '08:30', '18:00'].map((time) => `2027-04-13T${time}`),
  )
})

test('rejects a duration that contradicts the end or whose unit is unclear', async () => {
  const { reasons } = await readTable([
    'start,end,duration',
    '2027-04-13 09:00,2027-04-13 09:30,30',
    '2027-04-13 10:00,2027-04-13 10:30,45',
    '2027-04-13 11:00,,1',
    '2027-04-13 12:00,,half an hour',
    '2027-04-13 13:00,,15:00',
  ])
  const form = 'duration must be minutes, such as 30, 45 min, 1 h 30 min or 0:45'
  assert.deepEqual(reasons, [
    [3, 'duration must be 30 minutes, as start and end say: got "45"'],
    [4, `${form}: got "1"`],
    [5, `${form}: got "half an hour"`],
    [6, `${form}: got "15:00"`],
  ])
})

test('reads "Available" and "Booked" as columns too', async () => {
  const { slots, reasons } = await readTable([
    'start,duration,available,booked,status',
    '2027-04-13 09:00,30,yes,,',
    '2027-04-13 10:00,30,,yes,',
    '2027-04-13 11:00,30,no,yes,busy-unavailable',
    '2027-04-13 12:00,30,yes,yes,',
    '2027-04-13 13:00,30,no,,free',
  ])
  assert.deepEqual(
    slots.map((slot) => slot.slice(34)),
    ['free', 'busy', 'busy-unavailable'],
  )
  assert.deepEqual(reasons, [
    [5, 'booked must be no, because available is yes: got "yes"'],
    [6, 'status must be busy, because the row says so in another column: got "free"'],
  ])
})

test('reads ambiguous dates in the order that another date proves, and says so', async () => {
  const mdy = await readTable(['start,end', '12/03/2026 9:00,12/03/2026 9:30', '12/13/2026 9:00,12/13/2026 9:30'])
  assert.deepEqual(mdy.slots.map((slot) => slot.slice(0, 10)).sort(), ['2026-12-03', '2026-12-13'])
  assert.deepEqual(mdy.notes, [
    'Dates such as 03/04/2026 were read as month, day, year, because of "12/13/2026 9:00" in row 3.',
  ])
  const dmy = await readTable(['date,start,duration', '03/12/2026,9:00,30', '13/12/2026,9:00,30'])
  assert.deepEqual(dmy.slots.map((slot) => slot.slice(0, 10)).sort(), ['2026-12-03', '2026-12-13'])
  assert.match(dmy.notes[0], /^Dates .* as day, month, year, because of "13\/12\/2026" in row 3\.$/)
  const clear = await readTable(['start,end', '2026-12-03 9:00,2026-12-03 9:30', '12/13/2026 9:00,12/13/2026 9:30'])
  assert.deepEqual(clear.notes, [])
})

test('rejects a table whose dates prove both orders, unless the order is configured', async () => {
  const rows = ['start,duration', '13/4/2027 9:00,30', '4/13/2027 10:00,30', '3/4/2027 11:00,30']
  await assert.rejects(readTable(rows), FeedFailure)
  await assert.rejects(
    readTable(rows),
    /the dates in the column start must have one order: "4\/13\/2027 10:00" in row 3 is month, day, year, "13\/4\/2027 9:00" in row 2 is day, month, year/,
  )
  const both = ['start,end', '4/13/2027 9:00,13/4/2027 9:30']
  await assert.rejects(readTable(both), /the dates in the columns start and end must have one order/)
  const { slots, reasons } = await readTable(rows, { ...BOSTON, dateOrder: 'mdy' })
  assert.deepEqual([slots.length, reasons.map(([row]) => row)], [2, [2]])
})

test('reads dates with dots day first, and says so, unless a date or the configured order contradicts', async () => {
  const rows = ['start,duration', '3.4.2027 9:00,30']
  const usual = await readTable(rows)
  assert.deepEqual(
    usual.slots.map((slot) => slot.slice(0, 10)),
    ['2027-04-03'],
  )
  assert.match(usual.notes.join(), /^Dates such as 03\.04\.2026 were read as day, month, year/)
  const configured = await readTable(rows, { ...BOSTON, dateOrder: 'mdy' })
  assert.deepEqual(
    configured.slots.map((slot) => slot.slice(0, 10)),
    ['2027-03-04'],
  )
  await assert.rejects(
    readTable([...rows, '11.21.2027 9:00,30']),
    /"11\.21\.2027 9:00" in row 3 is month, day, year, "3\.4\.2027 9:00" in row 2 is day, month, year/,
  )
  const slashes = await readTable(['start,duration', '21.11.2027 9:00,30', '3/4/2027 9:00,30'])
  assert.match(slashes.reasons.join(), /^3,start is ambiguous/)
})

test('quotes the date and the time of two cells, with the hint for both', async () => {
  const { reasons } = await readTable(['date,start,duration', '2027-04-13,09:30 EST,30', '46347,09:30,30'])
  const form = 'start must be a date and a time, such as 2026-11-21 09:30 or 2026-11-21T09:30:00-05:00'
  assert.deepEqual(reasons, [
    [2, `${form}: got "2027-04-13 09:30 EST": name the zone in the column timeZone`],
    [3, `${form}: got "46347 09:30": this is a spreadsheet serial number; format the column as date and time`],
  ])
})

test('rejects times of which only one has AM or PM', async () => {
  const { slots, reasons } = await readTable([
    'date,start,end',
    '2027-04-13,1:00,1:30 PM',
    '2027-04-14,11:00 AM,1:00',
    '2027-04-15,13:00,1:30 PM',
    '2027-04-16,0:30,1:00 AM',
  ])
  assert.equal(slots.length, 2)
  assert.deepEqual(reasons, [
    [2, 'start must be with AM or PM, like end: got "1:00"'],
    [3, 'end must be with AM or PM, like start: got "1:00"'],
  ])
})

/** Rows of half-hour slots from 9:00, after cells of the location. */
const atTimes = (...places: string[]) =>
  places.map((place, n) => `${place},2027-04-${String(n + 10)} 09:00,2027-04-${n + 10} 09:30`)

const places = (offerings: readonly { location?: object | undefined }[]) =>
  offerings.map(({ location }) => Object.values(location ?? {}).join(' '))

test('fills merged cells of the location from the row above, and says so', async () => {
  const head = 'Clinic,State,Provider,start,end'
  const rows = atTimes('North,MA,Dr. A', ',,', ',,', 'South,NH,Dr. B', ',,')
  const { offerings, notes, reasons } = await readTable([head, ...rows])
  assert.deepEqual(reasons, [])
  assert.deepEqual(places(offerings), ['North MA', 'North MA', 'North MA', 'South NH', 'South NH'])
  assert.deepEqual(
    offerings.map(({ provider }) => provider?.name),
    ['Dr. A', 'Dr. A', 'Dr. A', 'Dr. B', 'Dr. B'],
  )
  assert.deepEqual(notes, [
    'Empty cells of location.name, location.state, provider.name in 3 rows (3, 4, 6) were filled from the row above, as merged cells.',
  ])
})

test('does not fill a column that has values of its own in a group', async () => {
  const { offerings } = await readTable(['Clinic,Provider,start,end', ...atTimes('North,Dr. A', ',', ',Dr. C')])
  assert.deepEqual(
    offerings.map(({ provider }) => provider?.name),
    ['Dr. A', undefined, 'Dr. C'],
  )
  assert.deepEqual(places(offerings), ['North', 'North', 'North'])
})

for (const [why, head, rows, expected] of [
  ['the first row has none', 'Clinic', ['', 'North', '', ''], ['', 'North', '', '']],
  ['neighboring rows repeat one', 'Clinic', ['North', 'North', '', '', ''], ['North', 'North', '', '', '']],
  ['most rows have one', 'Clinic', ['North', '', 'South', 'East'], ['North', '', 'South', 'East']],
  ['a row without one is virtual', 'Clinic,isVirtual', ['North,no', ',yes', ',no'], ['North', '', '']],
  ['there is only one row', 'Clinic', ['North'], ['North']],
] as const) {
  test(`leaves empty cells of the location empty if ${why}`, async () => {
    const { offerings, notes } = await readTable([`${head},start,end`, ...atTimes(...rows)])
    assert.deepEqual(places(offerings), expected)
    assert.deepEqual(notes, [])
  })
}

test('fills a date that is merged over the times of a day', async () => {
  const { slots, notes } = await readTable([
    'Date,Start,End',
    '4/13/2027,9:00,9:30',
    ',9:30,10:00',
    '4/14/2027,9:00,9:30',
  ])
  assert.deepEqual(
    slots.map((slot) => slot.slice(0, 16)),
    ['2027-04-13T09:00', '2027-04-13T09:30', '2027-04-14T09:00'],
  )
  assert.deepEqual(notes, ['Empty cells of date in row 3 were filled from the row above, as merged cells.'])
})

test('names every fault of a row', async () => {
  const { reasons } = await readTable([
    'start,end,bookingPhone,NPI,State,capacity',
    '2027-04-13 09:00,2027-04-13,6.17555E+09,1.23457E+09,Ontario,lots',
    'tomorrow,2027-04-13 09:30,,,,',
    '2027-04-13 09:00,2027-04-13 09:30,,123,MA,-1',
  ])
  assert.match(
    reasons[0][1],
    /^bookingPhone must be the original text: got "6.17555E\+09".*; also invalid: provider.npi, end, capacity, location.state$/,
  )
  assert.match(reasons[1][1], /^start must be a date and a time/)
  assert.deepEqual(reasons[2], [
    4,
    'capacity must be a number from 0 to 999999999: got "-1"; provider.npi must be ten digits: got "123"',
  ])
  for (const [, reason] of reasons) assert.ok(reason.length <= 300)
})

test('names a fault of both times once', async () => {
  const { reasons } = await readTable(['start,end,timeZone', '2027-04-13 09:00,2027-04-13 09:30,EST'])
  assert.deepEqual(reasons, [[2, 'timeZone must be a name such as America/New_York (IANA), or UTC: got "EST"']])
})
