import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressBlock } from './network-address.ts'

test('counts an IPv6 /64 network as one address', () => {
  assert.equal(addressBlock('192.0.2.1'), '192.0.2.1')
  assert.equal(addressBlock('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(addressBlock('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(addressBlock('2001:DB8:1:2::7'), '2001:db8:1:2::/64')
  assert.equal(addressBlock('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(addressBlock('::1'), '0:0:0:0::/64')
  assert.equal(addressBlock('unknown'), 'unknown')
})
