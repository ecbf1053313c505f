import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressesOf } from './addresses.ts'

test('each host of a URL has an address, and all share the rest', () => {
  const cases: [string, string[]][] = [
    ['postgres://h/db', ['postgres://h/db']],
    ['postgresql://h', ['postgresql://h']],
    [
      'postgres://me:a%40b@one:5432,two,[::1]:6543/db?application_name=x',
      [
        'postgres://me:a%40b@one:5432/db?application_name=scheduling-slots%3Ax',
        'postgres://me:a%40b@two/db?application_name=scheduling-slots%3Ax',
        'postgres://me:a%40b@[::1]:6543/db?application_name=scheduling-slots%3Ax',
      ],
    ],
    ['postgres:///db?host=/var/run/postgresql', ['postgres:///db?host=/var/run/postgresql']],
  ]
  for (const [url, addresses] of cases) assert.deepEqual(addressesOf(url), addresses)
})

test('what is no such URL is refused, without its password', () => {
  for (const url of [
    'mysql://me:geheim@h/db',
    'postgres:/me:geheim@h/db',
    'postgres://me:geheim@h:port/db',
    'postgres://me:geheim@one,,two:x/db',
  ]) {
    assert.throws(
      () => addressesOf(url),
      (error: Error) =>
        /^Cannot open store: /.test(error.message) && !JSON.stringify([error, error.message]).includes('geheim'),
      url,
    )
  }
})

test('the modes of TLS are those of libpq, and one that would go on without it is refused', () => {
  for (const mode of ['disable', 'require', 'verify-ca', 'verify-full']) {
    const [address] = addressesOf(`postgres://h/db?sslmode=${mode}`)
    assert.equal(address, `postgres://h/db?sslmode=${mode}&uselibpqcompat=true`)
  }
  for (const mode of ['prefer', 'allow', 'no-verify', 'Require', '']) {
    assert.throws(() => addressesOf(`postgres://h/db?sslmode=${mode}`), /sslmode must be one of disable, require/)
  }
  assert.deepEqual(addressesOf('postgres://h/db?sslmode=verify-full&sslrootcert=system'), [
    'postgres://h/db?sslmode=verify-full&uselibpqcompat=true',
  ])
})
