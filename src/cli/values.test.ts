import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { z } from 'zod'
import { UsageError } from './command.ts'
import { formatTable } from './table.ts'
import { countValue, feedUrlValue, intervalValue, nameValue, parseExpiry, slugValue } from './values.ts'

const NOW = Date.UTC(2026, 0, 15, 12)

test('a key that expires on a date works until the end of that day in UTC', () => {
  assert.equal(parseExpiry('2026-01-15', NOW), Date.UTC(2026, 0, 16))
  assert.equal(parseExpiry('2028-02-29', NOW), Date.UTC(2028, 2, 1))
})

test('rejects an expiry that is past, impossible or without an offset', () => {
  for (const text of [
    '2026-01-14',
    '2026-01-15T12:00:00Z',
    '2027-02-29',
    '2027-01-01T00:00:00',
    '',
    '1',
    '9999-12-31',
  ]) {
    assert.throws(() => parseExpiry(text, NOW), UsageError, text)
  }
})

test('accepts slugs of 1 to 63 lowercase letters, digits and hyphens without a leading hyphen', () => {
  for (const slug of ['a', '4', 'a-b-', 'a'.repeat(63)]) assert.equal(slugValue.parse(slug), slug)
  for (const slug of ['', '-a', 'A', 'a_b', 'é', 'a b', 'a\n', 'a'.repeat(64)]) {
    assert.ok(isInvalid(slugValue, slug), slug)
  }
})

test('accepts http and https URLs with a query and without credentials', () => {
  const url = 'https://publisher.example/a/$bulk-publish?x=1'
  assert.equal(feedUrlValue.parse(url), url)
  for (const text of ['', '/a', 'publisher.example', 'ftp://a/', 'file:///etc/passwd', 'https://me@a/']) {
    assert.ok(isInvalid(feedUrlValue, text), text)
  }
  assert.doesNotMatch(feedUrlValue.safeParse('https://me:s3cret@a/').error?.message ?? 's3cret', /s3cret/)
})

test('accepts intervals of 1 minute to a week', () => {
  assert.deepEqual(
    ['1', '10080'].map((text) => intervalValue.parse(text)),
    [60_000, 604_800_000],
  )
  for (const text of ['0', '-1', '1.5', '10081', 'x', '']) assert.ok(isInvalid(intervalValue, text), text)
})

test('accepts counts in digits, up to a maximum', () => {
  assert.equal(countValue(1000).parse('1000'), 1000)
  for (const text of ['0', '-1', '1.5', '1001', '1e2', '0x10', ' 5', 'x', '']) {
    const { error } = countValue(1000).safeParse(text)
    assert.equal(error?.issues[0]?.message, `must be a whole number from 1 to 1000: got "${text}"`)
  }
})

test('accepts names of one line, trimmed', () => {
  assert.equal(nameValue.parse(' Zoë’s  clinic '), 'Zoë’s  clinic')
  assert.ok(isInvalid(nameValue, 'a\u001b[2Jb'))
})

test('aligns the columns of a table and replaces control characters', () => {
  assert.equal(
    formatTable(
      [
        { name: 'a\u001b[31mb', n: 5, last: undefined },
        { name: 'c', n: 1234, last: 'x' },
      ],
      { NAME: ({ name }) => name, N: ({ n }) => n, LAST: ({ last }) => last },
    ),
    ['NAME        N  LAST', 'a [31mb     5  -', 'c        1234  x'].join('\n'),
  )
  assert.equal(formatTable([], { NAME: () => '' }, 'No rows yet.'), 'No rows yet.')
})

function isInvalid(schema: z.ZodType, text: string): boolean {
  return !schema.safeParse(text).success
}
