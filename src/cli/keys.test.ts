import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandLine } from '../../test/support/cli/command-line.ts'
import { hashKey, hasKeyForm } from '../keys/key-ring.ts'
import { mintApiKey, mintKey } from '../keys/mint-key.ts'
import { openStore } from '../store/open-store.ts'

test('org create creates an organization and org list shows it', async (t) => {
  const slots = await commandLine(t)
  const created = await slots.json('org', 'create', ' Good Health ')
  assert.deepEqual(Object.keys(created), ['id', 'name', 'createdAt'])
  assert.equal(created.name, 'Good Health')
  assert.deepEqual(await slots.json('org', 'list'), [created])
  const { out } = await slots.run('org', 'list')
  assert.match(out, /^ID +NAME +STATUS +CREATED\norg_\w+ +Good Health +active +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$/)
})

test('org suspend and org resume change an organization once, and org list shows it', async (t) => {
  const slots = await commandLine(t)
  const { id } = await slots.json('org', 'create', 'Acme')
  await slots.json('key', 'create', '--org', 'Acme', '--name', 'web')
  assert.match((await slots.run('org', 'suspend', 'Acme')).err, /--reason/)
  const suspend = () => slots.run('org', 'suspend', 'acme', '--reason', 'Too many requests')
  assert.deepEqual((await suspend()).out, 'Suspended "Acme": 1 key is refused.\n')
  const twice = await suspend()
  assert.deepEqual([twice.code, twice.err], [1, 'Cannot suspend organization: it is already suspended: "Acme"\n'])
  assert.equal((await slots.json('org', 'list'))[0].suspendedReason, 'Too many requests')
  assert.match((await slots.run('org', 'list')).out, / Acme +suspended +20/)
  const resumed = await slots.json('org', 'resume', id)
  assert.deepEqual(resumed, { id, name: 'Acme', suspended: false, keys: 1 })
  assert.match((await slots.run('org', 'resume', 'Acme')).err, /^Cannot resume organization: it is not suspended/)
})

test('org create rejects a name that is in use or empty', async (t) => {
  const slots = await commandLine(t)
  await slots.run('org', 'create', 'Acme')
  const taken = await slots.run('org', 'create', 'ACME')
  assert.equal(taken.code, 1)
  assert.match(taken.err, /^Cannot create organization: its name must be unused: got "ACME"\n$/)
  for (const name of ['', '  ', 'a\nb', 'x'.repeat(201)]) {
    assert.equal((await slots.run('org', 'create', name)).code, 2, JSON.stringify(name))
  }
})

test('key create prints a key of which the store keeps only the hash', async (t) => {
  const slots = await commandLine(t)
  await slots.run('org', 'create', 'Acme')
  const created = await slots.json('key', 'create', '--org', 'acme', '--name', 'web')
  assert.deepEqual(Object.keys(created), ['id', 'key', 'org', 'name', 'lastFour', 'createdAt'])
  assert.ok(hasKeyForm(created.key))
  assert.deepEqual([created.org, created.name, created.lastFour], ['Acme', 'web', created.key.slice(-4)])
  const store = await openStore(slots.databaseUrl)
  const { keys } = await store.keys.changedSince(0)
  await store.close()
  assert.deepEqual(
    keys.map(({ id, hash }) => [id, hash]),
    [[created.id, hashKey(created.key)]],
  )
})

test('writes only the key to standard output', async (t) => {
  const slots = await commandLine(t)
  await slots.run('org', 'create', 'Acme')
  const { code, out, err } = await slots.run('key', 'create', '--org', 'Acme')
  assert.equal(code, 0)
  assert.ok(out.endsWith('\n') && hasKeyForm(out.trimEnd()))
  assert.match(err, /^Key key_\w+ \("default"\) of Acme never expires\. Store it safely: it is not shown again\.\n$/)
})

