import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundle, FhirServer, sendJson } from '../../../test/support/feeds/fhir-server.ts'
import { clinic, person, place, Searcher, START_MS, schedule, slot } from '../../../test/support/feeds/searcher.ts'
import { DAY_MS } from '../../lib/time.ts'

/** What was asked, without what is the same each time. */
const short = (lines: readonly string[]) =>
  lines.map((line) => line.replace(/start=.*?(?=&_count|&offset| \d+$)/, '…').replace('&_count=500', ''))

test('reads the slots of a server with their references, page by page', async () => {
  await using server = await FhirServer.open(clinic(250))
  const searcher = new Searcher(server.base)
  const publication = await searcher.read()
  assert.equal(publication.unchanged, false)
  const { slots, rejected, counts } = searcher.draft
  assert.deepEqual([slots.length, rejected, counts.put], [250, [], 250])
  const [first] = slots
  assert.deepEqual([first.status, first.start], ['free', '2030-01-07T08:00:00.000Z'])
  assert.equal(new Set(slots.map(({ offering }) => offering)).size, 1)
  const { publisher, scheduleId, serviceTypeText, location, provider, isVirtual } = first.offering
  assert.deepEqual([publisher, scheduleId, serviceTypeText, isVirtual], ['clinic', 's1', 'Immunization', false])
  assert.deepEqual([location?.name, location?.state, location?.postalCode], ['Harbor Clinic', 'MA', '02110'])
  assert.equal(provider?.name, 'Dr. p1')
  assert.deepEqual(short(server.asked()), [
    '/fhir/metadata 200',
    '/fhir/Slot?… 200',
    '/fhir/Slot?…&offset=100 200',
    '/fhir/Slot?…&offset=200 200',
  ])
})

test('searches 30 days from the current hour, or as many as configured', async () => {
  await using server = await FhirServer.open([...clinic(0), slot(29 * 96), slot(30 * 96), slot(31 * 96)])
  const searcher = new Searcher(server.base)
  searcher.nowMs += 40 * 60_000
  await searcher.read()
  assert.match(server.log[1], /start=ge2030-01-05T20:00:00Z&start=lt2030-02-06T08:00:00Z/)
  assert.equal(searcher.draft.slots.length, 1)
  searcher.options = { daysAhead: 60 }
  await searcher.read()
  assert.equal(searcher.draft.slots.length, 3)
})

test('reads slots that began earlier and have not ended, up to the longest duration of a slot', async () => {
  const hours = (from: number, until: number) =>
    slot(4 * from, { end: new Date(START_MS + until * 3_600_000).toISOString() })
  await using server = await FhirServer.open([
    ...clinic(0),
    hours(-36, 0),
    hours(-35.5, 0.5),
    hours(-3, 5),
    hours(-0.5, 0),
    hours(-37, 0.5),
  ])
  const searcher = new Searcher(server.base)
  searcher.nowMs += 40 * 60_000
  await searcher.read()
  assert.deepEqual(
    searcher.draft.slots.map(({ startMs }) => (startMs - START_MS) / 3_600_000),
    [-35.5, -3],
  )
  assert.deepEqual([searcher.draft.counts.withheld, searcher.draft.rejected], [2, []])
})

test('withholds slots outside the search window', async () => {
  await using server = await FhirServer.open([])
  const resources = [slot(-100), slot(1), slot(40 * 96), schedule('s1')]
  server.answerSearches('Slot', () => bundle(resources.map((resource) => ({ resource }))))
  const searcher = await Searcher.afterRead(server.base)
  assert.deepEqual([searcher.draft.slots.length, searcher.draft.counts.withheld], [1, 2])
})

