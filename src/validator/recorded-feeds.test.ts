import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixtureFeed, recordedFeed } from '../../test/support/feeds/recorded-feeds.ts'
import { checkFeed } from './check-feed.ts'
import { folderFeed } from './folder-feed.ts'

/** Times at which the feeds were current. */
const CLOCKS: Readonly<Record<string, string>> = {
  'rite-aid-nj-2023-03-24': '2023-03-24T00:00:00Z',
  'prepmod-wa-2021-09-01': '2021-09-01T22:00:00Z',
  'fhir-r4-examples': '2013-12-25T00:00:00Z',
  'harbor-pharmacy-nj': '2023-03-24T00:00:00Z',
  'county-clinics-wa': '2021-09-01T22:00:00Z',
  'teaching-hospital': '2013-12-25T00:00:00Z',
}

const FIXTURES = ['harbor-pharmacy-nj', 'county-clinics-wa', 'teaching-hospital']

/** The expected number of findings by rule. */
const FOUND: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'rite-aid-nj-2023-03-24': {
    'slot-offset': 1542,
    'slot-id-repeated': 1430,
    'booking-phone-digits': 392,
    'location-postal-code-zero': 112,
    'location-phone-digits': 29,
    'manifest-published-later': 1,
    'slot-long': 340,
    'vaccine-dose-number': 112,
    'ndjson-final-newline': 3,
    'folder-file-missing': 1,
    'feed-one-link': 1,
  },
  'prepmod-wa-2021-09-01': {
    'slot-offset': 49,
    'r4-null': 3,
    'vaccine-product-coding': 3,
    'ndjson-final-newline': 4,
    'output-state-missing': 2,
    'location-telecom-both': 1,
  },
  'fhir-r4-examples': {
    'location-address': 3,
    'location-phone-digits': 2,
    'location-telecom': 2,
    'reference-dangling': 2,
    // Its coordinates are swapped.
    'location-position-elsewhere': 1,
    // Location/2 is the "South Wing Neuro OR 1", called "Starfleet HQ Sickbay".
    'schedule-actor-display': 1,
    'feed-without-states': 1,
    'location-mode': 3,
    'role-ended': 1,
    'resource-unused': 18,
    'schedule-unused': 2,
    'resource-contained': 1,
    'location-country': 1,
    'location-inactive': 1,
  },
  'harbor-pharmacy-nj': {
    'booking-phone-digits': 1,
    'feed-one-link': 1,
    'folder-file-missing': 1,
    'location-phone-digits': 1,
    'location-postal-code-zero': 2,
    'manifest-error': 1,
    'manifest-published-later': 1,
    'ndjson-final-newline': 3,
    'output-state': 1,
    'slot-id-repeated': 2,
    'slot-long': 3,
    'slot-offset': 4,
    'vaccine-dose-number': 2,
  },
  'county-clinics-wa': {
    'ndjson-final-newline': 4,
    'output-extension': 1,
    'output-state-missing': 2,
    'r4-null': 3,
    'slot-capacity-type': 1,
    'slot-offset': 5,
    'vaccine-product-coding': 3,
  },
  'teaching-hospital': {
    'feed-without-states': 1,
    'location-address': 1,
    'location-country': 1,
    'location-inactive': 1,
    'location-telecom': 1,
    'reference-dangling': 1,
    'resource-contained': 1,
    'resource-unused': 2,
    'schedule-unused': 1,
    'schedule-without-place': 1,
  },
}

const SLOTS: Readonly<Record<string, number>> = {
  'rite-aid-nj-2023-03-24': 1542,
  'prepmod-wa-2021-09-01': 49,
  'fhir-r4-examples': 4,
  'harbor-pharmacy-nj': 4,
  'county-clinics-wa': 5,
  'teaching-hospital': 4,
}

for (const [name, found] of Object.entries(FOUND)) {
  const { folder, skip } = FIXTURES.includes(name) ? fixtureFeed(name) : recordedFeed(name)
  test(`reports what is wrong with ${name} and reads every line of it`, { skip }, async () => {
    const clock = () => Date.parse(CLOCKS[name] ?? '')
    const report = await checkFeed(await folderFeed(folder), { clock })
    assert.deepEqual(Object.fromEntries(report.findings.map(({ rule, count }) => [rule, count])), found)
    const { slots, served, rejected, withheld } = report.lines
    assert.deepEqual([slots, served, rejected, withheld], [SLOTS[name], SLOTS[name], 0, 0])
    assert.equal(report.counts.error, 0)
  })
}