test('a key is shown once: list, revoke and errors never repeat it', async (t) => {
  const slots = await commandLine(t)
  await slots.run('org', 'create', 'Acme')
  const { id, key } = await slots.json('key', 'create', '--org', 'Acme')
  const later = [
    await slots.run('key', 'list'),
    await slots.run('key', 'list', '--json'),
    await slots.run('key', 'revoke', key),
    await slots.run('key', 'list', '--org', key),
    await slots.run('key', key),
    await slots.run('key', 'revoke', id, `--${key}`),
    await slots.run('key', 'revoke', id),
  ]
  assert.deepEqual(
    later.map(({ code }) => code),
    [0, 0, 1, 1, 2, 2, 0],
  )
  for (const { out, err } of later) assert.ok(!`${out}${err}`.includes(key.slice(7, 50)))
  assert.ok(later[0].out.includes(`svc_sk_…${key.slice(-4)}`))
})

test('key create accepts an expiry as a UTC date or an instant', async (t) => {
  const slots = await commandLine(t)
  await slots.run('org', 'create', 'Acme')
  const expiryOf = async (text: string) =>
    (await slots.json('key', 'create', '--org', 'Acme', '--expires', text)).expiresAt
  assert.equal(await expiryOf('2090-12-31'), '2091-01-01T00:00:00.000Z')
  assert.equal(await expiryOf('2090-12-31T12:00:00-05:00'), '2090-12-31T17:00:00.000Z')
})

test('key create creates no key if an option is invalid', async (t) => {
  const slots = await commandLine(t)
  await slots.run('org', 'create', 'Acme')
  assert.equal((await slots.run('key', 'create', '--org', 'Other')).code, 1)
  for (const wrong of [
    ['--expires', '2001-01-01'],
    ['--expires', 'tomorrow'],
    ['--name', ' '],
  ]) {
    assert.equal((await slots.run('key', 'create', '--org', 'Acme', ...wrong)).code, 2, wrong.join(' '))
  }
  assert.deepEqual(await slots.json('key', 'list'), [])
})

test('key list shows each key with its organization and status, newest first', async (t) => {
  const slots = await commandLine(t)
  const { id: organizationId } = await slots.json('org', 'create', 'Acme')
  await slots.run('org', 'create', 'Other')
  const store = await openStore(slots.databaseUrl)
  const { key: old } = mintApiKey({ organizationId, name: 'old', expiresAtMs: 2000 }, 1000)
  await store.keys.put({ ...old, lastUsedAtMs: 1500 })
  await store.close()
  const leaked = await slots.json('key', 'create', '--org', 'Acme', '--name', 'leaked')
  await slots.run('key', 'revoke', leaked.id, '--reason', 'left in a repository')
  const { key: _, ...live } = await slots.json('key', 'create', '--org', 'Other', '--name', 'live')
  const all = await slots.json('key', 'list')
  assert.deepEqual(all[0], { ...live, status: 'active' })
  assert.deepEqual([all[1].status, all[1].revokedReason], ['revoked', 'left in a repository'])
  assert.deepEqual(all[2], {
    id: old.id,
    org: 'Acme',
    name: 'old',
    lastFour: old.lastFour,
    status: 'expired',
    createdAt: '1970-01-01T00:00:01.000Z',
    lastUsedAt: '1970-01-01T00:00:01.500Z',
    expiresAt: '1970-01-01T00:00:02.000Z',
  })
  assert.deepEqual(await slots.json('key', 'list', '--org', 'acme'), all.slice(1))
})

test('key revoke keeps the first reason and fails for an unknown id', async (t) => {
  const slots = await commandLine(t)
  await slots.run('org', 'create', 'Acme')
  const { id } = await slots.json('key', 'create', '--org', 'Acme')
  const first = await slots.json('key', 'revoke', id, '--reason', 'one')
  assert.deepEqual(await slots.json('key', 'revoke', id, '--reason', 'two'), first)
  const unknown = await slots.run('key', 'revoke', mintKey())
  assert.equal(unknown.code, 1)
  assert.match(unknown.err, /^Cannot revoke key: no key has the ID "svc_sk_\[redacted\]"/)
})