test('search parameters in the base URL replace the defaults', async () => {
  await using server = await FhirServer.open([...clinic(3), slot(50, { status: 'busy' }), slot(-900)])
  const searcher = await Searcher.afterRead(`${server.base}/?status=free&_count=2`)
  assert.equal(searcher.draft.slots.length, 3)
  assert.match(server.log[0], /^\/fhir\/metadata 200$/)
  assert.match(server.log[1], /^\/fhir\/Slot\?status=free&_count=2&start=ge/)
  const included = await Searcher.afterRead(`${server.base}?_include=Slot:schedule`)
  const search = server.log.findLast((line) => line.startsWith('/fhir/Slot?'))
  assert.match(search ?? '', /^[^&]*_include=Slot:schedule&start=[^_]*_count=500 200$/)
  assert.equal(included.draft.slots.length, 4)
  const other = await Searcher.afterRead(`${server.base}?start=ge2029-01-01T00:00:00Z`)
  assert.deepEqual(other.draft.rejected, [])
  assert.equal(other.draft.slots.length, 5)
})

for (const [what, abilities] of [
  ['includes nothing', { includes: 'none' }],
  ['includes Schedules alone', { includes: 'schedule' }],
  ['refuses to include', { includes: 'strict' }],
  ['includes what slots lead to on the page after them', { lateIncludes: true }],
  ['speaks STU3', { fhirVersion: '3.0.2' }],
  ['speaks R4B', { fhirVersion: '4.3.0' }],
] as const) {
  test(`reads the same slots from a server that ${what}`, async () => {
    await using usual = await FhirServer.open(clinic(150))
    await using server = await FhirServer.open(clinic(150))
    Object.assign(server.abilities, abilities)
    const [expected, searcher] = [new Searcher(usual.base), new Searcher(server.base)]
    await expected.read()
    await searcher.read()
    assert.deepEqual(searcher.draft.slots, expected.draft.slots)
    const isIncluded = !('includes' in abilities || 'lateIncludes' in abilities)
    assert.equal(
      server.asked().some((line) => line.includes('_id=')),
      !isIncluded,
    )
    assert.deepEqual(searcher.draft.rejected, [])
  })
}

test('reports an unchanged search, and keeps known slots after a change', async () => {
  await using server = await FhirServer.open(clinic(5))
  const searcher = await Searcher.afterRead(server.base)
  assert.equal((await searcher.read()).unchanged, true)
  assert.ok(
    !server
      .asked()
      .slice(3)
      .some((line) => line.includes('metadata')),
  )
  server.resources.push(slot(9))
  assert.equal((await searcher.read()).unchanged, false)
  const { kept, put } = searcher.draft.counts
  assert.deepEqual([kept, put, searcher.draft.slots.length], [5, 1, 6])
})

test('reads every slot again when its references have changed', async () => {
  await using server = await FhirServer.open(clinic(5))
  const searcher = await Searcher.afterRead(server.base)
  server.resources[0] = place('l1', 'Harbor Clinic North')
  assert.equal((await searcher.read()).unchanged, false)
  assert.deepEqual([searcher.draft.counts.kept, searcher.draft.counts.put], [0, 5])
  assert.equal(searcher.draft.slots[0].offering.location?.name, 'Harbor Clinic North')
  server.resources.splice(1, 1, person('p1b'))
  await searcher.read()
  assert.equal(searcher.draft.slots[0].offering.provider, undefined)
})

test('requests the version once a day', async () => {
  await using server = await FhirServer.open(clinic(1))
  const searcher = await Searcher.afterRead(server.base)
  for (const ms of [DAY_MS - 1, 1]) {
    server.asked()
    searcher.nowMs += ms
    server.resources.push(slot(100 + ms))
    await searcher.read()
    assert.equal(
      server.asked().some((line) => line.includes('metadata')),
      ms === 1,
    )
  }
  searcher.nowMs -= 2 * DAY_MS
  await searcher.read()
  assert.ok(server.asked().some((line) => line.includes('metadata')))
})

test('rejects unsupported versions with a clear message', async () => {
  for (const [fhirVersion, message] of [
    ['1.0.2', /fhirVersion must be of R4, R4B or STU3: got "1\.0\.2" \(DSTU2\)/],
    ['5.0.0', /fhirVersion must be of R4, R4B or STU3: got "5\.0\.0" \(R5\)/],
    ['what', /fhirVersion must be of R4, R4B or STU3: got "what"/],
  ] as const) {
    await using server = await FhirServer.open(clinic(1))
    server.abilities.fhirVersion = fhirVersion
    await assert.rejects(new Searcher(server.base).read(), { name: 'FeedFailure', message })
    assert.deepEqual(server.asked(), ['/fhir/metadata 200'])
  }
})

