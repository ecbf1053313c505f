import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { deliver } from '../../../test/support/feeds/conformance/deliveries.ts'
import { entryOf, outcome, sendJson } from '../../../test/support/feeds/fhir-server.ts'
import { Searcher, START_MS } from '../../../test/support/feeds/searcher.ts'
import { servedOf, summaryOf, VENDORS, type Visit } from '../../../test/support/feeds/servers/vendors.ts'
import { HOUR_MS } from '../../lib/time.ts'

const DOCTORS = ['a', 'b', 'c'] as const

/** Every third hour for 40 days, a walk-in clinic of today that began early, one that has ended, and a busy hour. */
const VISITS: readonly Visit[] = [
  ...Array.from({ length: 320 }, (_, n) => ({ id: `v${n}`, doctor: DOCTORS[n % 3], from: 3 * n, until: 3 * n + 1 })),
  { id: 'walk-in', doctor: 'c', from: -35, until: 0.5 },
  { id: 'ended', doctor: 'a', from: -2, until: -1 },
  { id: 'busy', doctor: 'b', from: 5, until: 6, status: 'busy' },
  // On both sides of each end of a range of two weeks or less.
  ...Array.from({ length: 30 }, (_, n) => ({
    id: `night${n}`,
    doctor: DOCTORS[n % 3],
    from: 24 * n - 6,
    until: 24 * n + 25,
  })),
]

for (const vendor of VENDORS) {
  const { name } = vendor
  const searcherOf = (base: string) => new Searcher(`${base}${vendor.query}`)

  test(`${name}: serves every slot with its place and provider, by the profile that metadata tells`, async () => {
    await using server = await vendor.open(VISITS)
    const searcher = searcherOf(server.base)
    const { isMixed } = await searcher.read()
    assert.equal(isMixed, false)
    assert.deepEqual(searcher.draft.rejected, [])
    assert.deepEqual(summaryOf(searcher.draft.slots), servedOf(vendor, VISITS))
    const refused = server.asked().filter((line) => !line.endsWith(' 200'))
    assert.ok(refused.length <= 3, refused.join('\n'))
  })

  test(`${name}: serves the same slots by the configured profile if metadata does not tell`, async () => {
    await using server = await vendor.open(VISITS)
    server.intercept = (request, response) =>
      request.url === '/fhir/metadata' &&
      sendJson(response, 200, { resourceType: 'CapabilityStatement', fhirVersion: '4.0.1' })
    const searcher = searcherOf(server.base)
    searcher.options = { server: name, daysAhead: 40 }
    await searcher.read()
    assert.deepEqual(searcher.draft.rejected, [])
    assert.deepEqual(summaryOf(searcher.draft.slots), servedOf(vendor, VISITS, 40))
  })

  test(`${name}: reports an unchanged search, and reads only what has changed`, async () => {
    await using server = await vendor.open(VISITS.slice(0, 30))
    const searcher = searcherOf(server.base)
    await searcher.read()
    assert.equal((await searcher.read()).unchanged, true)
    server.resources.push(vendor.slot({ id: 'new', doctor: 'a', from: 7, until: 8 }))
    assert.equal((await searcher.read()).unchanged, false)
    const { kept, put } = searcher.draft.counts
    assert.deepEqual([kept, put, searcher.draft.slots.length], [30, 1, 31])
  })

  test(`${name}: reads the slots of a place again when it is renamed`, async () => {
    await using server = await vendor.open(VISITS.slice(0, 30))
    const searcher = searcherOf(server.base)
    await searcher.read()
    const at = server.resources.findIndex(({ id }) => id === 'l2')
    server.resources[at] = { ...server.resources[at], name: 'Valley Clinic' }
    await searcher.read()
    const { kept, put } = searcher.draft.counts
    assert.deepEqual([kept, put], [20, 10])
    const renamed = searcher.draft.slots.filter(({ offering }) => offering.location?.name === 'Valley Clinic')
    assert.equal(renamed.length, 10)
  })

  test(`${name}: fails as a whole if the server reports an error in any page`, async () => {
    await using server = await vendor.open(VISITS)
    const total = server.asked().length
    await searcherOf(server.base).read()
    const searches = server.asked().length - total
    for (const nth of [2, searches]) {
      let count = 0
      const entry = [entryOf(outcome('error', 'results are incomplete'), 'outcome')]
      server.intercept = (_, response) =>
        ++count === nth && sendJson(response, 200, { resourceType: 'Bundle', type: 'searchset', entry })
      await assert.rejects(searcherOf(server.base).read(), /results are incomplete/, `request ${nth}`)
    }
  })

  test(`${name}: fails as a whole if a search is throttled for long`, async () => {
    await using server = await vendor.open(VISITS)
    server.intercept = (request, response) => {
      if (request.url?.includes('metadata') === true) return false
      response.writeHead(429, { 'retry-after': '3600' }).end()
      return true
    }
    await assert.rejects(searcherOf(server.base).read(), { name: 'FeedFailure', retryAfterMs: 3_600_000 })
  })

  if (name === 'epic' || name === 'hapi') {
    test(`${name}: fails as a whole if the link to the next page is missing, by the total`, async () => {
      await using server = await vendor.open(VISITS)
      server.alter = (bundle) => ({ ...bundle, link: [] })
      await assert.rejects(searcherOf(server.base).read(), /the search result is incomplete: its total is \d+/)
    })
  }

  for (const delivery of ['cut', 'cut gzip', 'length too long', 'refused', 'bomb'] as const) {
    test(`${name}: fails as a whole if any response is broken: ${delivery}`, async () => {
      await using server = await vendor.open(VISITS.slice(0, 30))
      await searcherOf(server.base).read()
      const requests = server.asked().length
      for (let nth = 1; nth <= requests; nth++) {
        let count = 0
        server.intercept = (_, response) => {
          if (++count !== nth) return false
          deliver(response, ['{"resourceType":"Bundle","entry":[', 'null'], delivery)
          return true
        }
        await assert.rejects(searcherOf(server.base).read(), { name: 'FeedFailure' }, `request ${nth} of ${requests}`)
      }
    })
  }

  test(`${name}: serves what the server has after any changes, as time passes`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(changes(), { minLength: 1, maxLength: 5 }), async (steps) => {
        const visits = new Map<string, Visit>()
        await using server = await vendor.open([])
        const directory = server.resources.filter(({ resourceType }) => resourceType !== 'Slot')
        const searcher = searcherOf(server.base)
        let served: string[] = []
        let nowHours = 0
        for (const { put, removed, hours } of steps) {
          for (const visit of put) visits.set(visit.id, visit)
          for (const id of removed) visits.delete(id)
          nowHours += hours
          searcher.nowMs = START_MS + (nowHours + 0.5) * HOUR_MS
          server.resources.splice(0, server.resources.length, ...directory, ...[...visits.values()].map(vendor.slot))
          const { unchanged } = await searcher.read()
          if (!unchanged) served = summaryOf(searcher.draft.slots)
          assert.deepEqual(served, servedOf(vendor, [...visits.values()], 30, nowHours))
          assert.deepEqual(searcher.draft.rejected, [])
        }
      }),
      { numRuns: 10 },
    )
  })
}

