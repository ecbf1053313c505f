import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CommandLine, commandLine } from '../../test/support/cli/command-line.ts'
import { rememberedService, rememberService, type ServiceAddresses } from '../auth/service-addresses.ts'
import { openStore } from '../store/open-store.ts'

const STARTED = { baseUrl: 'https://slots.example', dashboardUrl: 'https://slots.example/' }

async function start(slots: CommandLine, addresses: ServiceAddresses, hasAuthSecret = false): Promise<void> {
  const store = await openStore(slots.databaseUrl)
  await rememberService(store.operators, { ...addresses, hasAuthSecret })
  assert.deepEqual(await rememberedService(store.operators), { ...addresses, hasAuthSecret })
  await store.close()
}

test('links lead to the addresses that the service last started with', async (t) => {
  const slots = await commandLine(t)
  assert.match((await slots.run('operator', 'link')).out, /^http:\/\/localhost:0\/app\/setup#/)
  await start(slots, { baseUrl: 'https://old.example', dashboardUrl: 'https://old.example/' })
  await start(slots, STARTED)
  await start(slots, STARTED)
  assert.match((await slots.run('operator', 'link')).out, /^https:\/\/slots\.example\/app\/setup#/)
})

test('an address in the environment takes precedence', async (t) => {
  const slots = await commandLine(t, { BASE_URL: 'https://other.example' })
  await start(slots, STARTED)
  assert.match((await slots.run('operator', 'link')).out, /^https:\/\/other\.example\/app\/setup#/)
})

test('invite prints a link that works once, for anyone or one address', async (t) => {
  const slots = await commandLine(t)
  await start(slots, STARTED)
  const { id } = await slots.json('org', 'create', 'Acme')
  const { out, err } = await slots.run('invite', 'acme', 'Grace@Example.org', '--role', 'admin')
  assert.match(out, /^https:\/\/slots\.example\/app\/invitation#[\w-]{43}\n$/)
  assert.match(err, /^grace@example\.org can join Acme as an admin until \d{4}-/)
  const open = await slots.json('invite', 'Acme')
  assert.deepEqual([open.org, open.role, open.email], ['Acme', 'member', undefined])
  const store = await openStore(slots.databaseUrl)
  const invitations = await store.invitations.list(id)
  await store.close()
  assert.deepEqual(
    invitations.map(({ email, role }) => [email, role]).sort(),
    [
      [undefined, 'member'],
      ['grace@example.org', 'admin'],
    ].sort(),
  )
  assert.equal((await slots.run('invite', 'Acme', 'nobody')).code, 2)
  assert.equal((await slots.run('invite', 'Other')).code, 1)
})

test('source log is limited by number and time', async (t) => {
  const slots = await commandLine(t)
  for (const slug of ['north', 'south']) await slots.run('source', 'add', slug, `https://${slug}.example/$bulk-publish`)
  const slugsOf = async (...args: string[]) =>
    (await slots.json('source', 'log', ...args)).map(({ slug }: { slug: string }) => slug)
  assert.deepEqual(await slugsOf(), ['south', 'north'])
  assert.deepEqual(await slugsOf('--limit', '1'), ['south'])
  assert.deepEqual(await slugsOf('--since', '2001-01-01T00:00:00Z', 'north'), ['north'])
  assert.deepEqual(await slugsOf('--since', '2999-01-01T00:00:00Z'), [])
  for (const limit of ['0', '10001', 'x']) assert.equal((await slots.run('source', 'log', '--limit', limit)).code, 2)
})
