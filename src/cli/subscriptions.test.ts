import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { commandLine } from '../../test/support/cli/command-line.ts'
import { GENERATED_SECRET, readAuthSecrets } from '../auth/auth-secrets.ts'
import { rememberService } from '../auth/service-addresses.ts'
import { REQUESTED_MAX, VERIFICATIONS_MAX } from '../store/contracts/subscriptions.ts'
import { openStore } from '../store/open-store.ts'

const URL = 'https://receiver.example/slots?token=1'

async function withOrganization(t: TestContext) {
  const slots = await commandLine(t)
  await slots.run('org', 'create', 'Acme')
  const create = (...more: string[]) => slots.json('subscription', 'create', '--org', 'acme', '--url', URL, ...more)
  return { slots, create }
}

test('subscription create prints a secret of which the store keeps only the encrypted text', async (t) => {
  const { slots, create } = await withOrganization(t)
  const created = await create('--filters', 'state=MA&state=NY', '--interval', '300', '--closed', '--description', 'us')
  assert.match(created.secret, /^whsec_[\w+/]{43}=$/)
  const { filters, events, minIntervalSeconds, status, description, createdBy } = created
  assert.deepEqual(
    { filters, events, minIntervalSeconds, status, description, createdBy },
    {
      filters: 'state=MA&state=NY',
      events: ['slots.opened', 'slots.closed'],
      minIntervalSeconds: 300,
      status: 'pending',
      description: 'us',
      createdBy: 'command line',
    },
  )
  const store = await openStore(slots.databaseUrl)
  const [{ secret }] = await store.subscriptions.secrets()
  const secrets = await readAuthSecrets({ authSecret: undefined, previousAuthSecrets: [] } as never, store.operators)
  assert.notEqual(secret, created.secret)
  assert.equal(await secrets.decrypt(secret), created.secret)
  await store.close()
  const { out, err } = await slots.run('subscription', 'create', '--org', 'Acme', '--url', URL)
  assert.match(out, /^whsec_\S+\n$/)
  assert.match(err, /^Subscription sub_\w+ is pending/)
})

test('commands that encrypt need the AUTH_SECRET of a service that has one', async (t) => {
  const { slots, create } = await withOrganization(t)
  const { id } = await create()
  const store = await openStore(slots.databaseUrl)
  t.after(() => store.close())
  await store.operators.deleteSecret(GENERATED_SECRET)
  const addresses = { baseUrl: 'https://slots.example', dashboardUrl: 'https://slots.example/' }
  await rememberService(store.operators, { ...addresses, hasAuthSecret: true })
  for (const args of [
    ['subscription', 'create', '--org', 'Acme', '--url', URL],
    ['store', 'encrypt'],
  ]) {
    const { code, err } = await slots.run(...args)
    assert.deepEqual(
      [code, err],
      [1, 'Cannot encrypt: the service has an AUTH_SECRET. Set it for this command, too.\n'],
    )
  }
  assert.equal((await slots.run('subscription', 'pause', id)).code, 0)
  assert.equal(await store.operators.findSecret(GENERATED_SECRET), undefined)
  await rememberService(store.operators, { ...addresses, hasAuthSecret: false })
  assert.equal((await slots.run('subscription', 'create', '--org', 'Acme', '--url', URL)).code, 0)
})

test('subscription create says which value is invalid', async (t) => {
  const { slots } = await withOrganization(t)
  for (const [args, message] of [
    [['--url', 'http://receiver.example/'], /^Invalid --url: /],
    [['--url', 'https://127.0.0.1/'], /^Invalid --url: /],
    [['--url', URL, '--filters', 'state=Nowhere'], /^Invalid --filters: filters\.state must be /],
    [['--url', URL, '--interval', '0'], /^Invalid --interval: must be a whole number from 1 to 86400: got "0"/],
    [['--url', URL, '--expires', '2001-01-01'], /^Invalid --expires: /],
  ] as const) {
    const { code, err } = await slots.run('subscription', 'create', '--org', 'Acme', ...args)
    assert.equal(code, 2, err)
    assert.match(err, message)
  }
})

