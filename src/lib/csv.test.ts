import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine, csvResponse, csvTime } from './csv.ts'

test('a line ends with CRLF, and what is absent is an empty cell', () => {
  assert.equal(csvLine(['a', 1, undefined, '']), 'a,1,,\r\n')
})

test('a cell with a comma, a quote or a line break stands in quotes, its own quotes doubled', () => {
  assert.equal(csvLine(['a,b', 'say "no"', 'a\nb', 'a\rb']), '"a,b","say ""no""","a\nb","a\rb"\r\n')
})

test('no text can be taken for a formula; numbers stay numbers', () => {
  assert.equal(csvLine(['=1+1', '+1', '-1', '@a', '\ta', -1]), "'=1+1,'+1,'-1,'@a,'\ta,-1\r\n")
  assert.equal(csvLine(['\ra', '=HYPERLINK("x","y")']), '"\'\ra","\'=HYPERLINK(""x"",""y"")"\r\n')
})

test('a time is RFC 3339 in UTC', () => {
  assert.equal(csvTime(Date.UTC(2026, 0, 2, 3, 4, 5, 6)), '2026-01-02T03:04:05.006Z')
})

test('a browser saves the answer instead of showing it', async () => {
  const response = csvResponse('usage.csv', csvLine(['é']))
  assert.equal(response.headers.get('content-disposition'), 'attachment; filename="usage.csv"')
  assert.match(response.headers.get('content-type') ?? '', /^text\/csv; charset=utf-8/)
  assert.equal(await response.text(), 'é\r\n')
})