test('rejects single invalid entries with page, number and reason', async () => {
  await using server = await FhirServer.open(clinic(0))
  const entry = [
    { resource: slot(1) },
    { resource: slot(2, { status: 'open' }) },
    'text',
    { fullUrl: 'x' },
    { resource: { resourceType: 'Patient', id: 'p' }, search: { mode: 'match' } },
    { resource: { resourceType: 'Device', id: 'd' }, search: { mode: 'include' } },
    { resource: slot(3, { comment: 'x'.repeat(2 ** 20) }) },
    { resource: { ...place('a b') } },
    { resource: slot(4, { status: 'entered-in-error' }) },
    { resource: slot(5) },
  ]
  server.answerSearches('Slot', () => bundle(entry))
  const searcher = await Searcher.afterRead(server.base)
  const { rejected, slots, counts } = searcher.draft
  assert.deepEqual([slots.length, counts.withheld], [2, 1])
  assert.deepEqual(
    rejected.map(({ line, reason }) => [line, reason.replace(/^Cannot read the entry: /, '').slice(0, 60)]),
    [
      [3, 'the line must be a JSON object'],
      [4, 'resource must be an object: not provided'],
      [5, 'resourceType must be Slot: got "Patient"'],
      [7, 'the entry must be at most 1048576 bytes'],
      [8, 'id must be 1 to 256 characters without spaces: got "a b"'],
      [2, 'status must be one of free, busy, busy-unavailable, busy-ten'],
    ],
  )
  for (const { file, reason, sample } of rejected) {
    assert.ok(file.startsWith(`${server.base}/Slot?start=`))
    assert.ok(reason.length <= 300 && sample.length > 0 && sample.length <= 500)
  }
})

test('a strict source rejects only the entries that violate the specification', async () => {
  await using server = await FhirServer.open([
    ...clinic(2),
    slot(5, { comment: null }),
    slot(6, { end: '2030-01-07T10:00:00Z', start: '2030-01-07T09:30:00-00' }),
  ])
  const searcher = new Searcher(server.base)
  searcher.strict = true
  await searcher.read()
  assert.equal(searcher.draft.slots.length, 2)
  assert.deepEqual(
    searcher.draft.rejected.map(({ reason }) => reason.slice(0, 60)),
    [
      'Cannot read the entry: "comment" must be absent or have a va',
      'Cannot read the entry: start must be an instant like "2030-0',
    ],
  )
})

test('reports a change when only rejections differ', async () => {
  await using server = await FhirServer.open([])
  const entry: object[] = [{ resource: slot(1) }, { resource: schedule('s1') }]
  server.answerSearches('Slot', () => bundle(entry))
  const searcher = await Searcher.afterRead(server.base)
  entry.push({ resource: 'text' })
  assert.equal((await searcher.read()).unchanged, false)
  assert.equal((await searcher.read()).unchanged, true)
})

test('reports max-age and the time of the response', async () => {
  await using server = await FhirServer.open(clinic(0))
  const meta = { lastUpdated: '2030-01-07T07:59:00Z' }
  let maxAge = 'max-age=90'
  server.intercept = (request, response) => {
    if (request.url?.startsWith('/fhir/Slot') !== true) return false
    response.setHeader('cache-control', maxAge)
    return sendJson(response, 200, { resourceType: 'Bundle', meta })
  }
  const searcher = new Searcher(server.base)
  const { maxAgeMs, publishedAtMs } = await searcher.read()
  assert.deepEqual([maxAgeMs, publishedAtMs], [90_000, Date.parse(meta.lastUpdated)])
  maxAge = 'no-store, max-age=0'
  assert.equal((await searcher.read()).maxAgeMs, undefined)
})
