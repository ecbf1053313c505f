import assert from 'node:assert/strict'
import { promises as dns, type LookupAddress } from 'node:dns'
import { test } from 'node:test'
import { assertPublicHost, isPublicAddress, PrivateAddress, publicLookup, type Resolve } from './public-address.ts'

for (const [address, what] of [
  ['0.0.0.0', 'unspecified'],
  ['10.1.2.3', 'private'],
  ['100.64.0.1', 'shared by carriers'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['169.254.169.254', 'link-local, where clouds keep their secrets'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.2.1', 'documentation'],
  ['192.168.1.1', 'private'],
  ['198.18.0.1', 'benchmarks'],
  ['203.0.113.9', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'mapped IPv4'],
  ['::ffff:8.8.8.8', 'mapped IPv4'],
  ['::7f00:1', 'compatible IPv4'],
  ['64:ff9b::7f00:1', 'NAT64'],
  ['64:ff9b:1::1', 'local NAT64'],
  ['100::1', 'discard'],
  ['2001::1', 'Teredo'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::', '6to4'],
  ['3fff::1', 'documentation'],
  ['fc00::1', 'unique local'],
  ['fd12:3456::1', 'unique local'],
  ['fe80::1', 'link-local'],
  ['ff02::1', 'multicast'],
  ['localhost', 'not an address'],
]) {
  test(`${address} is not public: ${what}`, () => assert.equal(isPublicAddress(address), false))
}

test('internet addresses are public', () => {
  for (const address of ['8.8.8.8', '172.15.0.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1']) {
    assert.equal(isPublicAddress(address), true, address)
  }
})

test('rejects private addresses as hosts in every notation of a URL', () => {
  for (const host of ['127.0.0.1', '127.1', '0x7f.0.0.1', '2130706433', '017700000001', '[::1]', '[::ffff:7f00:1]']) {
    assert.throws(() => assertPublicHost(new URL(`http://${host}/`)), PrivateAddress, host)
  }
  assertPublicHost(new URL('http://8.8.8.8/'))
  assertPublicHost(new URL('http://example.org/'))
})

/** A name server that gives these addresses. */
const giving =
  (...addresses: LookupAddress[]): Resolve =>
  (_hostname, _options, callback) =>
    callback(null, addresses)

function lookUp(resolve: Resolve | undefined, hostname: string, all: boolean): Promise<unknown> {
  return new Promise((done, fail) => {
    publicLookup(resolve)(hostname, { all }, (error, address) => (error ? fail(error) : done(address)))
  })
}

const inside = { address: '10.0.0.1', family: 4 }
const outside = { address: '8.8.8.8', family: 4 }

test('yields only the public addresses of a name', async () => {
  assert.deepEqual(await lookUp(giving(inside, outside), 'mixed.test', true), [outside])
  assert.equal(await lookUp(giving(inside, outside), 'mixed.test', false), '8.8.8.8')
})

test('rejects a name with only private addresses and lists them', async () => {
  await assert.rejects(lookUp(giving(inside), 'rebound.test', true), {
    name: 'PrivateAddress',
    message: 'Cannot connect to rebound.test: the address must be public: got "10.0.0.1"',
  })
})

test('rejects localhost as resolved by the system', async () => {
  assert.ok((await dns.lookup('localhost', { all: true })).length > 0)
  await assert.rejects(lookUp(undefined, 'localhost', true), PrivateAddress)
})
