import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CommandLine, commandLine } from '../../test/support/cli/command-line.ts'

const WARNING = 'Warning: without a terminal, the next version of this command will need --yes.\n'

async function addSource(slots: CommandLine): Promise<void> {
  await slots.run('source', 'add', 'north', 'https://north.example/$bulk-publish')
}

test('asks on a terminal before it removes a source, and says what goes', async (t) => {
  const slots = await commandLine(t)
  await addSource(slots)
  for (const answer of ['', 'n', 'no', 'yesterday']) {
    const kept = await slots.onTerminal(answer, 'source', 'remove', 'north')
    assert.deepEqual([kept.code, kept.out, kept.err], [1, '', 'Canceled: nothing was changed.\n'], answer)
    assert.deepEqual(kept.questions, [
      'Remove source north with 0 slots and 0 syncs of history? This cannot be undone. [y/N] ',
    ])
  }
  assert.equal((await slots.json('source', 'list')).length, 1)
  const removed = await slots.onTerminal(' Yes ', 'source', 'remove', 'north')
  assert.deepEqual([removed.code, removed.err], [0, ''])
  assert.deepEqual(await slots.json('source', 'list'), [])
  const unknown = await slots.onTerminal('y', 'source', 'remove', 'north')
  assert.deepEqual([unknown.code, unknown.questions], [1, []])
})

test('without a terminal, warns of commands that will need --yes, and refuses new ones', async (t) => {
  const slots = await commandLine(t)
  await addSource(slots)
  assert.equal((await slots.run('source', 'remove', 'north')).err, WARNING)
  await addSource(slots)
  const removed = await slots.run('source', 'remove', 'north', '--yes')
  assert.deepEqual([removed.code, removed.err], [0, ''])
  await slots.run('org', 'create', 'Acme')
  const { id } = await slots.json('key', 'create', '--org', 'Acme', '--name', 'web')
  assert.equal((await slots.run('key', 'revoke', id)).err, WARNING)
  assert.equal((await slots.run('key', 'revoke', id)).err, '', 'nothing is left to revoke')
  const refused = await slots.run('org', 'delete', 'Acme')
  assert.deepEqual([refused.code, refused.err], [2, 'Without a terminal, this command needs --yes.\n'])
  assert.equal((await slots.json('org', 'list')).length, 1)
})

test('asks before it revokes a key', async (t) => {
  const slots = await commandLine(t)
  await slots.run('org', 'create', 'Acme')
  const { id } = await slots.json('key', 'create', '--org', 'Acme', '--name', 'web')
  const kept = await slots.onTerminal('n', 'key', 'revoke', id)
  assert.deepEqual(
    [kept.code, kept.questions],
    [1, [`Revoke key ${id} ("web", never used)? This cannot be undone. [y/N] `]],
  )
  assert.equal((await slots.onTerminal('y', 'key', 'revoke', id)).code, 0)
  assert.deepEqual((await slots.onTerminal('n', 'key', 'revoke', id)).questions, [])
})

test('org rename and org delete change an organization by name or id', async (t) => {
  const slots = await commandLine(t)
  const { id } = await slots.json('org', 'create', 'Acme')
  await slots.run('org', 'create', 'Other')
  await slots.run('key', 'create', '--org', 'Acme')
  assert.equal((await slots.run('org', 'rename', 'acme', 'other')).code, 1)
  assert.deepEqual(await slots.json('org', 'rename', 'acme', 'Better Health'), {
    id,
    name: 'Better Health',
    previousName: 'Acme',
  })
  const kept = await slots.onTerminal('n', 'org', 'delete', id)
  assert.deepEqual(kept.questions, [
    'Delete organization "Better Health" with 1 active key and 0 members? This cannot be undone. [y/N] ',
  ])
  assert.deepEqual(await slots.json('org', 'delete', id, '--yes'), {
    id,
    name: 'Better Health',
    revokedKeys: 1,
    members: 0,
  })
  assert.deepEqual(
    (await slots.json('org', 'list')).map(({ name }: { name: string }) => name),
    ['Other'],
  )
  const [key] = await slots.json('key', 'list')
  assert.equal(key.status, 'revoked')
})
