import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bundle,
  entryOf,
  FhirServer,
  outcome,
  type Resource,
  sendJson,
} from '../../../test/support/feeds/fhir-server.ts'
import { clinic, place, role, Searcher, schedule, slot } from '../../../test/support/feeds/searcher.ts'

/** Clinics with a Location, a Schedule of these actors and a slot each. */
function clinics(count: number, actorsOf: (n: number) => string[]): Resource[] {
  return Array.from({ length: count }, (_, n) => [
    place(`l${n}`),
    schedule(`s${n}`, ...actorsOf(n)),
    slot(n, { schedule: { reference: `Schedule/s${n}` } }),
  ]).flat()
}

const askedByIds = (server: FhirServer) => server.asked().filter((line) => line.includes('_id='))

test('requests by id only resources that were not included, fifty at once, and never twice', async () => {
  await using server = await FhirServer.open([
    ...clinics(120, (n) => [`Location/l${n}`]),
    slot(200, { schedule: { reference: 'Schedule/gone' } }),
    slot(201, { schedule: { reference: 'Schedule/gone' } }),
  ])
  Object.assign(server.abilities, { includes: 'none', pageMax: 121 })
  const searcher = await Searcher.afterRead(server.base)
  assert.equal(searcher.draft.slots.length, 120)
  assert.deepEqual(
    searcher.draft.rejected.map(({ line, reason }) => [line, reason]),
    [
      [121, 'Cannot read the entry: schedule must be in the feed: got "Schedule/gone"'],
      [1, 'Cannot read the entry: schedule must be in the feed: got "Schedule/gone"'],
    ],
  )
  const byIds = askedByIds(server)
  assert.deepEqual(
    byIds.map((line) => /^\/fhir\/(\w+)/.exec(line)?.[1]),
    ['Schedule', 'Schedule', 'Schedule', 'Location', 'Location', 'Location'],
  )
  assert.match(byIds[0], /_id=s0,s1,.*,s49&_count=50 200$/)
})

test('reads slots without actors that the server denies, with one rejection', async () => {
  await using server = await FhirServer.open([...clinic(3), role('r2', 'p1', 'l1')])
  server.abilities.includes = 'none'
  server.intercept = (request, response) =>
    /^\/fhir\/(PractitionerRole|Practitioner)\?/.test(request.url ?? '') &&
    sendJson(response, 403, outcome('error', 'not in your scope'))
  const searcher = await Searcher.afterRead(server.base)
  assert.equal(searcher.draft.slots.length, 3)
  assert.deepEqual(
    searcher.draft.rejected.map(({ reason }) => reason),
    ['Slots are read without PractitionerRole resources: status must be 200: got "403" (not in your scope)'],
  )
  assert.equal((await searcher.read()).unchanged, true)
})

for (const status of [422, 501]) {
  test(`reads slots without actors of a type whose search the server does not support (${status})`, async () => {
    await using server = await FhirServer.open(clinic(3))
    server.abilities.includes = 'none'
    server.answerSearches('PractitionerRole', () => outcome('error', 'not supported'), status)
    const searcher = await Searcher.afterRead(server.base)
    assert.equal(searcher.draft.slots.length, 3)
    assert.deepEqual(
      searcher.draft.rejected.map(({ reason }) => reason),
      [`Slots are read without PractitionerRole resources: status must be 200: got "${status}" (not supported)`],
    )
  })
}

test('fails as a whole if the server denies Schedules or types that it allowed before', async () => {
  await using server = await FhirServer.open(clinic(3))
  server.abilities.includes = 'none'
  const searcher = await Searcher.afterRead(server.base)
  for (const type of ['Location', 'Schedule']) {
    server.answerSearches(type, () => outcome('error', 'no'), 403)
    await assert.rejects(searcher.read(), {
      name: 'FeedFailure',
      message: /status must be 200: got "403" \(no\)/,
    })
  }
})

test('fails if a server denies Schedules initially, or a type during the sync', async () => {
  await using server = await FhirServer.open(clinics(60, (n) => [`Location/l${n}`]))
  server.abilities.includes = 'none'
  for (const refused of [/^\/fhir\/Schedule\?/, /^\/fhir\/Location\?_id=l50/]) {
    server.intercept = (request, response) =>
      refused.test(request.url ?? '') && sendJson(response, 403, outcome('error', 'no'))
    await assert.rejects(new Searcher(server.base).read(), {
      name: 'FeedFailure',
      message: /got "403" \(no\)/,
    })
  }
})

