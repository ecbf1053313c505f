import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'
import { outcomeOf } from '../../../../test/support/store/conformance/samples.ts'

const PATH = '/api/operator/sources'
const CLINIC = { slug: 'clinic', url: 'https://clinic.example/$bulk-publish' }

const FAILED = outcomeOf({ outcome: 'failed', error: 'status must be 200: got "404"' })

async function openOperated(t: TestContext) {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('op', { operator: true })
  return { harness, as, add: (body: object = CLINIC) => harness.ask('POST', PATH, { as, body }) }
}

test('adds a source and returns it without connector internals', async (t) => {
  const { harness, as, add } = await openOperated(t)
  const { body } = await add({ ...CLINIC, strict: true, everyMinutes: 15 })
  assert.deepEqual(body, {
    ...CLINIC,
    format: 'smart-links',
    strict: true,
    everyMinutes: 15,
    paused: false,
    createdAtMs: harness.nowMs,
    nextSyncAtMs: 0,
    failures: 0,
    slotCount: 0,
    health: 'never-synced',
    healthWhy: 'No sync has finished yet.',
    healthSinceMs: harness.nowMs,
    hold: 'extreme',
    flags: ['never-synced'],
  })
  assert.deepEqual(await harness.get('GET', PATH, { as }), {
    sources: [body],
    total: 1,
    offset: 0,
    summary: { sources: 1, slots: 0, attention: 0, byHealth: { 'never-synced': 1 } },
  })
  assert.deepEqual(await harness.get('GET', `${PATH}/clinic`, { as }), {
    ...body,
    referrals: 0,
    history: [],
    rejections: [],
    messages: [],
    events: [],
    actions: [
      {
        id: 1,
        atMs: harness.nowMs,
        slug: 'clinic',
        kind: 'added',
        actor: 'op@example.org',
        address: '192.0.2.1',
      },
    ],
  })
  assert.equal((await add()).status, 409)
})

const OPTIONS = { headers: { 'x-api-key': '$' + '{SOURCE_CLINIC}' }, daysAhead: 7 }

test('adds a FHIR server with its request options', async (t) => {
  const { harness, as, add } = await openOperated(t)
  const server = { ...CLINIC, name: 'The Clinic', format: 'fhir-search', options: OPTIONS }
  const { body } = await add(server)
  assert.deepEqual([body.name, body.format, body.options], ['The Clinic', 'fhir-search', OPTIONS])
  assert.deepEqual((await harness.get('GET', PATH, { as })).sources, [body])
  for (const [wrong, field, message] of [
    [{ ...server, format: 'files' }, 'format', 'The format must be smart-links or fhir-search.'],
    [{ ...server, name: '' }, 'name', 'The name must be one line of 1 to 200 characters.'],
    [{ ...server, options: [] }, 'options.options', 'Options: options must be an object: got "[]".'],
    [
      { ...server, format: 'smart-links' },
      'options.daysAhead',
      'Options: daysAhead needs the format fhir-search: got "smart-links".',
    ],
    [
      { ...server, options: { headers: { cookie: 'hunter2' } } },
      'options.headers',
      /^Options: headers\.cookie must be a reference/,
    ],
  ] as const) {
    const answered = await add({ ...wrong, slug: 'other' })
    assert.deepEqual([answered.status, answered.body.field], [400, field])
    if (typeof message === 'string') assert.equal(answered.body.detail, message)
    else assert.match(answered.body.detail, message)
    assert.ok(!JSON.stringify(answered.body).includes('hunter2'))
  }
})

test('rejects an invalid source like the command line', async (t) => {
  const { add } = await openOperated(t)
  for (const [body, field] of [
    [{ ...CLINIC, slug: 'Clinic' }, 'slug'],
    [{ url: CLINIC.url }, 'slug'],
    [{ ...CLINIC, url: 'file:///etc/passwd' }, 'url'],
    [{ ...CLINIC, url: 'https://me:s3cret@a/' }, 'url'],
    [{ ...CLINIC, everyMinutes: 0 }, 'everyMinutes'],
    [{ ...CLINIC, everyMinutes: 10_081 }, 'everyMinutes'],
    [{ ...CLINIC, slotsMax: 0 }, 'slotsMax'],
    [{ ...CLINIC, slotsMax: 150_000_001 }, 'slotsMax'],
    [{ ...CLINIC, strict: 'yes' }, 'strict'],
  ] as const) {
    const answered = await add(body)
    assert.deepEqual([answered.status, answered.body.field], [400, field], JSON.stringify(body))
    assert.ok(!answered.text.includes('s3cret'))
  }
})

