import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { commandLine } from '../../test/support/cli/command-line.ts'
import { openStore } from '../store/open-store.ts'

test('audit list prints the log of the service or of an organization', async (t) => {
  const slots = await commandLine(t)
  await slots.run('operator', 'link')
  await slots.run('org', 'create', 'Acme')
  const service = await slots.json('audit', 'list')
  assert.deepEqual(
    service.map(({ id, kind, actor }: Record<string, unknown>) => [id, kind, actor]),
    [[1, 'setup-link.created', 'command line']],
  )
  assert.deepEqual(await slots.json('audit', 'list', '--before', '1'), [])
  assert.deepEqual(await slots.json('audit', 'list', '--actor', 'ada'), [])
  const [{ kind }] = await slots.json('audit', 'list', '--org', 'acme')
  assert.equal(kind, 'organization.created')
  const { out } = await slots.run('audit', 'list', '--kind', 'setup-link.created')
  assert.match(out, /^ID +TIME +KIND +BY +/)
  assert.equal((await slots.run('audit', 'list', '--kind', 'x')).code, 2)
})

test('audit verify reports the first entry that was changed, and a missing head', async (t) => {
  const slots = await commandLine(t)
  for (const name of ['Acme', 'Best', 'Care']) await slots.run('org', 'create', name)
  const { entries, head } = await slots.json('audit', 'verify')
  assert.equal(entries, 3)
  assert.match(head, /^3:[0-9a-f]{64}$/)
  await slots.run('org', 'create', 'Dent')
  assert.equal((await slots.run('audit', 'verify', '--head', head)).code, 0)
  const other = await slots.run('audit', 'verify', '--head', `3:${'0'.repeat(64)}`)
  assert.deepEqual(
    [other.code, other.err.slice(0, 61)],
    [1, 'The audit log was tampered with: it no longer contains the he'],
  )
  assert.equal((await slots.run('audit', 'verify', '--head', `9:${'0'.repeat(64)}`)).code, 1)
  const store = await openStore(slots.databaseUrl)
  await sql.raw('drop trigger audit_refuses_update').execute(store.signIn.queries)
  await sql.raw(`update audit set actor_name = 'nobody' where id = 2`).execute(store.signIn.queries)
  await store.close()
  const broken = await slots.run('audit', 'verify')
  assert.deepEqual(
    [broken.code, broken.err],
    [1, 'The audit log was tampered with: at entry 2, the entry was changed.\n'],
  )
})
