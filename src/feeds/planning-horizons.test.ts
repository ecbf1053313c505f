import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { FhirServer } from '../../test/support/feeds/fhir-server.ts'
import { manifest, ndjson, Publisher } from '../../test/support/feeds/publisher.ts'
import { RecordedDraft } from '../../test/support/feeds/recorded-draft.ts'
import { clinic, Searcher } from '../../test/support/feeds/searcher.ts'
import { BULK, Follower, feed, LISTED, place, schedule, slot } from '../../test/support/feeds/smart-links-reader.ts'
import type { Publication } from './connector.ts'
import { Directory } from './fhir/directory.ts'
import { files } from './files/connector.ts'

const HORIZON = { start: '2026-03-01', end: '2026-06-01T00:00:00-04:00' }
const OF_S1 = { isWhole: true, bySchedule: new Map([['s1', HORIZON]]) }
const planned = (planningHorizon: unknown) => ({ ...schedule('s1', 'l1'), planningHorizon })

test('reads the planning horizons of SMART Scheduling Links, of each generation', async () => {
  for (const generation of [{}, BULK]) {
    await using publisher = await Publisher.open({
      ...feed(),
      '/$bulk-publish': manifest(LISTED, generation),
      '/s': ndjson(planned(HORIZON)),
    })
    assert.deepEqual((await new Follower(publisher).read()).horizons, OF_S1)
  }
})

test('keeps a slot file that is unchanged when a planning horizon moves', async () => {
  await using publisher = await Publisher.open({ ...feed(), '/s': ndjson(planned(HORIZON)) })
  const follower = await Follower.afterRead(publisher)
  publisher.files['/s'] = ndjson(planned({ ...HORIZON, start: '2026-03-02' }))
  const publication = await follower.read()
  assert.deepEqual(publication.horizons?.bySchedule.get('s1'), { ...HORIZON, start: '2026-03-02' })
  assert.deepEqual([follower.draft.counts.put, follower.draft.slots.length], [0, 3])
})

test('reads the planning horizons of a FHIR server; one that moves within a day is no change', async () => {
  const searcher = async (start: string, before?: Searcher): Promise<[Searcher, Publication]> => {
    const resources = clinic(1).map((one) =>
      one.resourceType === 'Schedule' ? { ...one, planningHorizon: { start } } : one,
    )
    server.resources.splice(0, Number.POSITIVE_INFINITY, ...resources)
    const reading = before ?? new Searcher(server.base)
    return [reading, await reading.read()]
  }
  await using server = await FhirServer.open(clinic(1))
  const [reading, first] = await searcher('2030-01-07T08:00:00Z')
  assert.deepEqual(first.horizons?.bySchedule, new Map([['s1', { start: '2030-01-07T08:00:00Z' }]]))
  assert.equal((await searcher('2030-01-07T09:00:00Z', reading))[1].unchanged, true)
  assert.equal((await searcher('2030-01-08T09:00:00Z', reading))[1].unchanged, false)
})

test('reads the planning horizons of a file', async () => {
  const content = ndjson(place('l1'), planned(HORIZON), slot('a'))
  const file = { name: 'file.ndjson', open: () => Readable.from([Buffer.from(content)]) }
  const source = { slug: 'clinic', format: 'files', url: '', options: {}, strict: false } as const
  const { horizons } = await files({ file }).read(source, new RecordedDraft(), new AbortController().signal)
  assert.deepEqual(horizons, OF_S1)
})

test('ignores invalid planning horizons, and leaves all of them out of the digest', () => {
  const directoryOf = (planningHorizon: unknown) => {
    const directory = new Directory('clinic', false)
    directory.put('Schedule', { id: 's', planningHorizon })
    return directory
  }
  const horizonIn = (planningHorizon: unknown) => directoryOf(planningHorizon).horizons.get('s')
  for (const none of [undefined, null, 'soon', {}, { start: 'soon' }, { start: '2026-02-31T25:00:00Z' }, { end: {} }])
    assert.equal(horizonIn(none), undefined)
  assert.deepEqual(horizonIn({ start: ' 2026-02 ', end: '2026-02-31/x' }), { start: '2026-02' })
  assert.deepEqual(horizonIn({ start: '0000', end: '2026-02-01T08:00:00+14:00' }), { end: '2026-02-01T08:00:00+14:00' })
  for (const offset of ['+14:30', '-15:00', '+23:59'])
    assert.equal(horizonIn({ end: `2026-02-01T08:00:00${offset}` }), undefined)
  assert.equal(directoryOf(HORIZON).digest(), directoryOf(undefined).digest())
})
