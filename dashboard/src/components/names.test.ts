import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialOf, isolated } from './names.ts'

test('initialOf() keeps an emoji and a letter with its marks whole', () => {
  assert.equal(initialOf('ada'), 'A')
  assert.equal(initialOf('👩🏽‍💻 Family Care'), '👩🏽‍💻')
  assert.equal(initialOf('e\u0301mile'), 'E\u0301')
  assert.equal(initialOf('قاسم'), 'ق')
  assert.equal(initialOf(''), '')
})

test('isolated() isolates names that are right to left, and leaves others as they are', () => {
  assert.equal(isolated('Ada 👩🏽‍💻'), 'Ada 👩🏽‍💻')
  assert.equal(isolated('קופת חולים'), '\u2068קופת חולים\u2069')
  assert.equal(isolated('Clinic (فرع)'), '\u2068Clinic (فرع)\u2069')
})
