import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { Networks, parseNetwork } from './networks.ts'

test('writes addresses and networks in canonical form', () => {
  for (const [text, expected] of [
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7/32 ', '203.0.113.7'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['10.0.0.0/08', '10.0.0.0/8'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:DB8:0:0::/32', '2001:db8::/32'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
    ['::/0', '::/0'],
  ]) {
    assert.equal(parseNetwork(text), expected)
    assert.equal(parseNetwork(expected), expected)
  }
})

test('rejects everything else and says what to write', () => {
  for (const text of [
    '',
    'any',
    '10.0.0',
    '010.0.0.1',
    '10.0.0.0/33',
    '10.0.0.0/',
    '::/129',
    '::ffff:10.0.0.0/104',
    '::ffff:0:0/96',
    '::ffff:a01:203',
    '1.2.3.4/8/8',
    'fe80::1%eth0',
  ])
    assert.throws(() => parseNetwork(text), /must be an address or a CIDR range/, text)
  assert.throws(() => parseNetwork('10.1.2.3/8'), /write 10\.0\.0\.0\/8, or 10\.1\.2\.3 for one address/)
  assert.throws(() => parseNetwork('2001:db8::1/64'), /write 2001:db8::\/64, or 2001:db8::1 for one address/)
})

test('contains addresses of its own family only, however they are written', () => {
  const networks = new Networks(['10.0.0.0/8', '203.0.113.7', '2001:db8::/32'])
  for (const address of ['10.0.0.0', '10.255.255.255', '203.0.113.7', '2001:db8::', '2001:0DB8:ffff::1'])
    assert.ok(networks.has(address), address)
  for (const address of ['11.0.0.0', '9.255.255.255', '203.0.113.8', '2001:db9::', '::', '', 'localhost'])
    assert.ok(!networks.has(address), address)
  assert.ok(!new Networks(['::/0']).has('10.0.0.1'))
  assert.ok(new Networks(['::/0']).has('fe80::1%eth0'))
  assert.ok(!new Networks(['0.0.0.0/0']).has('::1'))
  assert.ok(!new Networks([]).has('10.0.0.1'))
})

test('a network contains exactly the addresses that share its prefix', () => {
  const families = fc.constantFrom({ family: 'ipv4', width: 32 } as const, { family: 'ipv6', width: 128 } as const)
  const cases = families.chain(({ family, width }) =>
    fc.record({
      family: fc.constant(family),
      width: fc.constant(width),
      bits: fc.integer({ min: 0, max: width }),
      value: fc.bigInt({ min: 0n, max: 2n ** BigInt(width) - 1n }),
      flipped: fc.integer({ min: 0, max: width - 1 }),
    }),
  )
  fc.assert(
    fc.property(cases, ({ family, width, bits, value, flipped }) => {
      const free = BigInt(width - bits)
      const first = (value >> free) << free
      const network = parseNetwork(`${textOf(first, width)}/${bits}`)
      const networks = new Networks([network])
      assert.ok(networks.has(textOf(value, width)))
      // Bit 0 is the first one.
      const other = value ^ (1n << BigInt(width - 1 - flipped))
      assert.equal(networks.has(textOf(other, width)), flipped >= bits)
      const oracle = new BlockList()
      oracle.addSubnet(textOf(first, width), bits, family)
      assert.equal(networks.has(textOf(other, width)), oracle.check(textOf(other, width), family))
    }),
  )
})

function textOf(value: bigint, width: number): string {
  if (width === 32) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.')
  return Array.from({ length: 8 }, (_, at) => ((value >> BigInt(112 - 16 * at)) & 0xffffn).toString(16)).join(':')
}
