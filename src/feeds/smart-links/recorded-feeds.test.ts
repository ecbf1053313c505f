import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Published, Publisher } from '../../../test/support/feeds/publisher.ts'
import { RecordedDraft } from '../../../test/support/feeds/recorded-draft.ts'
import { type FeedFolder, fixtureFeed, recordedFeed } from '../../../test/support/feeds/recorded-feeds.ts'
import type { Source } from '../connector.ts'
import { smartLinks } from './connector.ts'

async function readFeed({ name, folder }: FeedFolder): Promise<RecordedDraft> {
  const files: Record<string, Published> = {}
  for (const file of readdirSync(folder)) files[`/${file}`] = readFileSync(join(folder, file), 'utf8')
  const { output, ...published } = JSON.parse(String(files['/bulk-publish.json']))
  files['/$bulk-publish'] = JSON.stringify({
    ...published,
    output: output.flatMap((entry: { url: string }) => present(entry, files)),
  })
  await using publisher = await Publisher.open(files)
  const draft = new RecordedDraft()
  const source: Source = {
    slug: name,
    format: 'smart-links',
    url: `${publisher.origin}/$bulk-publish`,
    options: {},
    strict: false,
  }
  await smartLinks({ allowPrivate: true }).read(source, draft, new AbortController().signal)
  return draft
}

/** The entry with the name of its recorded file (`…/slots/NJ.ndjson` is `slots-NJ.ndjson`), or nothing. */
function present<T extends { url: string }>(entry: T, files: Record<string, Published>): T[] {
  const [folder, last] = new URL(entry.url).pathname.split('/').slice(-2)
  const file = [`/${last}`, `/${folder}-${last}`].find((path) => path in files)
  return file === undefined ? [] : [{ ...entry, url: file }]
}

function reads(feed: FeedFolder, verify: (draft: RecordedDraft) => void): void {
  test(`reads the feed ${feed.name}`, { skip: feed.skip }, async () => verify(await readFeed(feed)))
}

reads(recordedFeed('rite-aid-nj-2023-03-24'), ({ slots, rejected }) => {
  assert.deepEqual(rejected, [])
  const count = (status: string) => slots.filter((slot) => slot.status === status).length
  assert.deepEqual([slots.length, count('free'), count('busy')], [1542, 1430, 112])
  assert.equal(new Set(slots.map(({ id }) => id)).size, 1542)
  assert.equal(new Set(slots.map(({ offering }) => offering)).size, 112)
  for (const { offering, bookingDeepLink } of slots) {
    assert.equal(offering.location?.state, 'NJ')
    assert.match(offering.location?.postalCode ?? '', /^0[78]\d{3}(?:-\d{4})?$/)
    assert.equal(bookingDeepLink, 'https://www.riteaid.com/pharmacy/covid-qualifier')
  }
})

reads(recordedFeed('prepmod-wa-2021-09-01'), ({ slots, rejected }) => {
  assert.deepEqual(rejected, [])
  assert.equal(slots.length, 49)
  for (const { offering, capacity } of slots) {
    assert.deepEqual([offering.location?.state, offering.serviceTypeCode], ['WA', 'covid19-immunization'])
    assert.ok(Number.isInteger(capacity))
  }
})

reads(fixtureFeed('harbor-pharmacy-nj'), ({ slots, rejected }) => {
  assert.deepEqual(rejected, [])
  const count = (status: string) => slots.filter((slot) => slot.status === status).length
  assert.deepEqual([slots.length, count('free'), count('busy')], [4, 3, 1])
  assert.equal(new Set(slots.map(({ id }) => id)).size, 4)
  assert.equal(new Set(slots.map(({ offering }) => offering)).size, 2)
  for (const { offering, bookingDeepLink } of slots) {
    assert.equal(offering.location?.state, 'NJ')
    assert.match(offering.location?.postalCode ?? '', /^0[78]\d{3}(?:-\d{4})?$/)
    assert.equal(bookingDeepLink, 'https://www.harbor-pharmacy.example/book')
  }
})

reads(fixtureFeed('county-clinics-wa'), ({ slots, rejected }) => {
  assert.deepEqual(rejected, [])
  assert.equal(slots.length, 5)
  for (const { offering, capacity } of slots) {
    assert.deepEqual([offering.location?.state, offering.serviceTypeCode], ['WA', 'covid19-immunization'])
    assert.ok(Number.isInteger(capacity))
  }
})
