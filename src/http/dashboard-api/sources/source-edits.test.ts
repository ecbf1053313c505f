import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'
import { outcomeOf } from '../../../../test/support/store/conformance/samples.ts'
import { COMMAND_LINE } from '../../../store/contracts/audit.ts'

const PATH = '/api/operator/sources'
const CLINIC = { slug: 'clinic', url: 'https://clinic.example/fhir', format: 'fhir-search' }
const KEY = '$' + '{SOURCE_CLINIC}'

async function openOperated(t: TestContext, added: object = CLINIC) {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('op', { operator: true })
  await harness.get('POST', PATH, { as, body: added })
  const edit = (body: object) => harness.ask('PATCH', `${PATH}/clinic`, { as, body })
  return { harness, as, edit }
}

test('an edit changes only the given fields, and null clears optional ones', async (t) => {
  const { harness, as, edit } = await openOperated(t, { ...CLINIC, options: { daysAhead: 7 } })
  const [source] = await harness.store.sources.list()
  const writer = await harness.store.snapshots.begin(source.id, { owner: 'test', leaseMs: 60_000 })
  await writer?.commit({
    outcome: outcomeOf({}),
    rejections: [],
    nextSyncAtMs: 9e15,
    connectorState: { etag: 'x' },
  })
  const before = await harness.get('GET', `${PATH}/clinic`, { as })
  const named = await edit({ name: 'The Clinic' })
  const { history: _, rejections: __, events: ___, actions: ____, messages: _____, referrals: ______, ...view } = before
  assert.deepEqual(named.body, { ...view, name: 'The Clinic' })
  const url = 'https://other.example/fhir'
  const { body } = await edit({
    url,
    strict: true,
    everyMinutes: 15,
    slotsMax: 9,
    options: { headers: { 'X-A': KEY } },
  })
  assert.deepEqual(
    [body.name, body.url, body.strict, body.everyMinutes, body.slotsMax, body.options, body.nextSyncAtMs],
    ['The Clinic', url, true, 15, 9, { headers: { 'X-A': KEY }, daysAhead: 7 }, harness.nowMs],
  )
  assert.equal((await harness.store.sources.find('clinic'))?.connectorState, undefined)
  const ended = (await edit({ name: null, everyMinutes: null, slotsMax: null, options: null, paused: true })).body
  assert.deepEqual(
    [ended.name, ended.everyMinutes, ended.slotsMax, ended.options, ended.paused],
    [undefined, undefined, undefined, undefined, true],
  )
})

test('masks private values and keeps those that come back masked', async (t) => {
  const options = { headers: { 'X-Client': 'hunter2', 'X-A': KEY, authorization: `Bearer ${KEY}` } }
  const { harness, as, edit } = await openOperated(t, { ...CLINIC, options })
  const shown = await harness.ask('GET', `${PATH}/clinic`, { as })
  assert.deepEqual(shown.body.options.headers, { 'X-Client': '…', 'X-A': KEY, authorization: `…${KEY}` })
  const sent = { headers: { ...shown.body.options.headers, 'X-B': 'hunter2' } }
  const answered = [shown, await harness.ask('GET', PATH, { as }), await edit({ options: sent })]
  for (const { text } of answered) assert.ok(!text.includes('hunter2') && !text.includes('Bearer'))
  assert.deepEqual((await harness.store.sources.find('clinic'))?.options, {
    headers: { ...options.headers, 'X-B': 'hunter2' },
  })
})

test('rejects an invalid edit like an invalid addition and changes nothing', async (t) => {
  const { harness, as, edit } = await openOperated(t)
  const before = await harness.store.sources.list()
  for (const [body, field, message] of [
    [{ slug: 'other' }, 'slug', 'The slug cannot be changed: the ids of its slots depend on it.'],
    [{ format: 'smart-links' }, 'format', 'The format cannot be changed. Add another source.'],
    [{ url: 'file:///etc/passwd' }, 'url', 'The URL must be an http or https URL: got "file:///etc/passwd".'],
    [{ url: null }, 'url', 'The URL must be a text.'],
    [{ url: 'https://me:s3cret@a/' }, 'url', 'The URL must not hold a user name or a password.'],
    [{ everyMinutes: 0 }, 'everyMinutes', /^The interval must be a whole number of minutes/],
    [{ strict: 'yes' }, 'strict', 'Strict must be true or false.'],
    [{ name: '' }, 'name', 'The name must be one line of 1 to 200 characters.'],
    [{ options: [] }, 'options.options', 'Options: options must be an object: got "[]".'],
    [
      { options: { headers: { cookie: 'hunter2' } } },
      'options.headers',
      /^Options: headers\.cookie must be a reference/,
    ],
    [{ paused: true, options: { daysAhead: 0 } }, 'options.daysAhead', /^Options: daysAhead must be/],
    [{ memory: {} }, 'memory', '"memory" is not a known field.'],
  ] as const) {
    const answered = await edit(body)
    assert.deepEqual([answered.status, answered.body.field], [400, field], JSON.stringify(body))
    if (typeof message === 'string') assert.equal(answered.body.detail, message)
    else assert.match(answered.body.detail, message)
    assert.ok(!answered.text.includes('hunter2') && !answered.text.includes('s3cret'))
  }
  assert.deepEqual(await harness.store.sources.list(), before)
  const body = { name: 'x' }
  assert.equal((await harness.ask('PATCH', `${PATH}/none`, { as, body })).status, 404)
  const mallory = await harness.addPerson('mallory')
  assert.equal((await harness.ask('PATCH', `${PATH}/clinic`, { as: mallory, body })).status, 403)
})

