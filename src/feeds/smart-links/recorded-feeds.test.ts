import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFeedFolder } from '../../../test/support/feeds/read-feed-folder.ts'
import type { RecordedDraft } from '../../../test/support/feeds/recorded-draft.ts'
import { type FeedFolder, fixtureFeed, recordedFeed } from '../../../test/support/feeds/recorded-feeds.ts'

function reads(feed: FeedFolder, verify: (draft: RecordedDraft) => void): void {
  test(`reads the feed ${feed.name}`, { skip: feed.skip }, async () => verify(await readFeedFolder(feed)))
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
