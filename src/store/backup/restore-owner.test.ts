import assert from 'node:assert/strict'
import { chownSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { tempDatabaseUrl } from '../../../test/support/store/temp-store.ts'
import { mintApiKey } from '../../keys/mint-key.ts'
import { COMMAND_LINE } from '../contracts/audit.ts'
import { openStore, sqlitePath } from '../open-store.ts'
import { backUpSqlite } from './back-up.ts'
import { restoreSqlite } from './restore.ts'

const SKIP = { skip: process.getuid?.() !== 0 && 'needs root' }

test('files of a revocation and a restore by root belong to the owner of the store', SKIP, async () => {
  const databaseUrl = tempDatabaseUrl()
  const path = sqlitePath(databaseUrl) ?? ''
  const [folder, revocationLog] = [dirname(path), `${path}-revocations`]
  chownSync(folder, 1234, 5678)
  const store = await openStore(databaseUrl, { revocationLog })
  const { id: organizationId } = await store.organizations.create('Acme', COMMAND_LINE)
  const { key } = mintApiKey({ organizationId, name: 'app' }, Date.now())
  await store.keys.put(key)
  await store.keys.revoke(key.id, { atMs: Date.now(), by: COMMAND_LINE })
  await store.close()
  const copy = join(folder, 'copy')
  await backUpSqlite(path, copy)
  await restoreSqlite(copy, path, { replace: true, revocationLog, now: Date.now })
  const names = readdirSync(folder).filter((name) => name !== 'copy')
  assert.ok(names.includes('slots.db-revocations'))
  for (const name of names) {
    const { uid, gid } = statSync(join(folder, name))
    assert.deepEqual([name, uid, gid], [name, 1234, 5678])
  }
})