test('reads the manifest before adding a source', async (t) => {
  const { harness, as } = await openOperated(t)
  const asked: string[] = []
  const app = await DashboardApiHarness.open(t, {
    checkSource: async (url) => {
      asked.push(url)
      return harness.check
    },
  })
  await app.addPerson('op', { operator: true })
  const body = { url: 'https://clinic.example/$bulk-publish' }
  assert.deepEqual(await app.get('POST', `${PATH}/check`, { as, body }), harness.check)
  assert.deepEqual(asked, [body.url])
  assert.equal((await app.ask('POST', `${PATH}/check`, { as, body: { url: 'x' } })).body.field, 'url')
})

test('a failed sync is flagged and listed in the history', async (t) => {
  const { harness, as, add } = await openOperated(t)
  await add()
  const [source] = await harness.store.sources.list()
  const writer = await harness.store.snapshots.begin(source.id, { owner: 'test', leaseMs: 60_000 })
  await writer?.abandon({ outcome: FAILED, rejections: [], nextSyncAtMs: harness.nowMs + 60_000 })
  const shown = await harness.get('GET', `${PATH}/clinic`, { as })
  assert.deepEqual([shown.flags, shown.failures, shown.lastSync], [['failing'], 1, FAILED])
  assert.deepEqual(shown.history, [{ ...FAILED, slotCount: 0 }])
  const { sources } = await harness.get('GET', PATH, { as })
  assert.deepEqual(sources[0].flags, ['failing'])
})

test('a paused source is not synced until it is resumed', async (t) => {
  const { harness, as, add } = await openOperated(t)
  await add()
  const pause = (paused: boolean) => harness.get('PATCH', `${PATH}/clinic`, { as, body: { paused } })
  const sync = () => harness.ask('POST', `${PATH}/clinic/sync`, { as })
  assert.equal((await pause(true)).paused, true)
  assert.equal((await sync()).status, 409)
  assert.equal((await pause(false)).paused, false)
  const { status, body } = await sync()
  assert.equal(status, 200)
  assert.ok(body.nextSyncAtMs <= harness.nowMs)
})

test('a held snapshot is shown and can be approved or not', async (t) => {
  const { harness, as, add } = await openOperated(t)
  await add()
  const { id } = (await harness.store.sources.find('clinic')) ?? assert.fail()
  const findings = [{ kind: 'emptied', atMs: 5, before: 40, after: 0 }] as const
  const outcome = { ...FAILED, outcome: 'held' } as const
  const writer = await harness.store.snapshots.begin(id, { owner: 'test', leaseMs: 60_000 })
  await writer?.abandon({
    outcome,
    rejections: [],
    nextSyncAtMs: 9e15,
    held: { anomalies: findings, slotCount: 0 },
  })
  const shown = await harness.get('GET', `${PATH}/clinic`, { as })
  assert.deepEqual([shown.health, shown.flags, shown.accepting], ['suspicious', ['suspicious'], false])
  assert.match(
    shown.healthWhy,
    /It had 40 slots and now has none\. The snapshot is held until an operator approves it\./,
  )
  assert.deepEqual([shown.held.anomalies, shown.lastCheckedAtMs], [findings, harness.nowMs])
  const accept = (yes: unknown) => harness.ask('POST', `${PATH}/clinic/accept`, { as, body: { accept: yes } })
  const { body } = await accept(true)
  assert.deepEqual([body.accepting, body.nextSyncAtMs], [true, harness.nowMs])
  assert.equal((await accept(false)).body.accepting, false)
  assert.equal((await accept('yes')).status, 400)
})

