import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressesOf } from './addresses.ts'

test('refuses a public host without TLS and says how to allow it', () => {
  for (const host of [
    'db.example.org:5432',
    '8.8.8.8',
    '[2600::1]:5432',
    'db,db.example.org',
    'db.intranet',
    '11.0.0.1',
    '172.32.0.1',
  ]) {
    assert.throws(
      () => addressesOf(`postgres://me:geheim@${host}/slots`),
      ({ message }: Error) =>
        /must use TLS.*sslmode=verify-full.*sslmode=disable/.test(message) && !/geheim/.test(message),
      host,
    )
  }
  assert.throws(() => addressesOf('postgres://db/slots?host=db.example.org'), /db\.example\.org must use TLS/)
})

test('leaves the choice about TLS to the operator', () => {
  for (const choice of [
    'sslmode=disable',
    'sslmode=require',
    'sslmode=verify-full',
    'ssl=true',
    'sslrootcert=ca.pem',
  ]) {
    assert.equal(addressesOf(`postgres://db.example.org/slots?${choice}`).length, 1, choice)
  }
})

test('allows private networks, loopback and Unix sockets without TLS', () => {
  for (const host of [
    'db',
    'localhost',
    '127.0.0.1:5432',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '100.64.0.1',
    '[::1]',
    '[fd00::1]:5432',
    '[fe80::1]',
    'postgres.slots.svc.cluster.local',
    'db.internal',
    'DB.Home.Arpa',
    '%2Fvar%2Frun%2Fpostgresql',
    '',
  ]) {
    assert.equal(addressesOf(`postgres://${host}/slots`).length, 1, host)
  }
  assert.equal(addressesOf('postgres:///slots?host=/var/run/postgresql').length, 1)
})