test('lists, shows, pauses, resumes, tests and deletes a subscription', async (t) => {
  const { slots, create } = await withOrganization(t)
  assert.match((await slots.run('subscription', 'list', '--org', 'Acme')).out, /^No subscriptions\. Create one: /)
  const { id, secret, ...view } = await create('--filters', 'state=MA')
  assert.deepEqual(await slots.json('subscription', 'list', '--org', 'Acme'), [{ id, ...view }])
  const list = (await slots.run('subscription', 'list', '--org', 'Acme')).out
  assert.match(list, /sub_\w+ +pending +receiver\.example +state=MA +never +0 +-/)
  assert.doesNotMatch(list, /token/)
  assert.match((await slots.run('subscription', 'show', id)).out, /^status +pending$/m)
  assert.equal((await slots.run('subscription', 'pause', id)).out, `Subscription ${id} is paused.\n`)
  assert.deepEqual(await slots.json('subscription', 'list', '--org', 'Acme', '--status', 'active'), [])
  assert.equal((await slots.json('subscription', 'resume', id)).status, 'pending')
  assert.match((await slots.run('subscription', 'test', id)).out, /^Queued subscription\.verification as evt_/)
  const [delivery] = await slots.json('subscription', 'deliveries', id, '--limit', '1')
  assert.deepEqual([delivery.type, delivery.status, delivery.attempts], ['subscription.verification', 'queued', 0])
  assert.match((await slots.run('subscription', 'deliveries', id)).out, /^ID +CREATED +EVENT +SLOTS +STATUS/)
  assert.equal((await slots.run('subscription', 'delete', id, '--yes')).code, 0)
  for (const command of ['show', 'pause', 'resume', 'test', 'deliveries', 'delete']) {
    const { code, err } = await slots.run('subscription', command, id)
    assert.equal(code, 1, command)
    assert.match(err, /no subscription has the ID/)
  }
  const kinds = (await slots.json('audit', 'list', '--org', 'Acme')).map(({ kind }: { kind: string }) => kind)
  for (const kind of ['created', 'paused', 'resumed', 'deleted'])
    assert.ok(kinds.includes(`subscription.${kind}`), kind)
  assert.ok(secret)
})

test('subscription resume refuses a subscription that has expired', async (t) => {
  const { slots, create } = await withOrganization(t)
  const { id } = await create('--expires', '2090-12-31')
  await slots.run('subscription', 'pause', id)
  const store = await openStore(slots.databaseUrl)
  await store.signIn.queries.updateTable('subscriptions').set({ expires_at_ms: 0 }).where('id', '=', id).execute()
  await store.close()
  const { code, err } = await slots.run('subscription', 'resume', id)
  assert.equal(code, 1)
  assert.match(err, /^Cannot resume subscription: .*expired at 1970-01-01/)
  assert.equal((await slots.json('subscription', 'show', id)).status, 'paused')
})

test('says so when an organization or a subscription has reached its limit per minute', async (t) => {
  const { slots, create } = await withOrganization(t)
  const { id } = await create()
  for (let n = 0; n < REQUESTED_MAX; n++) assert.equal((await slots.run('subscription', 'test', id)).code, 0)
  const tested = await slots.run('subscription', 'test', id)
  assert.deepEqual([tested.code, tested.out], [1, ''])
  assert.match(tested.err, /^Cannot send more than 10 tests, retries and verifications of a subscription per minute\n/)
  // Each test of a pending subscription is a verification.
  for (let n = 1 + REQUESTED_MAX; n < VERIFICATIONS_MAX; n++)
    await slots.run('subscription', 'delete', (await create()).id, '--yes')
  const created = await slots.run('subscription', 'create', '--org', 'Acme', '--url', URL)
  assert.deepEqual([created.code, created.out], [1, ''])
  assert.match(created.err, /^Cannot verify more than 60 addresses of an organization per minute\n/)
})
