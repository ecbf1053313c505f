import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseRfc3339 } from './instant.ts'
import { BOOLEAN, form, INSTANT, integer, oneOf, POINT, positive, TEXT, type ValueKind } from './query-parameter.ts'

const KINDS: Record<string, ValueKind<unknown>> = {
  integer: integer({ min: 1, max: 100 }),
  'large integer': integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  positive: positive({ max: 500 }),
  oneOf: oneOf(['free', 'busy']),
  boolean: BOOLEAN,
  text: TEXT,
  form: form(/^[A-Za-z0-9 -]{1,10}$/, 'a postal code'),
  instant: INSTANT,
  point: POINT,
}

/** Validates a URL parameter by the subset of JSON Schema that the API uses. */
function isValid(schema: Record<string, unknown>, text: string): boolean {
  const { type, format, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
  if (Array.isArray(schema.enum)) return schema.enum.includes(text)
  if (type === 'boolean') return text === 'true' || text === 'false'
  if (type === 'integer' || type === 'number') return isNumberWithin(schema, text)
  if (format === 'date-time') return parseRfc3339(text) !== undefined
  const length = [...text].length
  if (length < Number(minLength) || length > Number(maxLength)) return false
  return pattern === undefined || new RegExp(String(pattern), 'u').test(text)
}

function isNumberWithin({ type, minimum, maximum, exclusiveMinimum }: Record<string, unknown>, text: string) {
  if (!(type === 'integer' ? /^\d{1,16}$/ : /^\d{1,16}(\.\d{1,30})?(e-\d{1,3})?$/).test(text)) return false
  const number = Number(text)
  return (
    (minimum === undefined || number >= Number(minimum)) &&
    (maximum === undefined || number <= Number(maximum)) &&
    (exclusiveMinimum === undefined || number > Number(exclusiveMinimum))
  )
}

const degrees = fc.oneof(
  fc.integer({ min: -200, max: 200 }).map(String),
  fc.double({ min: -190, max: 190, noNaN: true }).map((value) => value.toFixed(4)),
)
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme', minLength: 195, maxLength: 205 }),
  fc.constantFrom('free', 'busy', 'true', 'false', 'TRUE', '1e2', '-1', '+5', '5.', '.5', ' 5', '5 ', ''),
  fc.integer({ min: -2, max: 600 }).map(String),
  fc.double({ min: 0, max: 501, noNaN: true }).map(String),
  fc.bigInt({ min: 0n, max: 10n ** 17n }).map(String),
  fc.tuple(degrees, degrees).map((pair) => pair.join(',')),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
)

for (const [name, kind] of Object.entries(KINDS)) {
  test(`accepts as ${name} exactly what its schema allows`, () => {
    const property = fc.property(text, (value) => {
      assert.equal(kind.parse(value) !== undefined, isValid(kind.schema, value), value)
    })
    fc.assert(property, { numRuns: 1000 })
  })
}

test('accepts points on the globe and rejects others', () => {
  const property = fc.property(degrees, degrees, (latitude, longitude) => {
    const isOnGlobe = Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180
    const point = { latitude: Number(latitude), longitude: Number(longitude) }
    assert.deepEqual(POINT.parse(`${latitude},${longitude}`), isOnGlobe ? point : undefined)
  })
  fc.assert(property, { numRuns: 2000 })
  for (const wrong of ['42.36', '42.36,', '42.36,-71.06,0', '42.36, -71.06', '+42,0', '1e1,0', 'NaN,0'])
    assert.equal(POINT.parse(wrong), undefined, wrong)
})

test('ignores spaces around a text', () => {
  assert.deepEqual([TEXT.parse(' Boston '), TEXT.parse('New  York\t')], ['Boston', 'New  York'])
  assert.equal(TEXT.parse('  '), '  ')
})

test('hints that the + of an instant may have become a space', () => {
  assert.match(INSTANT.hint?.('2026-06-01T00:00:00 00:00') ?? '', /%2B/)
  assert.equal(INSTANT.hint?.('2026-06-01'), '')
})

test('parses numbers and points as programs write them, with all digits', () => {
  for (const number of [0.1 + 0.2, 1 / 3, 1e-7, 499.99999999999994])
    assert.equal(positive({ max: 500 }).parse(`${number}`), number)
  for (const [latitude, longitude] of [
    [51.5, -0.30000000000000004],
    [0.1 * 1.1, 179.99999999999997],
    [-89.99999999999999, 0.012345678901234567],
  ])
    assert.deepEqual(POINT.parse(`${latitude},${longitude}`), { latitude, longitude })
})
