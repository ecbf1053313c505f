import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidData } from '../rejections.ts'
import { parseResource } from './parse-resource.ts'

test('accepts raw control characters inside strings', () => {
  assert.deepEqual(parseResource('{"a":"x\ty\u0001\\"\t\\\\","b":\t1}', false), {
    a: 'x\ty\u0001"\t\\',
    b: 1,
  })
})

test('rejects raw control characters when strict', () => {
  assert.throws(() => parseResource('{"a":"x\ty"}', true), InvalidData)
})

test('rejects null outside arrays when strict', () => {
  assert.throws(() => parseResource('{"a":{"code":null}}', true), /"code" must be absent or have a value: got "null"/)
  assert.deepEqual(parseResource('{"given":["a",null]}', true), { given: ['a', null] })
  assert.deepEqual(parseResource('{"a":null}', false), { a: null })
})

test('explains why a line is not an object', () => {
  for (const line of ['', '{', '[]', 'null', '5', '"x"', '{"a":1}}', "{'a':1}", '{"a":"x\ty"', 'undefined', '\t']) {
    assert.throws(
      () => parseResource(line, false),
      (error) => error instanceof InvalidData && /^the line must be/.test(error.message),
    )
  }
})

test('never changes a prototype', () => {
  const resource = parseResource(
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":"\t"}',
    false,
  )
  assert.equal(Object.getPrototypeOf(resource), Object.prototype)
  assert.equal(Reflect.get({}, 'polluted'), undefined)
})

test('rejects deeply nested brackets', () => {
  assert.throws(() => parseResource('['.repeat(1_000_000), false), InvalidData)
  assert.throws(() => parseResource('{"a":'.repeat(200_000), false), InvalidData)
  assert.throws(() => parseResource(`${'['.repeat(500_000)}${']'.repeat(500_000)}`, false), InvalidData)
  assert.throws(() => parseResource(`${'['.repeat(500_000)}${']'.repeat(500_000)}`, true), InvalidData)
})
