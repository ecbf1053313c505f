import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asObject, asText, distinctByJson, excerpt, got, isObject, objectsIn, textsIn } from './json.ts'

test('an object is neither null nor an array', () => {
  const values = [{}, { a: 1 }, null, [], 'text', 1, undefined]
  assert.deepEqual(values.map(isObject), [true, true, false, false, false, false, false])
  assert.deepEqual(asObject({ a: 1 }), { a: 1 })
  assert.equal(asObject([]), undefined)
})

test('values with equal JSON are one, at the place of the first', () => {
  assert.deepEqual(distinctByJson([{ a: 1 }, { b: 2 }, { a: 1 }, { a: 1, b: 2 }]), [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }])
  assert.deepEqual(distinctByJson([]), [])
})

test('a single object counts as an array of one', () => {
  assert.deepEqual(objectsIn([{ a: 1 }, null, 'text', { b: 2 }]), [{ a: 1 }, { b: 2 }])
  assert.deepEqual(objectsIn({ a: 1 }), [{ a: 1 }])
  assert.deepEqual(objectsIn('text'), [])
})

test('texts are trimmed, and absent if empty or too long', () => {
  assert.deepEqual([' a\tb\n', 'c\u0085', 12, 'half \ud83d', '', '  ', 'x'.repeat(2001), null, {}].map(asText), [
    'a b',
    'c',
    '12',
    'half \ufffd',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  assert.deepEqual(textsIn(['b', 'a', 'b', '', null]), ['b', 'a'])
  assert.deepEqual(textsIn('a'), ['a'])
  assert.equal(textsIn(Array.from({ length: 30 }, (_, n) => `${n}`)).length, 20)
})

test('a number beyond 2^53 is no text: two numbers that differ in the last digits would be equal', () => {
  assert.deepEqual([2 ** 53 - 1, 1.5, 2 ** 53, -1e20].map(asText), ['9007199254740991', '1.5', undefined, undefined])
})

test('an excerpt is short, however deep its value is nested', () => {
  assert.equal(excerpt({ a: 1, b: { c: 2 }, d: [3] }), '{"a":1,"b":"…","d":"…"}')
  assert.equal(excerpt(undefined), '')
  assert.deepEqual([got(undefined), got(5)], ['not provided', 'got "5"'])
  assert.equal(excerpt('x'.repeat(100)), `${'x'.repeat(79)}…`)
  let deep: unknown = []
  for (let depth = 0; depth < 100_000; depth++) deep = [deep]
  assert.equal(excerpt(deep), '["…"]')
})
