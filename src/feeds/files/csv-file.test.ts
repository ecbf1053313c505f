import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { readText } from '../../../test/support/feeds/read-text.ts'
import { FeedFailure } from '../connector.ts'
import { CSV_COLUMNS, csvTemplate } from './csv-columns.ts'

const START = '2030-01-07T10:00:00-05:00'
const END = '2030-01-07T10:30:00-05:00'

/** A table with these columns beside start and end. */
const table = (columns: string, ...rows: string[]) =>
  [`start,end,${columns}`, ...rows.map((row) => `${START},${END},${row}`)].join('\n')

test('reads the template without rejections or unknown columns', async () => {
  const { draft, reasons, notes } = await readText(csvTemplate())
  assert.deepEqual([draft.slots.length, reasons, notes.sentences], [2, [], []])
  const [first, second] = draft.slots
  assert.equal(first.start, '2030-11-21T09:30:00-05:00')
  assert.deepEqual(first.offering.location?.addressLine, ['1 Main Street', 'Suite 5'])
  assert.deepEqual(second.offering.provider, {
    name: 'Ana Rivera, MD',
    specialty: 'Family medicine',
    npi: '1234567893',
  })
})

test('reads a localized spreadsheet export: byte order mark, semicolons, CRLF, dots in dates', async () => {
  const { draft, reasons } = await readText(
    '\ufeffID;Start;END;Time Zone;Location_Name;City;ZIP;State;is virtual\r\n' +
      '7;21.11.2030 09:30;21.11.2030 10:00;America/New_York;"Clinic; ""North""\r\nWing";Bedford;1730;Mass.;FALSE\r\n' +
      ';;;;;;;;\r\n\r\n',
    { pieceBytes: 3 },
  )
  assert.deepEqual(reasons, [])
  const [{ start, offering }] = draft.slots
  assert.equal(start, '2030-11-21T09:30:00-05:00')
  assert.deepEqual(offering.location, {
    name: 'Clinic; "North" Wing',
    city: 'Bedford',
    state: 'MA',
    postalCode: '01730',
  })
})

for (const [what, text] of [
  ['tabs, and an empty cell', 'start\tend\tid\tcity\n{S}\t{E}\t\tLynn, MA'],
  ['delimiters in its head', '"a;b;c;d;e;f",start,end,city\nx,{S},{E},"Lynn, MA"'],
  ['line breaks in its head', '"Start\nTime" ; "End\r\nTime";"City\n(a,b,c,d,e)";city\n{S};{E};x;"Lynn, MA"'],
  ['a quote inside of a cell of its head', 'start|end|city|5" wide\n{S}|{E}|"Lynn, MA"|a,b,c,d,e,f'],
  ['vertical bars', 'start|end|city\n{S}|{E}|"Lynn, MA"'],
  ['a line that says the delimiter', 'sep=;\r\nstart;end;city\r\n{S};{E};Lynn, MA'],
  ['old line ends', 'start,end,city\r{S},{E},"Lynn, MA"\r'],
  ['spaces around quotes', '"start" , "end" , "city"\n {S} , {E} , "Lynn, MA" '],
  ['line ends of two systems', 'start,end,city\r\n{S},{E},"Lynn, MA"\n{S},{E},Salem\r\n'],
  ['blank lines before the head', '\n\nstart,end,city\n{S},{E},"Lynn, MA"'],
  ['a quote inside of a cell', 'start,end,city,location.name\n{S},{E},"Lynn, MA",5" Wing'],
] as const) {
  test(`reads a table with ${what}`, async () => {
    const { draft, reasons } = await readText(text.replaceAll('{S}', START).replaceAll('{E}', END))
    assert.deepEqual(reasons, [])
    assert.equal(draft.slots[0].offering.location?.city, 'Lynn, MA')
  })
}

test('reads a file that is not UTF-8, even only at its end, as Windows-1252 with a note', async () => {
  const latin = Buffer.from(table('city', ...Array(3000).fill('Lynn'), 'Ca\xf1on City \x96 North'), 'latin1')
  const { draft, notes } = await readText(latin)
  assert.equal(draft.slots.length, 2, 'equal rows are one slot')
  assert.match(notes.sentences[0], /Windows-1252/)
  const { draft: last } = await readText(Buffer.from(table('city', 'Ca\xf1on City \x96 North'), 'latin1'))
  assert.equal(last.slots[0].offering.location?.city, 'Cañon City – North')
})

