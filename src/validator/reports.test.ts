import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPlanted } from '../../test/support/validator/check-planted.ts'
import { PlantedFeed } from '../../test/support/validator/planted-feed.ts'
import { formatHtmlReport } from '../shared/check-report-html.ts'
import { servedCounts } from '../shared/check-report-labels.ts'
import type { CheckReport } from '../shared/contract/feed-checks.ts'
import { exitCodeOf } from './report.ts'
import { formatTextReport } from './text-report.ts'

async function reportOf(plant: (feed: PlantedFeed) => void, strict = false): Promise<CheckReport> {
  const feed = new PlantedFeed('stu1')
  plant(feed)
  return await checkPlanted(feed, { strict })
}

const HOSTILE = '<img src=x onerror=alert(1)>\u001b[2J"\'&'

test('the HTML report escapes everything that publishers write', async () => {
  const report = await reportOf((feed) => {
    feed.resource('Slot').status = HOSTILE
    feed.resource('Location').address.state = HOSTILE
    feed.manifest.request = HOSTILE
    feed.resource('Location').name = HOSTILE
  })
  const html = formatHtmlReport(report)
  assert.ok(html.includes('&lt;img src=x onerror=alert(1)&gt;'))
  assert.ok(!html.includes('<img'))
  assert.doesNotMatch(html, /<script|<link|<iframe|<form|<[^>]*\s(?:src|href)=/)
  assert.match(html, /Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/)
  assert.match(html, /prefers-color-scheme: dark/)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must not occur
  assert.doesNotMatch(html, /[\u0000-\u0009\u000b-\u001f]/)
})

test('the text report has rule, position, value and correct form, without control characters', async () => {
  const report = await reportOf((feed) => {
    feed.resource('Slot').status = HOSTILE
  })
  const text = formatTextReport(report)
  assert.match(text, /ERRORS: 1/)
  assert.match(text, /slot-status \(1\)\n {4}expected: `status` is/)
  assert.match(text, /Slot\.ndjson:1\n {6}status: got "<img/)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must not occur
  assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f]/)
  assert.match(text, /There is 1 error\.$/)
})

test('the reports count the served slots by status, mode and state, without zeros', async () => {
  const report = await reportOf(() => {})
  assert.deepEqual(servedCounts(report), [
    {
      title: 'By status',
      counts: [
        ['free', 2],
        ['busy', 1],
      ],
    },
    {
      title: 'In person or virtual',
      counts: [
        ['In person', 2],
        ['Virtual', 1],
      ],
    },
    {
      title: 'By state',
      counts: [
        ['MA', 3],
        ['NH', 1],
      ],
    },
  ])
  const html = formatHtmlReport(report)
  assert.match(html, /<h3>By state<\/h3>/)
  assert.match(
    html,
    /<th scope="row">NH<\/th><td class="number">1<\/td><td class="bar"><i style="width:33\.3%"><\/i><\/td>/,
  )
  assert.match(formatTextReport(report), /By state +MA 3, NH 1\n/)
})

test('the exit code is 0 for hints and warnings, 1 for errors or strict warnings, 2 for unreadable feeds', async () => {
  const codeOf = async (plant: (feed: PlantedFeed) => void, strict = false) => exitCodeOf(await reportOf(plant, strict))
  const warn = ({ manifest }: PlantedFeed) => void Object.assign(manifest, { error: undefined, request: '/' })
  const fail = (feed: PlantedFeed) => void Object.assign(feed.resource('Slot'), { status: 'open' })
  const hint = (feed: PlantedFeed) => void Object.assign(feed.resource('Location'), { timezone: 'x' })
  assert.equal(await codeOf(() => {}), 0)
  assert.equal(await codeOf(hint), 0)
  assert.equal(await codeOf(warn), 0)
  assert.equal(await codeOf(hint, true), 0)
  assert.equal(await codeOf(warn, true), 1)
  assert.equal(await codeOf(fail), 1)
  assert.equal(await codeOf(({ files }) => void delete files.Slot), 2)
})
