import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundle, entryOf, FhirServer, outcome, type Resource } from '../../../test/support/feeds/fhir-server.ts'
import { clinic, Searcher, schedule, slot } from '../../../test/support/feeds/searcher.ts'

const pageOf = (slots: number, ...others: Resource[]) =>
  bundle([
    ...clinic(slots).map((resource) => entryOf(resource, resource.resourceType === 'Slot' ? 'match' : 'include')),
    ...others.map((resource) => entryOf(resource, 'outcome')),
  ])

for (const severity of ['error', 'fatal']) {
  test(`fails as a whole if the server reports an issue of severity ${severity} in a result`, async () => {
    await using server = await FhirServer.open([])
    server.answerSearches('Slot', () =>
      pageOf(12, outcome('warning', 'slow'), outcome(severity, 'results are incomplete')),
    )
    await assert.rejects(new Searcher(server.base).read(), {
      name: 'FeedFailure',
      message: new RegExp(`/fhir/Slot\\?.*: the server reports ${severity}: results are incomplete$`),
    })
  })
}

test('fails as a whole if the server reports an error in a search by id', async () => {
  await using server = await FhirServer.open(clinic(3))
  server.abilities.includes = 'none'
  server.answerSearches('Location', () => bundle([entryOf(outcome('error', 'timeout'), 'outcome')]))
  await assert.rejects(new Searcher(server.base).read(), /the server reports error: timeout/)
})

test('fails as a whole if there are fewer matches than the total', async () => {
  await using server = await FhirServer.open([])
  server.answerSearches('Slot', () => ({ ...pageOf(12), total: 60 }))
  await assert.rejects(
    new Searcher(server.base).read(),
    /the search result is incomplete: its total is 60, but its pages have 12 matching resources$/,
  )
  server.answerSearches('Slot', () => ({ ...pageOf(12), total: 13 }))
  await assert.rejects(new Searcher(server.base).read(), /its total is 13/)
})

test('counts matches over all pages, and neither included resources nor outcomes', async () => {
  await using server = await FhirServer.open(clinic(250))
  const searcher = await Searcher.afterRead(server.base)
  assert.equal(searcher.draft.slots.length, 250)
  server.answerSearches('Slot', () => ({ ...pageOf(12, outcome('warning', 'slow')), total: 12 }))
  await new Searcher(server.base).read()
})

test('counts Slots as matches if the server states no search modes', async () => {
  await using server = await FhirServer.open([])
  let total = 2
  const entry = [slot(1), slot(2), schedule('s1')].map((resource) => ({ resource }))
  server.answerSearches('Slot', () => ({ resourceType: 'Bundle', total, entry }))
  const searcher = await Searcher.afterRead(server.base)
  assert.equal(searcher.draft.slots.length, 2)
  total = 3
  await assert.rejects(searcher.read(), /its total is 3, but its pages have 2/)
})

test('accepts a total that decreases from page to page', async () => {
  await using server = await FhirServer.open([schedule('s1')])
  let page = 0
  server.answerSearches('Slot', () => {
    page++
    return page === 1
      ? { ...bundle([entryOf(slot(1))], `${server.base}/Slot?page=2`), total: 3 }
      : { ...bundle([entryOf(slot(2))]), total: 2 }
  })
  const searcher = await Searcher.afterRead(server.base)
  assert.equal(searcher.draft.slots.length, 2)
})

test('reads on after pages that repeat only an outcome or an included resource', async () => {
  await using server = await FhirServer.open([])
  let page = 0
  server.answerSearches('Slot', () => {
    page++
    const same = [entryOf(outcome('information', 'filtered'), 'outcome'), entryOf(schedule('s1'), 'include')]
    return page < 4
      ? bundle([same[page % 2]], `${server.base}/Slot?page=${page + 1}`)
      : bundle([entryOf(slot(1)), ...same])
  })
  const searcher = await Searcher.afterRead(server.base)
  assert.deepEqual([searcher.draft.slots.length, searcher.draft.rejected], [1, []])
})

/** Makes a change between the first page of two Slots and the next. */
function changeWhilePaging(server: FhirServer, change: (resources: Resource[]) => void): void {
  server.abilities.pageMax = 2
  let isChanged = false
  server.intercept = (request) => {
    if (!isChanged && request.url?.includes('offset=2') === true) {
      isChanged = true
      change(server.resources)
    }
    return false
  }
}

