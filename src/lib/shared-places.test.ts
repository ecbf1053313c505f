import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedPlaces } from './shared-places.ts'

test('limits the places in all and of an owner', () => {
  const places = new SharedPlaces(3, 2)
  const first = places.take('a')
  assert.ok(first && places.take('a'))
  assert.equal(places.take('a'), undefined)
  assert.ok(places.take('b'))
  assert.equal(places.take('c'), undefined, 'there are three in all')
  first()
  assert.ok(places.take('c'))
  assert.equal(places.take('a'), undefined)
})
