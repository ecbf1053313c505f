import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DashboardApiHarness, plain } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'

test('Explore downloads slots as a CSV file, compressed if the browser accepts it', async (t) => {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('ann')
  const path = '/api/explore/slots.csv?state=MA&sort=distance'
  assert.equal((await harness.ask('GET', path)).status, 401)
  assert.deepEqual(harness.asked, [])
  harness.answer = { status: 200, headers: [], body: Buffer.from('id\r\n') }
  const { status, text, headers } = await harness.ask('GET', path, { as, headers: { 'accept-encoding': 'gzip' } })
  assert.deepEqual([status, text, headers.get('content-encoding')], [200, 'id\r\n', 'gzip'])
  assert.equal(headers.get('content-disposition'), 'attachment; filename="slots.csv"')
  assert.deepEqual([headers.get('cache-control'), headers.get('vary')], ['no-store', 'Accept-Encoding'])
  assert.equal((await harness.ask('GET', path, { as })).headers.get('content-encoding'), null)
  const query = { about: 'csv', search: 'state=MA&sort=distance', by: { id: as, organizationId: as } }
  assert.deepEqual(harness.asked, [
    { ...query, coding: 'gzip' },
    { ...query, coding: undefined },
  ])
  for (const [code, expected] of [
    [400, 'invalid-field'],
    [413, 'content-too-large'],
    [503, 'not-ready'],
  ] as const) {
    harness.answer = plain(code, { error: 'x', message: 'Why.' })
    const refused = await harness.ask('GET', path, { as })
    const { code: actual, detail } = JSON.parse(refused.text)
    assert.deepEqual([refused.status, actual, detail], [code, expected, 'Why.'])
  }
})
