import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { conformanceVerdict } from '../src/shared/conformance-labels.ts'
import type { CheckReport, Conformance } from '../src/shared/contract/feed-checks.ts'
import { checkFeed } from '../src/validator/check-feed.ts'
import { webFeed } from '../src/validator/web-feed.ts'
import type { RunningService } from './support/running-service.ts'
import { SampleService } from './support/sample-service.ts'
import { ROOT } from './support/source-files.ts'
import { type Loose, PlantedFeed } from './support/validator/planted-feed.ts'

let sample: SampleService

before(async () => {
  sample = await SampleService.serve({
    slots: 200,
    env: { OPEN_FEED: 'true' },
    prepare: async (service) => {
      for (const generation of ['vaccine-2021', 'stu1'] as const)
        await addSource(service, generation, new PlantedFeed(generation))
      await addSource(service, 'sparse', sparseFeed())
    },
  })
})

after(() => sample[Symbol.asyncDispose]())

/** Checks the publication at a path, with or without the key. */
async function reportOf(path: string, headers: Record<string, string> = {}): Promise<CheckReport> {
  const origin = sample.service.origin.replace('127.0.0.1', 'localhost')
  const feed = webFeed(origin + path, { allowPrivate: true, requestOptions: { headers } }, AbortSignal.timeout(60_000))
  return await checkFeed(feed, { profile: 'slot-directory' })
}

function conformanceOf({ conformance }: CheckReport): Conformance {
  assert.ok(conformance)
  return conformance
}

const notMet = (report: CheckReport) => conformanceOf(report).statements.filter(({ result }) => result === 'not-met')

function assertConforms(report: CheckReport): void {
  assert.deepEqual(notMet(report), [])
  const checks = conformanceOf(report).statements.filter(({ source }) => source === 'community')
  assert.deepEqual(
    checks.map(({ id, result }) => `${id} ${result}`),
    Array.from({ length: 14 }, (_, at) => `directory-${at + 1} met`),
  )
  assert.match(conformanceVerdict(conformanceOf(report)), /^Conforms to Slot Directory/)
}

/** Every statement that the guide lists as met is met. */
function assertDocumented(report: CheckReport): void {
  const page = readFileSync(join(ROOT, 'docs/guide/slot-directory.md'), 'utf8')
  const rows = [...page.matchAll(/^\| (`[^|]+`) \|[^|]+\| met\b/gm)]
  const claimed = rows.flatMap(([, ids]) => [...ids.matchAll(/`([^`]+)`/g)].map(([, id]) => id))
  const met = new Set(conformanceOf(report).statements.flatMap(({ id, result }) => (result === 'met' ? [id] : [])))
  assert.ok(claimed.length >= 40)
  assert.deepEqual(
    claimed.filter((id) => !met.has(id)),
    [],
  )
}

test('the open feed of sources of every generation meets all fourteen checks, and violates no statement', {
  timeout: 90_000,
}, async () => {
  const report = await reportOf('/fhir/$bulk-publish')
  assertConforms(report)
  assertDocumented(report)
  assert.ok(report.lines.served >= 200)
  const { body } = await sample.service.slots(sample.key, 'publisher=vaccine-2021&publisher=stu1&publisher=sparse')
  assert.ok(body.total > 3)
})

test('the feed with a key differs only in what is about open feeds', { timeout: 90_000 }, async () => {
  const report = await reportOf('/v1/fhir/$bulk-publish', { 'x-api-key': sample.key })
  assert.deepEqual(
    notMet(report).map(({ id }) => id),
    ['directory-2', 'directory-3', 'directory-4', 'sched-9'],
  )
})

/** Syncs a feed of slots that have not ended. */
async function addSource(service: RunningService, slug: string, feed: PlantedFeed): Promise<void> {
  const nowMs = Date.now()
  for (const [at, slot] of (feed.files.Slot ?? []).entries()) {
    const startMs = Math.ceil(nowMs / 3_600_000 + 24 + at) * 3_600_000
    slot.start = new Date(startMs).toISOString()
    slot.end = new Date(startMs + 1_200_000).toISOString()
  }
  feed.manifest.transactionTime = new Date(nowMs).toISOString()
  await using publisher = await feed.publish()
  await service.run('source', 'add', slug, publisher.origin + feed.path)
  await service.run('sync', slug)
}

/** A feed whose resources lack what the guide requires, and have no identifiers. */
function sparseFeed(): PlantedFeed {
  const feed = new PlantedFeed('draft-2025')
  const without = (resource: Loose, ...names: string[]) => {
    for (const name of names) delete resource[name]
  }
  without(feed.resource('Location', 1), 'name', 'telecom', 'identifier', 'position')
  without(feed.resource('Schedule', 1), 'serviceType', 'extension')
  without(feed.resource('Slot', 1), 'appointmentType')
  return feed
}