test('key rotate prints the new key, which has the name and lifetime of the old one', async (t) => {
  const slots = await commandLine(t)
  await slots.run('org', 'create', 'Acme')
  const old = await slots.json('key', 'create', '--org', 'Acme', '--name', 'web', '--expires', '2090-12-31')
  const { code, out, err } = await slots.run('key', 'rotate', old.id)
  assert.equal(code, 0)
  assert.ok(hasKeyForm(out.trimEnd()))
  assert.match(err, /^Key key_\w+ \("web"\) expires .* The old key stays active until \d{4}-/)
  const [next, before] = await slots.json('key', 'list')
  assert.deepEqual([next.name, next.status, before.id], ['web', 'active', old.id])
  const again = await slots.run('key', 'rotate', old.id)
  assert.match(again.err, /^Cannot rotate key: it was rotated before, or is not active\n$/)
  const last = await slots.json('key', 'rotate', next.id, '--keep-old', '0', '--expires', 'never')
  assert.equal(last.expiresAt, undefined)
  const { status } = (await slots.json('key', 'list')).find(({ id }: { id: string }) => id === next.id)
  assert.equal(status, 'revoked')
  assert.equal((await slots.run('key', 'rotate', 'key_0')).code, 1)
  assert.equal((await slots.run('key', 'rotate', last.id, '--keep-old', '2h')).code, 2)
})

test('key edit changes the fields that are given, and key create limits a key to networks', async (t) => {
  const slots = await commandLine(t)
  await slots.run('org', 'create', 'Acme')
  const limits = ['--networks', '10.0.0.0/8, 2001:DB8::/32', '--note', 'web']
  const { id, networks, note } = await slots.json('key', 'create', '--org', 'Acme', ...limits)
  assert.deepEqual([networks, note], [['10.0.0.0/8', '2001:db8::/32'], 'web'])
  const edit = (...options: string[]) => slots.json('key', 'edit', id, ...options)
  const renamed = await edit('--name', 'app', '--expires', '2090-12-31')
  assert.deepEqual(
    [renamed.name, renamed.note, renamed.networks, renamed.expiresAt],
    ['app', 'web', networks, '2091-01-01T00:00:00.000Z'],
  )
  const cleared = await edit('--clear', 'note,expires,networks', '--name', 'web')
  assert.deepEqual([cleared.name, cleared.note, cleared.networks, cleared.expiresAt], ['web', ...Array(3)])
  const refused: [string[], RegExp][] = [
    [[], /give at least one field/],
    [['--clear', 'name'], /^Invalid --clear: must list some of note, expires, networks: got "name"/],
    [['--clear', 'note', '--note', 'x'], /both set and cleared/],
    [['--networks', '10.0.0.1/8'], /^Invalid --networks: 10\.0\.0\.1\/8 is not the start of a network/],
    [['--note', mintKey()], /^Invalid --note: The note must not contain an API key/],
    [['--expires', '2001-01-01'], /future date/],
  ]
  for (const [options, message] of refused) {
    const { code, err } = await slots.run('key', 'edit', id, ...options)
    assert.equal(code, 2)
    assert.match(err, message)
  }
  await slots.run('key', 'revoke', id, '--yes')
  assert.match((await slots.run('key', 'edit', id, '--name', 'x')).err, /^Cannot edit key: it is not active/)
  assert.match((await slots.run('key', 'edit', 'key_0', '--name', 'x')).err, /no key has the ID "key_0"/)
})

test('says in which zone an expiry is', async (t) => {
  const slots = await commandLine(t)
  await slots.run('org', 'create', 'Acme')
  const noteOf = async (expires: string) =>
    (await slots.run('key', 'create', '--org', 'Acme', '--expires', expires)).err
  assert.match(await noteOf('2090-12-31'), / of Acme expires at the end of 2090-12-31 \(UTC\)\. /)
  assert.match(await noteOf('2090-12-31T12:00:00-05:00'), / of Acme expires 2090-12-31T17:00:00Z\. /)
})