test('rejects each invalid row with its number, column and the expected value', async () => {
  const rows = [
    'Lynn,,,,,',
    ',javascript:alert(1),,,,',
    ',,no number,,,',
    ',,,lots,,',
    ',,,,Ontario,',
    ',,,,,maybe',
    '"two\nlines",,,,,',
    ',,,1.5,,',
    ',,6.17555E+09,,,',
    ',,,,,,',
    ',,,,,,surplus',
  ]
  const { draft, reasons } = await readText(
    table('city,bookingDeepLink,bookingPhone,capacity,state,isVirtual', ...rows),
  )
  assert.deepEqual(reasons, [
    [3, 'bookingDeepLink must be an http or https URL: got "javascript:alert(1)"'],
    [4, 'bookingPhone must be a telephone number: got "no number"'],
    [5, 'capacity must be a number from 0 to 999999999: got "lots"'],
    [
      6,
      'location.state must be a US state, such as MA or Massachusetts, or an ISO 3166-2 code, such as CA-ON: got "Ontario"',
    ],
    [7, 'isVirtual must be true or false (or yes, no, 1, 0): got "maybe"'],
    [9, 'capacity must be a whole number: got "1.5"'],
    [
      10,
      'bookingPhone must be the original text: got "6.17555E+09", which a spreadsheet rounded as a number. Format the column as Text',
    ],
    [12, 'it must have at most 8 cells, like the header: got "9". Put cells that contain a delimiter in quotes'],
  ])
  assert.deepEqual(draft.slots.map(({ offering }) => offering.location?.city).sort(), ['Lynn', 'two lines', undefined])
})

test('does not count a sep= line', async () => {
  const { reasons } = await readText(`sep=;\r\nstart;end\r\n${START};${END}\r\nbad;${END}\r\n`)
  assert.deepEqual(
    reasons.map(([row]) => row),
    [3],
  )
})

for (const [cell, what] of [
  ['"Lynn" MA', /a closing quote must end its cell \(row 2\)/],
  ['"Lynn', /a quote must be closed within 1048576 bytes \(row 2 or shortly after\)/],
  [';'.repeat(3 * 2 ** 20), /a row must be at most 1048576 bytes long \(row 2\)/],
] as const) {
  test(`does not count a sep= line in an error about the whole file: ${cell.slice(0, 10)}`, async () => {
    await assert.rejects(readText(`sep=;\nstart;end;city\n${START};${END};${cell}\n`), what)
  })
}

for (const blank of ['  ', '\t', '\n ', '\r\n\t ']) {
  test(`reads a short last slot before a blank row without a line end: ${JSON.stringify(blank)}`, async () => {
    const { draft, reasons } = await readText(`start,end,city\n${START},${END}\n${blank}`, { pieceBytes: 1 })
    assert.deepEqual([draft.slots.length, reasons], [1, []])
  })
}

test('rejects a file that ends within a row as truncated', async () => {
  const text = table('id,city', '1,Lynn', '2,Salem')
  await assert.rejects(
    readText(text.slice(0, text.lastIndexOf(',2'))),
    /it is truncated: its last row, 3, has 2 of 4 cells and no line end/,
  )
  assert.equal((await readText(text)).draft.slots.length, 2, 'its last line may lack its end')
  const { draft } = await readText(`start,end,id,city\n${START},${END},1\n`)
  assert.equal(draft.slots.length, 1, 'and cells that are not there say nothing')
})

test('withholds slots that are never served', async () => {
  const { draft, reasons } = await readText(
    table('id,status,acceptingPatients', '1,entered-in-error,', '2,BUSY,nopt', '3,busy,newpt'),
  )
  assert.deepEqual(reasons, [])
  assert.equal(draft.counts.withheld, 2)
  assert.deepEqual(
    draft.slots.map(({ status, offering }) => [status, offering.acceptingPatients]),
    [['busy', 'newpt']],
  )
})

test('lists ignored columns', async () => {
  const { notes } = await readText(table('colour,City,notes for staff', 'red,Lynn,x'))
  assert.deepEqual(notes.sentences, ['Unknown columns were ignored: "colour", "notes for staff".'])
})

