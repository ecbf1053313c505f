import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvCell, csvLine, csvResponse, csvTime } from './csv.ts'

test('ends a line with CRLF and writes an absent value as an empty cell', () => {
  assert.equal(csvLine(['a', 1, undefined, '']), 'a,1,,\r\n')
})

test('quotes a cell with a comma, a quote or a line break and doubles its quotes', () => {
  assert.equal(csvLine(['a,b', 'say "no"', 'a\nb', 'a\rb']), '"a,b","say ""no""","a\nb","a\rb"\r\n')
})

test('guards text against formula injection and leaves numbers alone', () => {
  assert.equal(csvLine(['=1+1', '+1', '-1', '@a', '\ta', -1]), "'=1+1,'+1,'-1,'@a,'\ta,-1\r\n")
  assert.equal(csvLine(['\ra', '=HYPERLINK("x","y")']), '"\'\ra","\'=HYPERLINK(""x"",""y"")"\r\n')
})

test('guards against every character that spreadsheets read as the start of a formula', () => {
  for (const sign of ['=', '+', '-', '@', '\t', '\uff1d', '\uff0b', '\uff0d', '\uff20'])
    assert.equal(csvLine([`${sign}1`]), `'${sign}1\r\n`)
  for (const sign of ['\r', '\n']) assert.equal(csvLine([`${sign}1`]), `"'${sign}1"\r\n`)
  assert.equal(csvCell('=1'), "'=1")
})

test('writes a time as RFC 3339 in UTC', () => {
  assert.equal(csvTime(Date.UTC(2026, 0, 2, 3, 4, 5, 6)), '2026-01-02T03:04:05.006Z')
})

test('makes the browser save the response instead of showing it', async () => {
  const response = csvResponse('usage.csv', csvLine(['é']))
  assert.equal(response.headers.get('content-disposition'), 'attachment; filename="usage.csv"')
  assert.match(response.headers.get('content-type') ?? '', /^text\/csv; charset=utf-8/)
  assert.equal(await response.text(), 'é\r\n')
})
