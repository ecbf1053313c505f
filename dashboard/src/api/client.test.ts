import assert from 'node:assert/strict'
import { test } from 'node:test'
import { path, search } from './client.ts'

test('escapes the variable parts of a path', () => {
  assert.equal(path`/organizations/${'a/../b'}/keys/${'c d?'}`, '/organizations/a%2F..%2Fb/keys/c%20d%3F')
})

test('leaves absent values out of a query', () => {
  assert.equal(search({ fromMs: 0, key: undefined, actor: '', paused: false }), '?fromMs=0&paused=false')
  assert.equal(search({ key: undefined }), '')
})
