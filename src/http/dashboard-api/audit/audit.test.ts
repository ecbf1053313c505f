import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { AccountBed } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'

/** What happened, oldest first, a second apart: created, member.joined (with its invitation), two keys. */
async function openLogged(t: TestContext) {
  const bed = await AccountBed.open(t)
  for (const id of ['ann', 'bob']) await bed.addPerson(id)
  const { id } = await bed.addOrganization('ann', 'Acme')
  bed.advance(1000)
  await bed.join(id, 'ann', { id: 'bob', role: 'admin' })
  bed.advance(1000)
  const { key } = await bed.addKey(id, 'bob', 'web')
  bed.advance(1000)
  await bed.addKey(id, 'ann', '@SUM(1)')
  const path = `/api/organizations/${id}/audit`
  const kinds = async (search: string) =>
    (await bed.get('GET', `${path}?${search}`, { as: 'bob' })).entries.map(
      ({ kind }: { kind: string }) => kind,
    )
  return { bed, path, key, kinds }
}

test('the log shows who did what, when and from which address, newest first', async (t) => {
  const { bed, path, key } = await openLogged(t)
  const { entries } = await bed.get('GET', path, { as: 'ann' })
  assert.deepEqual(
    entries.map(({ kind }: { kind: string }) => kind),
    ['key.created', 'key.created', 'member.joined', 'invitation.created', 'organization.created'],
  )
  const { id, detail, ...second } = entries[1]
  assert.deepEqual(second, {
    atMs: bed.nowMs - 1000,
    kind: 'key.created',
    actor: 'bob@example.org',
    address: '192.0.2.1',
    subject: key.id,
  })
  assert.equal(typeof id, 'number')
  assert.equal(detail.name, 'web')
})

test('the log is filtered by kind, actor, subject and time', async (t) => {
  const { bed, key, kinds } = await openLogged(t)
  assert.deepEqual(await kinds('kind=member.joined'), ['member.joined'])
  assert.deepEqual(await kinds('actor=BOB'), ['key.created', 'member.joined'])
  assert.deepEqual(await kinds(`subject=${key.id}`), ['key.created'])
  assert.deepEqual(await kinds(`fromMs=${bed.nowMs - 1000}&toMs=${bed.nowMs}`), ['key.created'])
  assert.equal((await kinds('kind=organization.created&actor=&subject=')).length, 1)
})

test('the log is paginated', async (t) => {
  const { bed, path, kinds } = await openLogged(t)
  const { entries } = await bed.get('GET', `${path}?limit=3`, { as: 'ann' })
  assert.equal(entries.length, 3)
  assert.deepEqual(await kinds(`limit=9&beforeId=${entries[2].id}`), [
    'invitation.created',
    'organization.created',
  ])
})

test('exports the filtered log as CSV without spreadsheet formulas', async (t) => {
  const { bed, path, key } = await openLogged(t)
  const { text, headers } = await bed.ask('GET', `${path}.csv?kind=key.created`, { as: 'ann' })
  assert.equal(headers.get('content-disposition'), 'attachment; filename="audit.csv"')
  const [head, , second, ...rest] = text.split('\r\n')
  assert.equal(head, 'id,time,kind,actor,address,subject,detail')
  const at = new Date(bed.nowMs - 1000).toISOString()
  assert.ok(
    second.includes(`,${at},key.created,bob@example.org,192.0.2.1,${key.id},"{""name"":""web"",`),
    second,
  )
  assert.deepEqual(rest, [''])
})

test('exports a long log completely', async (t) => {
  const { bed, path } = await openLogged(t)
  const by = { name: 'ann@example.org' }
  for (let n = 0; n < 2100; n++)
    await bed.store.audit.recordSignIn('sign-in.failed', 'ann', { by, detail: { n } })
  const { text } = await bed.ask('GET', `${path}.csv`, { as: 'ann' })
  assert.equal(text.split('\r\n').length, 1 + 2100 + 5 + 1)
})

test('rejects an invalid filter', async (t) => {
  const { bed, path } = await openLogged(t)
  for (const [search, field] of [
    ['kind=nothing', 'kind'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['beforeId=x', 'beforeId'],
    ['fromMs=yesterday', 'fromMs'],
    [`actor=${'x'.repeat(321)}`, 'actor'],
    ['organization=other', 'organization'],
  ]) {
    const { status, body } = await bed.ask('GET', `${path}?${search}`, { as: 'ann' })
    assert.deepEqual([status, body.field], [400, field], search)
  }
})