test('requests several ids at once of the other types if the server denies one', async () => {
  await using server = await FhirServer.open(clinics(20, (n) => [`PractitionerRole/r${n}`, `Location/l${n}`]))
  server.abilities.includes = 'none'
  server.answerSearches('PractitionerRole', () => outcome('error', 'not supported'), 400)
  const searcher = await Searcher.afterRead(server.base)
  assert.equal(searcher.draft.slots.length, 20)
  const byIds = askedByIds(server)
  assert.deepEqual(
    byIds.map((line) => line.replace(/^.fhir.(\w+).*_count=(\d+) (\d+)$/, '$1 $2 $3')),
    ['Schedule 20 200', 'PractitionerRole 20 400', 'PractitionerRole 1 400', 'Location 20 200'],
  )
})

test('keeps the first of two versions of a Location that changes during the sync', async () => {
  await using server = await FhirServer.open([])
  const entry = [slot(1), schedule('s1', 'Location/l1'), place('l1'), place('l1', 'Renamed')]
  server.answerSearches('Slot', () => bundle(entry.map((resource) => ({ resource }))))
  const searcher = await Searcher.afterRead(server.base)
  assert.deepEqual(searcher.draft.rejected, [])
  assert.equal(searcher.draft.slots[0].offering.location?.name, 'Harbor Clinic')
})

test('requests the Location around one without an address, and reads its slots again when that changes', async () => {
  const room = { resourceType: 'Location', id: 'room', name: 'Room 1', partOf: { reference: 'Location/floor' } }
  const floor = { resourceType: 'Location', id: 'floor', partOf: { reference: 'Location/l1' } }
  await using server = await FhirServer.open([
    ...[room, floor, { ...place('l1'), partOf: { reference: 'Location/site' } }],
    ...[schedule('s1', 'Location/room'), slot(1)],
  ])
  const searcher = await Searcher.afterRead(server.base)
  const [{ offering }] = searcher.draft.slots
  assert.deepEqual(
    [offering.location?.name, offering.location?.city, offering.location?.state],
    ['Room 1', 'Boston', 'MA'],
  )
  const byIds = askedByIds(server)
  assert.deepEqual(
    byIds.map((line) => /_id=(\w+)/.exec(line)?.[1]),
    ['floor', 'l1'],
  )
  server.resources[2] = { ...place('l1'), address: { city: 'Concord', state: 'NH' } }
  await searcher.read()
  assert.equal(searcher.draft.slots[0].offering.location?.state, 'NH')
})

for (const reference of ['l1', 'urn:uuid:l1']) {
  test(`reads slots again when the included Location of the untyped reference ${reference} changes`, async () => {
    await using server = await FhirServer.open([])
    let name = 'Harbor Clinic'
    server.answerSearches('Slot', () => {
      const matches = [slot(1), slot(2, { schedule: { reference: 'Schedule/s2' } })]
      const included = [schedule('s1', reference, 'gone'), schedule('s2'), place('l1', name)]
      return bundle([...matches.map((one) => entryOf(one)), ...included.map((one) => entryOf(one, 'include'))])
    })
    const searcher = await Searcher.afterRead(server.base)
    assert.equal((await searcher.read()).unchanged, true)
    name = 'Valley Clinic'
    assert.equal((await searcher.read()).unchanged, false)
    const { slots, counts } = searcher.draft
    assert.equal(slots.find(({ offering }) => offering.scheduleId === 's1')?.offering.location?.name, name)
    assert.deepEqual([counts.kept, counts.put], [1, 1])
    assert.deepEqual(askedByIds(server), [])
  })
}

test('requests no invalid ids', async () => {
  await using server = await FhirServer.open([
    ...['a,b', 'a|b', '../x', 'é'].map((id, n) => slot(n, { schedule: { reference: `Schedule/${id}` } })),
  ])
  const searcher = await Searcher.afterRead(server.base)
  assert.deepEqual([searcher.draft.slots.length, searcher.draft.rejected.length], [0, 4])
  assert.deepEqual(askedByIds(server), [])
})