for (const [what, change] of [
  [
    'rescheduled to a later page',
    (resources: Resource[]) => {
      resources.splice(2, 1)
      resources.push(slot(2, { start: slot(9).start, end: slot(9).end }))
    },
  ],
  ['deleted from an earlier page', (resources: Resource[]) => resources.splice(1, 1)],
  ['inserted into an earlier page', (resources: Resource[]) => resources.splice(1, 0, slot(0))],
] as const) {
  test(`reports a mixed result if a slot is ${what} while pages are read`, async () => {
    await using server = await FhirServer.open([schedule('s1'), slot(1), slot(2), slot(3), slot(4)])
    changeWhilePaging(server, change)
    const searcher = new Searcher(server.base)
    assert.equal((await searcher.read()).isMixed, true)
    assert.equal((await searcher.read()).isMixed, false)
    const slots = server.resources.filter(({ resourceType }) => resourceType === 'Slot')
    assert.deepEqual(searcher.draft.slots.map(({ start }) => start).sort(), slots.map(({ start }) => start).sort())
  })
}

test('reports the result of a server whose slots also changed at the last sync as it is, with a message', async () => {
  await using server = await FhirServer.open([schedule('s1'), slot(1), slot(2), slot(3), slot(4), slot(5)])
  const searcher = new Searcher(server.base)
  const removeSecond = (resources: Resource[]) => resources.splice(1, 1)
  const results: unknown[] = []
  for (let sync = 0; sync < 2; sync++) {
    changeWhilePaging(server, removeSecond)
    const { isMixed, messages } = await searcher.read()
    results.push([isMixed, messages?.filter(({ text }) => text.startsWith('Slots changed while')).length])
  }
  assert.deepEqual(results, [
    [true, 0],
    [false, 1],
  ])
})

test('does not take a total that rises for a change', async () => {
  await using server = await FhirServer.open([schedule('s1')])
  let page = 0
  server.answerSearches('Slot', () =>
    ++page === 1
      ? { ...bundle([entryOf(slot(1))], `${server.base}/Slot?page=2`), total: 2 }
      : { ...bundle([entryOf(slot(2)), entryOf(slot(3))]), total: 3 },
  )
  assert.equal((await new Searcher(server.base).read()).isMixed, false)
})

test('reports a mixed result if the Schedules to search change while they are read', async () => {
  await using server = await FhirServer.open([])
  let page = 0
  server.answerSearches('Schedule', () =>
    ++page === 1
      ? { ...bundle([entryOf(schedule('s1'))], `${server.base}/Schedule?page=2`), total: 3 }
      : { ...bundle([entryOf(schedule('s3'))]), total: 2 },
  )
  const searcher = new Searcher(`${server.base}?schedule.actor=Location/l1`)
  searcher.options = { server: 'epic' }
  assert.equal((await searcher.read()).isMixed, true)
})

test('does not take duplicates on one page, or totals that count the entries of a page, for changes', async () => {
  await using server = await FhirServer.open([schedule('s1')])
  let page = 0
  server.answerSearches('Slot', () =>
    ++page === 1
      ? {
          ...bundle(
            [slot(1), slot(1), slot(2)].map((each) => entryOf(each)),
            `${server.base}/Slot?page=2`,
          ),
          total: 3,
        }
      : { ...bundle([entryOf(slot(3))]), total: 1 },
  )
  const searcher = new Searcher(server.base)
  assert.equal((await searcher.read()).isMixed, false)
  assert.deepEqual([searcher.draft.slots.length, searcher.draft.rejected.length], [3, 1])
})

test('keeps warnings as messages, not as rejected entries, also of an unchanged result', async () => {
  await using server = await FhirServer.open([])
  const warnings = [outcome('warning', 'Some calendars are not shown'), outcome('information', 'took 7 ms')]
  server.answerSearches('Slot', () => pageOf(3, ...warnings))
  const searcher = new Searcher(server.base)
  const first = await searcher.read()
  assert.deepEqual(first.messages, [{ severity: 'warning', text: 'Some calendars are not shown' }])
  assert.deepEqual(searcher.draft.rejected, [])
  warnings[0] = outcome('warning', 'Another warning')
  const second = await searcher.read()
  assert.equal(second.unchanged, true)
  assert.deepEqual(second.messages, [{ severity: 'warning', text: 'Another warning' }])
})

test('removes secrets from messages', async () => {
  await using server = await FhirServer.open([])
  server.answerSearches('Slot', () => pageOf(1, outcome('warning', 'the key s3cr3t-value expires')))
  const searcher = new Searcher(server.base)
  searcher.options = { headers: { 'x-key': `\${SOURCE_KEY}` } }
  searcher.secrets.SOURCE_KEY = 's3cr3t-value'
  const { messages } = await searcher.read()
  assert.deepEqual(messages, [{ severity: 'warning', text: 'the key [secret] expires' }])
})
