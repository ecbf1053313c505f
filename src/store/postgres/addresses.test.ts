import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressesOf } from './addresses.ts'

test('makes an address of each host of a URL, with the same parameters', () => {
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

test('rejects other URLs, without quoting the password', () => {
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

test('accepts the sslmode values of libpq, except those that fall back to no TLS', () => {
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