test('oracle: a Location that may not be read has the name that the Schedule displays', async () => {
  const visit = { id: 'v', doctor: 'a', from: 1, until: 2 } as const
  const oracle = VENDORS[0]
  await using server = await oracle.open([])
  const { extension: _, ...slot } = oracle.slot(visit)
  const actor = [
    { reference: 'Practitioner/a', display: 'Dr. a' },
    { reference: 'Location/l1', display: "BW Women's Health" },
  ]
  server.resources.push({ ...slot, schedule: { reference: 'Schedule/own' } })
  server.resources.push({ resourceType: 'Schedule', id: 'own', actor })
  server.intercept = (request, response) =>
    request.url?.startsWith('/fhir/Location') === true && sendJson(response, 403, outcome('error', 'not in your scope'))
  const searcher = await Searcher.afterRead(`${server.base}${oracle.query}`)
  const [{ offering }] = searcher.draft.slots
  assert.deepEqual([offering.location?.name, offering.provider?.name], ["BW Women's Health", 'Dr. a'])
})

/** Slots that appear or change, slots that are removed, and the hours that pass. */
function changes() {
  const visit = fc
    .record({
      id: fc.integer({ min: 0, max: 30 }).map((n) => `v${n}`),
      doctor: fc.constantFrom(...DOCTORS),
      from: fc.integer({ min: -40, max: 800 }),
      hours: fc.integer({ min: 1, max: 36 }),
      status: fc.constantFrom('free' as const, 'busy' as const),
    })
    .map(({ hours, ...rest }) => ({ ...rest, until: rest.from + hours }))
  return fc.record({
    put: fc.array(visit, { maxLength: 40 }),
    removed: fc.array(
      fc.integer({ min: 0, max: 30 }).map((n) => `v${n}`),
      { maxLength: 10 },
    ),
    hours: fc.integer({ min: 0, max: 30 }),
  })
}
