import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandLine } from '../../test/support/cli/command-line.ts'

test('commands but those that add the first entries need a store', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'slots-none-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'slots.db')
  const slots = await commandLine(t, { DATABASE_URL: `sqlite:${path}` })
  const commands = ['key list', 'source list', 'audit verify', 'operator link', 'sync', 'store renew', 'backup copy.db']
  for (const command of commands) {
    const { code, out, err } = await slots.run(...command.split(' '))
    assert.deepEqual([code, out], [1, ''], command)
    assert.match(err, /^Cannot open store: it does not exist: ".*slots\.db"\n.*DATABASE_URL/, command)
    assert.ok(!existsSync(path), command)
  }
  await slots.json('org', 'create', 'Acme')
  assert.deepEqual(await slots.json('key', 'list'), [])
})
