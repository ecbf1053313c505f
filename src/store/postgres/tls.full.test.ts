import assert from 'node:assert/strict'
import { chmod, chown, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { PostgresServer } from '../../../test/postgres/postgres-server.ts'
import { Primary } from './connections.ts'

/** A certificate for `localhost`, its key and its authority, for these tests only. Valid until 2126. */
const TLS = join(import.meta.dirname, '../../../test/postgres/tls')
const AUTHORITY = join(TLS, 'authority.pem')

const folder = await mkdtemp(join(tmpdir(), 'slots-tls-'))
const server = await PostgresServer.start({
  ssl: 'on',
  ssl_cert_file: await copyForServer('server.pem'),
  ssl_key_file: await copyForServer('server-key.pem'),
})
const plain = await PostgresServer.start()
after(async () => {
  await Promise.all([server[Symbol.asyncDispose](), plain[Symbol.asyncDispose]()])
  await rm(folder, { recursive: true })
})

/** The server refuses a key file that other users own or can read. */
async function copyForServer(name: string): Promise<string> {
  const path = join(folder, name)
  await chmod(folder, 0o755)
  await copyFile(join(TLS, name), path)
  await chmod(path, 0o600)
  if (process.getuid?.() === 0) await chown(path, 65_534, 65_534)
  return path
}

/** How the connection is encrypted; undefined if it is not. Rejects if there is none. */
async function cipherWith(parameters: string, { host = 'localhost', port = server.port } = {}) {
  const primary = new Primary(`postgres://tester:secret@${host}:${port}/postgres?${parameters}`)
  try {
    const { rows } = await primary.query({
      text: 'select cipher from pg_stat_ssl where pid = pg_backend_pid()',
    })
    return rows[0].cipher ?? undefined
  } finally {
    await primary.end()
  }
}

test('does not encrypt without sslmode, or with sslmode=disable', async () => {
  assert.equal(await cipherWith(''), undefined)
  assert.equal(await cipherWith('sslmode=disable'), undefined)
})

test('sslmode=require encrypts without verifying the server, and fails without TLS', async () => {
  assert.match(await cipherWith('sslmode=require'), /AES|CHACHA/)
  await assert.rejects(cipherWith('sslmode=require', { host: '127.0.0.1', port: plain.port }), /does not support SSL/)
})

test('sslmode=verify-full requires a certificate for the host from a trusted authority', async () => {
  const parameters = `sslmode=verify-full&sslrootcert=${AUTHORITY}`
  assert.match(await cipherWith(parameters), /AES|CHACHA/)
  await assert.rejects(cipherWith(parameters, { host: '127.0.0.1' }), {
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  })
  for (const others of ['sslmode=verify-full', 'sslmode=verify-full&sslrootcert=system']) {
    await assert.rejects(cipherWith(others), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
  }
})

test('sslmode=verify-ca requires a trusted authority for any host, which must be named', async () => {
  const parameters = `sslmode=verify-ca&sslrootcert=${AUTHORITY}`
  assert.match(await cipherWith(parameters, { host: '127.0.0.1' }), /AES|CHACHA/)
  assert.throws(() => new Primary('postgres://localhost/x?sslmode=verify-ca'), /sslrootcert/)
  assert.throws(() => new Primary('postgres://localhost/x?sslmode=verify-ca&sslrootcert=/nowhere'), {
    code: 'ENOENT',
  })
})
