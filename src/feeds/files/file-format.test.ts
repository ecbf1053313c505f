import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readText } from '../../../test/support/feeds/read-text.ts'
import { FeedFailure } from '../connector.ts'
import { type FileFormat, fileFormatOf } from './file-format.ts'

const SLOT = '{"resourceType":"Slot","id":"1"}'

for (const [format, text, what] of [
  ['csv', 'start,end\n', 'a head and no rows'],
  ['csv', '\ufeff"start";"end"', 'a table behind a byte order mark'],
  ['csv', 'sep=;\nstart;end', 'a table that says its delimiter'],
  ['csv', `start,end\n${'\x1b[2J,x\n'.repeat(30)}`, 'a table full of what moves a terminal'],
  ['ndjson', `${SLOT}\n${SLOT}\n`, 'two resources'],
  ['ndjson', SLOT, 'one resource without an end of line'],
  ['ndjson', `\ufeff\n ${SLOT}\r\n${SLOT}`, 'resources behind a mark and a blank line'],
  ['ndjson', `{"resourceType":"Slo\n${SLOT}\n`, 'a broken line before a good one'],
  ['ndjson', '{"id":"a","start":"x"}', 'one slot as /v1 has it'],
  ['json', '{"slots":[],"total":0}', 'an answer of /v1 on one line'],
  ['json', '{\n  "slots": [', 'an answer of /v1 on many lines'],
  ['json', '{"resourceType":"Bundle","entry":[]}', 'a Bundle'],
  ['json', `{"slots":[\n${SLOT},\n${SLOT}\n],"total":2}\n`, 'an answer of /v1 with one slot per line'],
  ['json', `{"resourceType":"Bundle",\r\n"entry":[\r\n{"resource":${SLOT}}]}`, 'a Bundle with one entry per line'],
  ['json', `{"resourceType":"Bundle","entry":\n[${SLOT},\n${SLOT}]}`, 'a Bundle whose array begins on the second line'],
  ['json', `{"slots":\n  [\n${SLOT},\n${SLOT}]}`, 'an answer of /v1 whose array begins on the second line'],
  ['json', `[${SLOT}]`, 'an array'],
  ['json', `[\n${SLOT},\n${SLOT}\n]`, 'an array with one slot per line'],
  ['json', `{"slots":[{"id":"${'x'.repeat(70_000)}`, 'a document whose first line is longer than what is looked at'],
] satisfies readonly (readonly [FileFormat, string, string])[]) {
  test(`detects ${what} as ${format}`, () => {
    assert.equal(fileFormatOf(Buffer.from(text).subarray(0, 65_536), 'file'), format)
  })
}

for (const [what, bytes, said] of [
  ['nothing', Buffer.alloc(0), /empty/],
  ['blank lines', Buffer.from('\r\n \n'), /blank/],
  ['UTF-16', Buffer.from('\ufeffstart,end', 'utf16le'), /UTF-16.*CSV UTF-8/],
  ['UTF-16 without a mark', Buffer.from('start,end', 'utf16le'), /UTF-16/],
  ['UTF-16 of the other order', Buffer.from('start,end', 'utf16le').swap16(), /UTF-16/],
  ['an Excel workbook', Buffer.from('PK\x03\x04…'), /Excel workbook.*CSV UTF-8/],
  ['a PDF', Buffer.from('%PDF-1.7'), /PDF/],
  ['a web page', Buffer.from('\n <!doctype html>'), /XML or HTML/],
  ['an empty ZIP archive', Buffer.from('PK\x05\x06'), /ZIP archive/],
  ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), /old Excel workbook.*CSV UTF-8/],
  ['what is left of gzip within gzip', gzipSync('start,end\n'), /binary/],
  ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\0\0\0\x02\x08\x06', 'latin1'), /binary/],
  ['another archive', Buffer.from("7z\xbc\xaf'\x1c\0\x04\x8d\x9b", 'latin1'), /binary/],
  ['zeros', Buffer.alloc(1000), /not text/],
] as const) {
  test(`rejects ${what} with a hint`, () => {
    assert.throws(() => fileFormatOf(bytes, 'file'), FeedFailure)
    assert.throws(() => fileFormatOf(bytes, 'file'), said)
  })
}

test('decompresses gzip with several members regardless of the file name', async () => {
  const [head, row] = ['id,start,end\n', '1,2030-01-01T10:00:00Z,2030-01-01T10:30:00Z\n']
  const packed = Buffer.concat([gzipSync(head), gzipSync(row)])
  const { draft } = await readText(packed, { pieceBytes: 7 })
  assert.equal(draft.slots.length, 1)
})

test('rejects a gzip file that is truncated, damaged or too large', async () => {
  const table = `id,start,end\n${'1,2030-01-01T10:00:00Z,2030-01-01T10:30:00Z\n'.repeat(1000)}`
  const packed = gzipSync(table)
  await assert.rejects(readText(packed.subarray(0, -20)), /the gzip archive is truncated/)
  const broken = Buffer.from(packed)
  broken.fill(0xff, 100, 120)
  await assert.rejects(readText(broken), FeedFailure)
  await assert.rejects(readText(packed, { bytesMax: table.length - 1 }), /at most \d+ bytes/)
  const { draft, reasons } = await readText(packed, { bytesMax: table.length })
  assert.equal(draft.slots.length + reasons.length, 1000)
})

test('stops reading a decompression bomb at the limit in every format', async () => {
  const zeros = gzipSync(Buffer.alloc(64 * 2 ** 20, 32))
  const quotes = gzipSync(Buffer.concat([Buffer.from('start,end\n"'), Buffer.alloc(64 * 2 ** 20, 97)]))
  const brackets = gzipSync(Buffer.alloc(64 * 2 ** 20, 91))
  const line = gzipSync(Buffer.concat([Buffer.from('{"id":1}\n{"id":"'), Buffer.alloc(64 * 2 ** 20, 97)]))
  const before = process.memoryUsage().rss
  for (const bomb of [zeros, quotes, brackets, line]) {
    await assert.rejects(readText(bomb, { bytesMax: 32 * 2 ** 20 }), FeedFailure)
  }
  assert.ok(process.memoryUsage().rss - before < 200 * 2 ** 20, 'none of it is held')
})