test('the messages of a publisher are part of the details', async (t) => {
  const { harness, as, add } = await openOperated(t)
  await add()
  const { id } = (await harness.store.sources.find('clinic')) ?? assert.fail()
  const writer = await harness.store.snapshots.begin(id, { owner: 'test', leaseMs: 60_000 })
  const messages = [{ severity: 'warning', text: 'Some calendars are not shown' }] as const
  const outcome = { ...FAILED, outcome: 'ok' } as const
  await writer?.commit({ outcome, rejections: [], messages, nextSyncAtMs: 9e15, connectorState: {} })
  assert.deepEqual((await harness.get('GET', `${PATH}/clinic`, { as })).messages, messages)
})

test('operators configure which anomalies hold a snapshot', async (t) => {
  const { harness, as, add } = await openOperated(t)
  await add()
  const change = (body: object) => harness.ask('PATCH', `${PATH}/clinic`, { as, body })
  const both = (await change({ hold: 'suspicious', paused: true })).body
  assert.deepEqual([both.hold, both.paused, both.health, both.flags], ['suspicious', true, 'paused', []])
  assert.equal((await change({ hold: 'nothing' })).body.paused, true)
  const refused = await change({ hold: 'everything' })
  assert.deepEqual([refused.status, refused.body.field], [400, 'hold'])
})

test('a source lists its health changes, newest first', async (t) => {
  const { harness, as, add } = await openOperated(t)
  await add()
  const { id } = (await harness.store.sources.find('clinic')) ?? assert.fail()
  await harness.store.health.record(id, { from: 'never-synced', to: 'late', why: 'Nobody came.', atMs: 1 })
  await harness.store.health.record(id, { from: 'late', to: 'healthy', why: '', atMs: 2 })
  const { events, healthSinceMs } = await harness.get('GET', `${PATH}/clinic`, { as })
  assert.deepEqual(
    events.map(({ from, to }: { from: string; to: string }) => [from, to]),
    [
      ['late', 'healthy'],
      ['never-synced', 'late'],
    ],
  )
  // Stored as healthy, and found never synced: since when that is, is not known yet.
  assert.equal(healthSinceMs, undefined)
})

test('returns open slots by hour and by day, largest states first', async (t) => {
  const { harness, as, add } = await openOperated(t)
  await add()
  const counts = new Map(Object.entries({ '': 9, MA: 4, NH: 5 }))
  await harness.store.openSlotHistory.put(harness.nowMs, new Map([['clinic', counts]]))
  const path = `${PATH}/clinic/open-slots`
  const hours = await harness.get('GET', path, { as })
  assert.deepEqual([hours.stepMs, hours.all.length, hours.all.at(-1)], [3_600_000, 336, 9])
  assert.deepEqual(
    hours.states.map(({ state, counts }: { state: string; counts: number[] }) => [state, counts.at(-1)]),
    [
      ['NH', 5],
      ['MA', 4],
    ],
  )
  const days = await harness.get('GET', `${path}?span=400d`, { as })
  assert.deepEqual([days.stepMs, days.all.length, days.all.at(-1)], [86_400_000, 400, 9])
  assert.deepEqual((await harness.ask('GET', `${path}?span=1y`, { as })).body.field, 'span')
})

test('removes a source after its slug is typed to confirm', async (t) => {
  const { harness, as, add } = await openOperated(t)
  await add()
  const remove = (slug: string) => harness.ask('DELETE', `${PATH}/clinic`, { as, body: { slug } })
  assert.deepEqual([(await remove('klinic')).status, (await remove('klinic')).body.field], [400, 'slug'])
  assert.equal((await remove('clinic')).status, 204)
  assert.equal((await remove('clinic')).status, 404)
})

test('returns 404 for an unknown source on every route', async (t) => {
  const { harness, as } = await openOperated(t)
  for (const [method, path, body] of [
    ['GET', `${PATH}/none`, undefined],
    ['PATCH', `${PATH}/none`, { paused: true }],
    ['POST', `${PATH}/none/sync`, {}],
    ['POST', `${PATH}/none/accept`, { accept: true }],
    ['GET', `${PATH}/none/open-slots`, undefined],
    ['DELETE', `${PATH}/none`, { slug: 'none' }],
  ] as const) {
    assert.equal((await harness.ask(method, path, { as, body })).status, 404, `${method} ${path}`)
  }
})
