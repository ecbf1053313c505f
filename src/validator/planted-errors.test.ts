import assert from 'node:assert/strict'
import { test } from 'node:test'
import { casesOf } from '../../test/support/cases.ts'
import { assertAgrees, checkAndSync } from '../../test/support/validator/check-planted.ts'
import type { Plant } from '../../test/support/validator/plant.ts'
import { PLANTS } from '../../test/support/validator/planted-errors.ts'
import { PlantedFeed } from '../../test/support/validator/planted-feed.ts'
import { GENERATIONS } from '../shared/check-report-labels.ts'
import { TOPICS } from './catalogue.ts'

for (const generation of GENERATIONS) {
  test(`finds no problems in a valid feed of ${generation} and detects its generation`, async () => {
    const { report, synced } = await checkAndSync(new PlantedFeed(generation))
    assert.deepEqual(report.findings, [])
    assert.equal(report.generation, generation)
    assert.equal(report.lines.served, 3)
    assertAgrees(report, synced)
  })
}

/** Rules that a feed on this machine cannot violate. */
const TESTED_ELSEWHERE = [
  'manifest-request-elsewhere',
  'folder-file-missing',
  'folder-no-schedules',
  'folder-no-targets',
  'feed-ids-beyond',
  'http-gzip',
  'http-secure',
  'line-rejected',
]

test('there is a planted error for every rule', () => {
  const planted = new Set(PLANTS.map(({ rule }) => rule))
  const rules = TOPICS.flatMap((topic) => topic.rules.map(({ id }) => id))
  assert.equal(new Set(rules).size, rules.length)
  const ofProfiles = new Set(TOPICS.find(({ heading }) => heading === 'Slot Directory')?.rules.map(({ id }) => id))
  assert.deepEqual(
    rules.filter((rule) => !planted.has(rule) && !ofProfiles.has(rule)),
    rules.filter((rule) => TESTED_ELSEWHERE.includes(rule)),
  )
})

for (const plant of PLANTS) {
  test(`reports a planted ${plant.rule} at its position`, async () => {
    const feed = plantedFeed(plant)
    const { report, synced, origin, url } = await checkAndSync(feed)
    const found = report.findings.find(({ rule }) => rule === plant.rule)
    assert.ok(found, `found ${report.findings.map(({ rule }) => rule).join(', ') || 'nothing'}`)
    const [place] = found.examples
    assert.deepEqual([place?.file, place?.line], whereOf(plant, feed, { origin, url }))
    assert.ok(place !== undefined && place.found.length > 5)
    assertAgrees(report, synced)
    for (const rule of plant.without ?? []) {
      assert.ok(!report.findings.some((one) => one.rule === rule), `found ${rule}, too`)
    }
    const isRejected = report.lines.rejected + report.lines.directoryRejected > 0
    assert.ok(!isRejected || report.counts.error > 0, 'what is rejected is an error')
    assert.ok(!report.findings.some(({ rule }) => rule === 'line-rejected'), 'every rejection has its rule')
  })
}

test('explains what a strict sync rejects, and agrees with it', async () => {
  const step = Math.floor(PLANTS.length / casesOf(PLANTS.length))
  for (const plant of PLANTS.filter((_, n) => n % step === 0)) {
    const { report, synced } = await checkAndSync(plantedFeed(plant), true)
    assertAgrees(report, synced)
    const isRejected = report.lines.rejected + report.lines.directoryRejected > 0
    assert.ok(!isRejected || report.counts.error > 0, plant.rule)
  }
})

function plantedFeed(plant: Plant): PlantedFeed {
  const feed = plant.feed?.() ?? new PlantedFeed(plant.generation ?? 'stu1')
  plant.plant(feed)
  return feed
}

function whereOf(
  { at: [file, line], rule }: Plant,
  feed: PlantedFeed,
  { origin, url }: { readonly origin: string; readonly url: string },
): [string, number | undefined] {
  if (file === 'manifest' || file === 'feed') return [url, line]
  if (rule === 'manifest-page' && file === 'gone') return [`${origin}/gone`, line]
  return [origin + (rule === 'http-redirect' ? '/moved' : feed.pathOf(file)), line]
}
