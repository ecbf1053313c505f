import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { eventually } from '../../../test/support/eventually.ts'
import { tempDatabaseUrl } from '../../../test/support/store/temp-store.ts'
import { tempFolder } from '../../../test/support/temp-folder.ts'
import { mintApiKey } from '../../keys/mint-key.ts'
import type { LogEvent } from '../../lib/log-event.ts'
import { COMMAND_LINE } from '../contracts/audit.ts'
import { openStore, sqlitePath } from '../open-store.ts'
import { logCompletion } from './reapply-revocations.ts'
import { RevocationLog } from './revocation-log.ts'

const MODULE = new URL('revocation-log.ts', import.meta.url).href

/** Appends an entry that is longer than the files of the process may be. */
const APPEND = `
  const { RevocationLog } = await import(${JSON.stringify(MODULE)})
  const entry = { kind: 'organization.suspended', id: 'one', atMs: 1, reason: 'x'.repeat(9000) }
  new RevocationLog(process.argv[1]).append([entry])`

test('an entry that is only partly written is an error, and does not spoil the next', async (t) => {
  const folder = tempFolder(t)
  const path = join(folder, 'log')
  const command = 'ulimit -f 4; exec "$0" --input-type=module -e "$1" "$2"'
  await assert.rejects(promisify(execFile)('sh', ['-c', command, process.execPath, APPEND, path]))
  const log = new RevocationLog(path)
  assert.deepEqual(log.read(), [])
  const entry = { kind: 'account.resumed', id: 'two', atMs: 2 } as const
  log.append([entry])
  assert.deepEqual(log.read(), [entry])
})

test('a revocation that could not be logged is logged before the next attempt is confirmed', async (t) => {
  const databaseUrl = tempDatabaseUrl()
  const revocationLog = `${sqlitePath(databaseUrl)}-revocations`
  const store = await openStore(databaseUrl, { revocationLog })
  t.after(() => store.close())
  const { id: organizationId } = await store.organizations.create('Acme', COMMAND_LINE)
  const { key } = mintApiKey({ organizationId, name: 'leaked' }, 1)
  await store.keys.put(key)
  mkdirSync(revocationLog)
  await assert.rejects(store.keys.revoke(key.id, { atMs: 2, by: COMMAND_LINE }), {
    message: /^Cannot write the revocation log .*EISDIR.* The change is in effect/,
  })
  rmdirSync(revocationLog)
  assert.equal((await store.keys.revoke(key.id, { atMs: 3, by: COMMAND_LINE }))?.revokedAtMs, 2)
  assert.deepEqual(new RevocationLog(revocationLog).read(), [{ kind: 'key.revoked', id: key.id, atMs: 2 }])
})

test('a key whose rotation cannot be logged is not rotated: nobody would see the new one', async (t) => {
  const databaseUrl = tempDatabaseUrl()
  const revocationLog = `${sqlitePath(databaseUrl)}-revocations`
  const store = await openStore(databaseUrl, { revocationLog })
  t.after(() => store.close())
  const { id: organizationId } = await store.organizations.create('Acme', COMMAND_LINE)
  const { key } = mintApiKey({ organizationId, name: 'old' }, 1)
  await store.keys.put(key)
  mkdirSync(revocationLog)
  const next = mintApiKey({ organizationId, name: 'next' }, 2).key
  await assert.rejects(store.keys.rotate({ id: key.id, organizationId, untilMs: 9 }, next, COMMAND_LINE), {
    message: /^Cannot write the revocation log .*EISDIR/,
  })
  assert.equal((await store.keys.find(key.id))?.expiresAtMs, key.expiresAtMs)
  assert.equal(await store.keys.find(next.id), undefined)
})

test('a running service logs a suspension whose entry could not be written, once it can be', async (t) => {
  const databaseUrl = tempDatabaseUrl()
  const revocationLog = `${sqlitePath(databaseUrl)}-revocations`
  const store = await openStore(databaseUrl, { revocationLog })
  t.after(() => store.close())
  const { id } = await store.organizations.create('Acme', COMMAND_LINE)
  mkdirSync(revocationLog)
  const failures: LogEvent[] = []
  const log = new RevocationLog(revocationLog)
  const completion = logCompletion(store, log, (event) => failures.push(event))
  t.after(() => completion.close())
  await assert.rejects(store.organizations.suspend(id, 'Unpaid', COMMAND_LINE), /EISDIR/)
  completion.start()
  await eventually(() => failures.length > 0)
  assert.equal(failures[0]?.message, 'revocation log could not be completed')
  rmdirSync(revocationLog)
  completion.wake()
  const [entry] = await eventually(() => log.read().length > 0 && log.read())
  assert.deepEqual([entry?.kind, entry?.id], ['organization.suspended', id])
})
