import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandLine } from '../../test/support/cli/command-line.ts'
import { entryOf, FhirServer, outcome } from '../../test/support/feeds/fhir-server.ts'
import { clinic, place, START_MS, schedule, slot } from '../../test/support/feeds/searcher.ts'
import { VENDORS } from '../../test/support/feeds/servers/vendors.ts'
import { HOUR_MS } from '../lib/time.ts'

test('an incomplete search removes no slots, and the warnings of a server are shown', async (t) => {
  const slots = await commandLine(t, { ALLOW_PRIVATE_SOURCES: 'true' })
  await using server = await FhirServer.open([])
  let page: object = {}
  server.answerSearches('Slot', () => page)
  const of = (count: number, ...more: object[]) => ({
    resourceType: 'Bundle',
    total: count,
    entry: [...clinic(count).map((resource) => entryOf(resource)), ...more],
  })
  const told = (severity: string, text: string) => entryOf(outcome(severity, text), 'outcome')
  const url = `${server.base}?start=ge2030-01-01T00:00:00Z`
  await slots.run('source', 'add', 'clinic', url, '--format', 'fhir-search')

  page = of(60, told('warning', 'Some calendars\u001b[1m are not shown'))
  assert.match((await slots.run('sync', 'clinic')).out, /^clinic +ok +60 +60 /m)
  const messages = [{ severity: 'warning', text: 'Some calendars [1m are not shown' }]
  assert.deepEqual((await slots.json('source', 'show', 'clinic')).messages, messages)
  assert.match((await slots.run('source', 'show', 'clinic')).out, /^ {2}warning +Some calendars \[1m are not shown$/m)
  assert.equal((await slots.run('rejected', 'clinic')).out, 'clinic: 0 rejected\n')

  for (const cut of [of(12, told('error', 'results are incomplete')), { ...of(12), total: 60 }]) {
    page = cut
    const { code, err, out } = await slots.run('sync', 'clinic')
    assert.equal(code, 1)
    assert.match(out + err, /incomplete/)
    const shown = await slots.json('source', 'show', 'clinic')
    assert.deepEqual([shown.slots, shown.lastSync.outcome, shown.messages], [60, 'failed', messages])
  }
  page = { resourceType: 'Bundle', entry: [slot(1), schedule('s1'), place('l1')].map((each) => ({ resource: each })) }
  await slots.run('sync', 'clinic')
  assert.deepEqual((await slots.json('source', 'show', 'clinic')).messages, [])
})

test('one source reads all Schedules of a server that requires one per search', async (t) => {
  const slots = await commandLine(t, { ALLOW_PRIVATE_SOURCES: 'true' })
  const epic = VENDORS.find(({ name }) => name === 'epic') ?? assert.fail()
  const hoursFromNow = Math.ceil((Date.now() - START_MS) / HOUR_MS)
  const visits = (['a', 'b', 'c'] as const).flatMap((doctor, at) =>
    Array.from({ length: 9 }, (_, n) => ({
      id: `${doctor}${n}`,
      doctor,
      from: hoursFromNow + n,
      until: hoursFromNow + n + 1 + at,
    })),
  )
  await using server = await epic.open(visits)
  await slots.run('source', 'add', 'all', server.base, '--format', 'fhir-search', '--server', 'epic')
  await slots.run('source', 'add', 'listed', `${server.base}?schedule=a,Schedule/c`, '--format', 'fhir-search')
  await slots.run('source', 'add', 'found', `${server.base}?schedule.actor=Location/l1`, '--format', 'fhir-search')
  await slots.run('sync')
  const counts = (await slots.json('source', 'list')).map((source: { slug: string; slots: number }) => [
    source.slug,
    source.slots,
  ])
  assert.deepEqual(Object.fromEntries(counts), { all: 27, listed: 18, found: 18 })
  assert.match((await slots.run('source', 'show', 'all')).out, /^ {2}warning +Some results are hidden\.$/m)
})
