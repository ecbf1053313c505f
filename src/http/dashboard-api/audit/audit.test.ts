import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'

/** What happened, oldest first, a second apart: created, member.joined (with its invitation), two keys. */
async function openLogged(t: TestContext) {
  const harness = await DashboardApiHarness.open(t)
  for (const id of ['ann', 'bob']) await harness.addPerson(id)
  const { id } = await harness.addOrganization('ann', 'Acme')
  harness.advance(1000)
  await harness.join(id, 'ann', { id: 'bob', role: 'admin' })
  harness.advance(1000)
  const { key } = await harness.addKey(id, 'bob', 'web')
  harness.advance(1000)
  await harness.addKey(id, 'ann', '@SUM(1)')
  const path = `/api/organizations/${id}/audit`
  const kinds = async (search: string) =>
    (await harness.get('GET', `${path}?${search}`, { as: 'bob' })).entries.map(({ kind }: { kind: string }) => kind)
  return { harness, id, path, key, kinds }
}

test('the log shows who did what, when and from which address, newest first', async (t) => {
  const { harness, path, key } = await openLogged(t)
  const { entries } = await harness.get('GET', path, { as: 'ann' })
  assert.deepEqual(
    entries.map(({ kind }: { kind: string }) => kind),
    ['key.created', 'key.created', 'member.joined', 'invitation.created', 'organization.created'],
  )
  const { id, detail, ...second } = entries[1]
  assert.deepEqual(second, {
    atMs: harness.nowMs - 1000,
    kind: 'key.created',
    actor: 'bob@example.org',
    address: '192.0.2.1',
    subject: key.id,
  })
  assert.equal(typeof id, 'number')
  assert.equal(detail.name, 'web')
})

test('the log is filtered by kind, actor, subject and time', async (t) => {
  const { harness, key, kinds } = await openLogged(t)
  assert.deepEqual(await kinds('kind=member.joined'), ['member.joined'])
  assert.deepEqual(await kinds('actor=BOB'), ['key.created', 'member.joined'])
  assert.deepEqual(await kinds(`subject=${key.id}`), ['key.created'])
  assert.deepEqual(await kinds(`fromMs=${harness.nowMs - 1000}&toMs=${harness.nowMs}`), ['key.created'])
  assert.equal((await kinds('kind=organization.created&actor=&subject=')).length, 1)
})

test('the log is paginated', async (t) => {
  const { harness, path, kinds } = await openLogged(t)
  const { entries } = await harness.get('GET', `${path}?limit=3`, { as: 'ann' })
  assert.equal(entries.length, 3)
  assert.deepEqual(await kinds(`limit=9&beforeId=${entries[2].id}`), ['invitation.created', 'organization.created'])
})

test('exports the filtered log as CSV without spreadsheet formulas', async (t) => {
  const { harness, path, key } = await openLogged(t)
  const { text, headers } = await harness.ask('GET', `${path}.csv?kind=key.created`, { as: 'ann' })
  assert.equal(headers.get('content-disposition'), 'attachment; filename="audit.csv"')
  const [head, , second, ...rest] = text.split('\r\n')
  assert.equal(head, 'id,time,kind,actor,address,subject,detail,request')
  const at = new Date(harness.nowMs - 1000).toISOString()
  assert.ok(second.includes(`,${at},key.created,bob@example.org,192.0.2.1,${key.id},"{""name"":""web"",`), second)
  assert.deepEqual(rest, [''])
})

test('exports a long log completely', async (t) => {
  const { harness, id, path } = await openLogged(t)
  await sql`insert into audit (at_ms, organization_id, kind, actor_name, actor_folded, detail, previous_hash)
    with recursive row (at) as (select 1 union all select at + 1 from row where at < 2100)
    select at, ${id}, 'sign-in.failed', 'ann', 'ann', '{}', '' from row`.execute(harness.store.signIn.queries)
  const { text } = await harness.ask('GET', `${path}.csv`, { as: 'ann' })
  assert.equal(text.split('\r\n').length, 1 + 2100 + 5 + 1)
})

test('rejects an invalid filter', async (t) => {
  const { harness, path } = await openLogged(t)
  for (const [search, field] of [
    ['kind=nothing', 'kind'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['beforeId=x', 'beforeId'],
    ['fromMs=yesterday', 'fromMs'],
    [`actor=${'x'.repeat(321)}`, 'actor'],
    ['organization=other', 'organization'],
  ]) {
    const { status, body } = await harness.ask('GET', `${path}?${search}`, { as: 'ann' })
    assert.deepEqual([status, body.field], [400, field], search)
  }
})

test('only operators read the log of the service, with the same filters and as CSV', async (t) => {
  const { harness } = await openLogged(t)
  await harness.addPerson('olga', { operator: true })
  const by = { name: '=cmd()', requestId: 'r-1' }
  await harness.store.audit.record({ kind: 'account.password-changed', userId: 'bob', by })
  await harness.store.audit.record({ kind: 'account.passkey-added', userId: 'bob', by: { name: 'bob@example.org' } })
  for (const path of ['/api/operator/audit', '/api/operator/audit.csv']) {
    assert.equal((await harness.ask('GET', path, { as: 'ann' })).status, 403)
  }
  const search = 'kind=account.password-changed&actor=CMD&subject=bob'
  const { entries } = await harness.get('GET', `/api/operator/audit?${search}`, { as: 'olga' })
  assert.deepEqual(
    entries.map(({ kind, requestId, detail }: Record<string, unknown>) => [kind, requestId, detail]),
    [['account.password-changed', 'r-1', { email: 'bob@example.org' }]],
  )
  const { text } = await harness.ask('GET', `/api/operator/audit.csv?${search}`, { as: 'olga' })
  assert.match(text.split('\r\n')[1], /,account\.password-changed,'=cmd\(\),,bob,.*,r-1$/)
  assert.equal((await harness.ask('GET', '/api/operator/audit?kind=key.created', { as: 'olga' })).status, 400)
})
