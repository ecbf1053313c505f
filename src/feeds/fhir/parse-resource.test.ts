import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidData } from '../invalid-data.ts'
import { parseResource } from './parse-resource.ts'

test('takes raw control characters inside strings as written', () => {
  assert.deepEqual(parseResource('{"a":"x\ty\u0001\\"\t\\\\","b":\t1}', false), {
    a: 'x\ty\u0001"\t\\',
    b: 1,
  })
})

test('refuses raw control characters when strict', () => {
  assert.throws(() => parseResource('{"a":"x\ty"}', true), InvalidData)
})

test('refuses null when strict, except in arrays, where FHIR has it', () => {
  assert.throws(
    () => parseResource('{"a":{"code":null}}', true),
    /"code" must be absent or have a value: got "null"/,
  )
  assert.deepEqual(parseResource('{"given":["a",null]}', true), { given: ['a', null] })
  assert.deepEqual(parseResource('{"a":null}', false), { a: null })
})

test('says what is wrong with a line that is no object', () => {
  for (const line of [
    '',
    '{',
    '[]',
    'null',
    '5',
    '"x"',
    '{"a":1}}',
    "{'a':1}",
    '{"a":"x\ty"',
    'undefined',
    '\t',
  ]) {
    assert.throws(
      () => parseResource(line, false),
      (error) => error instanceof InvalidData && /^the line must be/.test(error.message),
    )
  }
})

test('changes no prototype, whatever the keys', () => {
  const resource = parseResource(
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":"\t"}',
    false,
  )
  assert.equal(Object.getPrototypeOf(resource), Object.prototype)
  assert.equal(Reflect.get({}, 'polluted'), undefined)
})

test('survives a line of nothing but brackets', () => {
  assert.throws(() => parseResource('['.repeat(1_000_000), false), InvalidData)
  assert.throws(() => parseResource('{"a":'.repeat(200_000), false), InvalidData)
  assert.throws(() => parseResource(`${'['.repeat(500_000)}${']'.repeat(500_000)}`, false), InvalidData)
  assert.throws(() => parseResource(`${'['.repeat(500_000)}${']'.repeat(500_000)}`, true), InvalidData)
})