test('guesses the columns that are meant by unknown names, but none that the file has', async () => {
  const head = 'start,end,slot_id,Clinic City,stat,Postcal Code,starting,colour'
  const { notes } = await readText(`${head}\n${START},${END},7,Lynn,MA,01901,x,red\n`)
  assert.deepEqual(notes.sentences, [
    'Unknown columns were ignored: "slot_id" (did you mean id?), "Clinic City" (did you mean location.city?), ' +
      '"stat" (did you mean location.state?), "Postcal Code" (did you mean location.postalCode?), "starting", "colour".',
  ])
})

test('guesses the required columns in a table without them', async () => {
  await assert.rejects(
    readText(`appointmentStart;ende;city\n${START};${END};Lynn\n`),
    /got "appointmentStart, ende, city": "appointmentStart" \(did you mean start\?\), "ende" \(did you mean end\?\)\. All names/,
  )
})

for (const [what, text, said] of [
  [
    'no head',
    `${START},${END}\n`,
    /first row must name its columns, start and end among them \(or duration in place of end\)/,
  ],
  ['no end', 'start,city\n', /columns, end among them/],
  [
    'a column twice',
    'start,end,city,location.city\n',
    /each column must appear once: got "location.city" twice, as "city" and "location.city"/,
  ],
  ['a quote that is not closed', `start,end\n"${START},${END}\n`, /a quote must be closed.*row 2/],
  [
    'a word behind a closing quote',
    `${table('city', 'Lynn', 'Salem', '"Old" Town', 'Lynn')}\n`,
    /a closing quote must end its cell \(row 4\)/,
  ],
  [
    'quotes round each line',
    '"start,end,city"\n',
    /start and end among them.*quotes around whole lines.*import --template/,
  ],
] as const) {
  test(`rejects a file with ${what} as a whole`, async () => {
    await assert.rejects(readText(text), FeedFailure)
    await assert.rejects(readText(text), said)
  })
}

test('reads a header without rows as an empty publication', async () => {
  const { draft, reasons } = await readText('start,end\n')
  assert.deepEqual([draft.slots, reasons], [[], []])
})

/** Pieces over and over, up to so many bytes. */
const endless = (head: string, piece: string, bytes: number) => () =>
  Readable.from(
    (function* () {
      yield Buffer.from(head)
      const each = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)))
      for (let sent = 0; sent < bytes; sent += each.length) yield each
    })(),
  )

test('rejects overlong rows with bounded memory', async () => {
  const before = process.memoryUsage().rss
  const MIB = 2 ** 20
  await assert.rejects(readText(endless('start,end,', ',', 10 * MIB)), /a row must be at most|quote must be closed/)
  await assert.rejects(readText(endless(`start,end\n${START},${END}`, ',', 64 * MIB)), /a row must be at most/)
  await assert.rejects(readText(endless(`start,end\n"${START}`, 'a\n', 100 * MIB)), /a quote must be closed/)
  assert.ok(process.memoryUsage().rss - before < 200 * MIB)
})

test('removes NULs, invalid characters and control characters from texts', async () => {
  const { draft, reasons } = await readText(
    table('id,city', 'a\0b,Ly\0nn', 'x,L\u0007ynn \ud83d\ude80', `y,${'z'.repeat(3000)}`),
  )
  assert.deepEqual(
    draft.slots.map(({ offering }) => offering.location?.city),
    ['Ly nn', 'L ynn 🚀'],
  )
  assert.match(reasons[0][1], /location.city must be a text of at most 2000 characters/)
  const lone = Buffer.concat([
    Buffer.from('\ufeffstart,end,city\n'),
    Buffer.from(`${START},${END},`),
    Buffer.from([0xed, 0xa0, 0x80]),
  ])
  const { draft: marked } = await readText(lone)
  assert.ok(marked.slots[0].offering.location?.city?.isWellFormed())
})

test('docs/importing.md has a row for every column, and for no other', () => {
  const page = readFileSync(new URL('../../../docs/importing.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `([\w.]+)`( \(needed\))? \| (.+) \| (.*) \|$/gm)].map((row) => row.slice(1))
  assert.deepEqual(
    rows,
    CSV_COLUMNS.map(({ name, means, isRequired, short = [] }) => [
      name,
      isRequired ? ' (needed)' : undefined,
      means,
      short.map((each) => `\`${each}\``).join(', '),
    ]),
  )
})
