import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageFault } from './command.ts'
import { nearest } from './nearest.ts'
import { parseExpiry } from './parse-expiry.ts'
import { parseEvery, parseFeedUrl, parseName, parseSlug } from './parse-operand.ts'
import { formatTable } from './table.ts'

const NOW = Date.UTC(2026, 0, 15, 12)

test('a key that expires on a day works to the end of that day in UTC, on the day itself too', () => {
  assert.equal(parseExpiry('2026-01-15', NOW), Date.UTC(2026, 0, 16))
  assert.equal(parseExpiry('2028-02-29', NOW), Date.UTC(2028, 2, 1))
})

test('an expiry that is past, impossible or without an offset is refused', () => {
  for (const text of [
    '2026-01-14',
    '2026-01-15T12:00:00Z',
    '2027-02-29',
    '2027-01-01T00:00:00',
    '',
    '1',
    '9999-12-31',
  ]) {
    assert.throws(() => parseExpiry(text, NOW), UsageFault, text)
  }
})

test('a slug is 1 to 63 lower-case letters, digits and hyphens, no hyphen first', () => {
  for (const slug of ['a', '4', 'a-b-', 'a'.repeat(63)]) assert.equal(parseSlug(slug), slug)
  for (const slug of ['', '-a', 'A', 'a_b', 'é', 'a b', 'a\n', 'a'.repeat(64)]) {
    assert.throws(() => parseSlug(slug), UsageFault, slug)
  }
})

test('a feed has an http or https URL, which keeps its query and holds no credentials', () => {
  const url = 'https://publisher.example/a/$bulk-publish?x=1'
  assert.equal(parseFeedUrl(url).href, url)
  for (const text of ['', '/a', 'publisher.example', 'ftp://a/', 'file:///etc/passwd', 'https://me@a/']) {
    assert.throws(() => parseFeedUrl(text), UsageFault, text)
  }
  assert.throws(
    () => parseFeedUrl('https://me:s3cret@a/'),
    (fault: Error) => !fault.message.includes('s3cret'),
  )
})

test('an interval is a whole number of minutes from 1 to a week', () => {
  assert.deepEqual(['1', '10080'].map(parseEvery), [60_000, 604_800_000])
  for (const text of ['0', '-1', '1.5', '10081', 'x', ''])
    assert.throws(() => parseEvery(text), UsageFault, text)
})

test('a name is one line, without the space around it', () => {
  assert.equal(parseName('name', ' Zoë’s  clinic '), 'Zoë’s  clinic')
  assert.throws(() => parseName('name', 'a\u001b[2Jb'), UsageFault)
})

test('nearest() knows what was meant, and that nothing was', () => {
  assert.equal(nearest('key lsit', ['key create', 'key list']), 'key list')
  assert.equal(nearest('reboot', ['key create', 'key list', 'serve']), undefined)
})

test('a table aligns its columns and lets no control character through', () => {
  assert.equal(
    formatTable(
      ['NAME', 'N', 'LAST'],
      [
        ['a\u001b[31mb', 5, undefined],
        ['c', 1234, 'x'],
      ],
    ),
    ['NAME        N  LAST', 'a [31mb     5  -', 'c        1234  x'].join('\n'),
  )
})
