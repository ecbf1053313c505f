import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { FhirServer, type Resource } from '../../../test/support/feeds/fhir-server.ts'
import { fixtureFeed, recordedFeed } from '../../../test/support/feeds/recorded-feeds.ts'
import { Searcher } from '../../../test/support/feeds/searcher.ts'

const FEEDS = [
  { feed: recordedFeed('fhir-r4-examples'), place: 'South Wing, second floor' },
  { feed: fixtureFeed('teaching-hospital'), place: 'East Wing, ground floor' },
]

function resourcesIn(folder: string): Resource[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
}

for (const { feed, includes, place } of FEEDS.flatMap((each) => [
  { ...each, includes: 'all' as const },
  { ...each, includes: 'none' as const },
])) {
  test(`reads ${feed.name} from a server that includes ${includes}`, { skip: feed.skip }, async () => {
    await using server = await FhirServer.open(resourcesIn(feed.folder))
    server.abilities.includes = includes
    const searcher = await Searcher.afterRead(`${server.base}?start=ge2000-01-01T00:00:00Z`)
    const { slots, rejected } = searcher.draft
    assert.deepEqual(rejected, [])
    assert.deepEqual(slots.map(({ status }) => status).sort(), ['busy', 'busy-tentative', 'busy-unavailable', 'free'])
    for (const { offering } of slots) {
      const { scheduleId, serviceTypeText, location, provider } = offering
      assert.deepEqual(
        [scheduleId, serviceTypeText, location?.name, provider?.specialty],
        ['example', 'Immunization', place, 'Clinical immunology'],
      )
    }
  })
}