test('rejects request options for a source of files', async (t) => {
  const { harness, as } = await openOperated(t)
  await harness.store.sources.add({ slug: 'files', format: 'files', url: '', strict: false })
  const edit = (body: object) => harness.ask('PATCH', `${PATH}/files`, { as, body })
  const { body } = await edit({ name: 'Brought', strict: true })
  assert.deepEqual([body.name, body.strict], ['Brought', true])
  for (const [wrong, field] of [
    [{ url: 'https://clinic.example/' }, 'url'],
    [{ options: { headers: { 'x-client': 'us' } } }, 'options.headers'],
    [{ everyMinutes: 5 }, 'everyMinutes'],
  ] as const) {
    const refused = await edit(wrong)
    assert.deepEqual([refused.status, refused.body.field], [400, field])
  }
})

test('edits how imported files are judged', async (t) => {
  const { harness, as } = await openOperated(t)
  await harness.store.sources.add({ slug: 'files', format: 'files', url: '', strict: false })
  const options = { serveTestData: true, rejectedPercentMax: 25 }
  const { body } = await harness.ask('PATCH', `${PATH}/files`, { as, body: { options } })
  assert.deepEqual(body.options, options)
})

test('the source log lists operator actions and outlives the source', async (t) => {
  const { harness, as, edit } = await openOperated(t)
  await edit({ name: 'hunter2', options: { query: { tenant: 'hunter2' } } })
  await edit({ paused: true, hold: 'suspicious' })
  const { actions } = await harness.get('GET', `${PATH}/clinic`, { as })
  const of = { slug: 'clinic', atMs: harness.nowMs, actor: 'op@example.org', address: '192.0.2.1' }
  assert.deepEqual(
    actions.map(({ id: _, ...action }: { id: number }) => action),
    [
      { ...of, kind: 'review-policy-set', reviewPolicy: 'suspicious' },
      { ...of, kind: 'paused' },
      { ...of, kind: 'edited', fields: ['name', 'query'] },
      { ...of, kind: 'added' },
    ],
  )
  await harness.get('DELETE', `${PATH}/clinic`, { as, body: { slug: 'clinic' } })
  const log = async (search: string) => (await harness.ask('GET', `/api/operator/source-log${search}`, { as })).body
  const all = await log('')
  assert.equal(all.actions[0].kind, 'removed')
  assert.deepEqual(all.actions.slice(1), actions)
  assert.deepEqual((await log('?slug=none')).actions, [])
  assert.deepEqual((await log(`?slug=clinic&limit=2&beforeId=${all.actions[1].id}`)).actions, actions.slice(1, 3))
  for (const [search, field] of [
    ['?limit=201', 'limit'],
    ['?beforeId=-1', 'beforeId'],
    ['?who=me', 'who'],
  ]) {
    assert.equal((await log(search)).field, field)
  }
  const mallory = await harness.addPerson('mallory')
  assert.equal((await harness.ask('GET', '/api/operator/source-log', { as: mallory })).status, 403)
  assert.ok(!JSON.stringify(all).includes('hunter2'))
})

test('records who uploaded a file', async (t) => {
  const brought: unknown[] = []
  const harness = await DashboardApiHarness.open(t, {
    importUpload: async (_, { by }) => {
      brought.push(by.name)
      throw new Error('enough')
    },
  })
  const as = await harness.addPerson('op', { operator: true })
  await harness.ask('POST', `${PATH}/files/upload?fileName=a.csv`, { as, body: 'id,start' })
  assert.deepEqual(brought, ['op@example.org'])
})

test('refuses a file of which the last part arrives after the operator was removed', async (t) => {
  let isRead = false
  const harness = await DashboardApiHarness.open(t, {
    importUpload: async (content) => {
      await harness.store.operators.remove('op', { allowNone: true, by: COMMAND_LINE })
      for await (const _ of content);
      isRead = true
      throw new Error('enough')
    },
  })
  const as = await harness.addPerson('op', { operator: true })
  const { status, body } = await harness.ask('POST', `${PATH}/files/upload?fileName=a.csv`, { as, body: 'id,start' })
  assert.deepEqual([status, body.code, isRead], [403, 'forbidden', false])
})
