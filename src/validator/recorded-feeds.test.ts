import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { checkFeed } from './check-feed.ts'
import { folderFeed } from './folder-feed.ts'

/** Real publications and HL7's examples, kept beside the project where there are any. */
const FEEDS = fileURLToPath(new URL('../../../shared/feeds/', import.meta.url))

/** When all of them are of this week: what is old is no fault of theirs. */
const CLOCKS: Readonly<Record<string, string>> = {
  'rite-aid-nj-2023-03-24': '2023-03-24T00:00:00Z',
  'prepmod-wa-2021-09-01': '2021-09-01T22:00:00Z',
  'fhir-r4-examples': '2013-12-25T00:00:00Z',
}

/** What a check of each finds, by rule. */
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
    'location-address': 4,
    'location-phone-digits': 2,
    'location-telecom': 2,
    'reference-dangling': 2,
    // Its coordinates are the wrong way round.
    'location-position-elsewhere': 1,
    'schedule-without-place': 1,
    'feed-without-states': 1,
    'resource-unused': 18,
    'schedule-unused': 2,
    'resource-contained': 1,
    'location-country': 1,
    'location-inactive': 1,
  },
}

const SLOTS: Readonly<Record<string, number>> = {
  'rite-aid-nj-2023-03-24': 1542,
  'prepmod-wa-2021-09-01': 49,
  'fhir-r4-examples': 4,
}

for (const [name, found] of Object.entries(FOUND)) {
  const skip = existsSync(FEEDS + name) ? false : `the recorded feed ${name} is not here`
  test(`tells what is wrong with ${name}, and loses no line of it`, { skip }, async () => {
    const clock = () => Date.parse(CLOCKS[name] ?? '')
    const report = await checkFeed(await folderFeed(FEEDS + name), { clock })
    assert.deepEqual(Object.fromEntries(report.findings.map(({ rule, count }) => [rule, count])), found)
    const { slots, served, rejected, withheld } = report.lines
    assert.deepEqual([slots, served, rejected, withheld], [SLOTS[name], SLOTS[name], 0, 0])
    assert.equal(report.counts.error, 0)
  })
}
