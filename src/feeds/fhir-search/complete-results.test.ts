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
import { clinic, Searcher, schedule, slot } from '../../../test/support/feeds/searcher.ts'

/** Answers searches of a type with this page. */
function answer(server: FhirServer, type: string, page: () => object): void {
  server.intercept = (request, response) =>
    request.url?.startsWith(`/fhir/${type}?`) === true && sendJson(response, 200, page())
}

const pageOf = (slots: number, ...others: Resource[]) =>
  bundle([
    ...clinic(slots).map((resource) => entryOf(resource, resource.resourceType === 'Slot' ? 'match' : 'include')),
    ...others.map((resource) => entryOf(resource, 'outcome')),
  ])

for (const severity of ['error', 'fatal']) {
  test(`fails as a whole if the server reports an issue of severity ${severity} in a result`, async () => {
    await using server = await FhirServer.open([])
    answer(server, 'Slot', () => pageOf(12, outcome('warning', 'slow'), outcome(severity, 'results are incomplete')))
    await assert.rejects(new Searcher(server.base).read(), {
      name: 'FeedFailure',
      message: new RegExp(`/fhir/Slot\\?.*: the server reports ${severity}: results are incomplete$`),
    })
  })
}

test('fails as a whole if the server reports an error in a search by id', async () => {
  await using server = await FhirServer.open(clinic(3))
  server.abilities.includes = 'none'
  answer(server, 'Location', () => bundle([entryOf(outcome('error', 'timeout'), 'outcome')]))
  await assert.rejects(new Searcher(server.base).read(), /the server reports error: timeout/)
})

test('fails as a whole if there are fewer matches than the total', async () => {
  await using server = await FhirServer.open([])
  answer(server, 'Slot', () => ({ ...pageOf(12), total: 60 }))
  await assert.rejects(
    new Searcher(server.base).read(),
    /the search result is incomplete: its total is 60, but its pages have 12 matching resources$/,
  )
  answer(server, 'Slot', () => ({ ...pageOf(12), total: 13 }))
  await assert.rejects(new Searcher(server.base).read(), /its total is 13/)
})

test('counts matches over all pages, and neither included resources nor outcomes', async () => {
  await using server = await FhirServer.open(clinic(250))
  const searcher = new Searcher(server.base)
  await searcher.read()
  assert.equal(searcher.draft.slots.length, 250)
  answer(server, 'Slot', () => ({ ...pageOf(12, outcome('warning', 'slow')), total: 12 }))
  await new Searcher(server.base).read()
})

test('counts Slots as matches if the server states no search modes', async () => {
  await using server = await FhirServer.open([])
  let total = 2
  const entry = [slot(1), slot(2), schedule('s1')].map((resource) => ({ resource }))
  answer(server, 'Slot', () => ({ resourceType: 'Bundle', total, entry }))
  const searcher = new Searcher(server.base)
  await searcher.read()
  assert.equal(searcher.draft.slots.length, 2)
  total = 3
  await assert.rejects(searcher.read(), /its total is 3, but its pages have 2/)
})

test('accepts a total that decreases from page to page', async () => {
  await using server = await FhirServer.open([schedule('s1')])
  let page = 0
  answer(server, 'Slot', () => {
    page++
    return page === 1
      ? { ...bundle([entryOf(slot(1))], `${server.base}/Slot?page=2`), total: 3 }
      : { ...bundle([entryOf(slot(2))]), total: 2 }
  })
  const searcher = new Searcher(server.base)
  await searcher.read()
  assert.equal(searcher.draft.slots.length, 2)
})

test('keeps warnings as messages, not as rejected entries, also of an unchanged result', async () => {
  await using server = await FhirServer.open([])
  const warnings = [outcome('warning', 'Some calendars are not shown'), outcome('information', 'took 7 ms')]
  answer(server, 'Slot', () => pageOf(3, ...warnings))
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
  answer(server, 'Slot', () => pageOf(1, outcome('warning', 'the key s3cr3t-value expires')))
  const searcher = new Searcher(server.base)
  searcher.options = { headers: { 'x-key': `\${SOURCE_KEY}` } }
  searcher.secrets = { SOURCE_KEY: 's3cr3t-value' }
  const { messages } = await searcher.read()
  assert.deepEqual(messages, [{ severity: 'warning', text: 'the key [secret] expires' }])
})
