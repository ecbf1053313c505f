import assert from 'node:assert/strict'
import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { tempFolder } from '../../test/support/temp-folder.ts'
import { bulkFeed } from '../../test/support/validator/bulk-feed.ts'
import { rulesOf } from '../../test/support/validator/check-planted.ts'
import { NOW_MS, PlantedFeed } from '../../test/support/validator/planted-feed.ts'
import { FeedFailure } from '../feeds/connector.ts'
import type { CheckReport } from '../shared/contract/feed-checks.ts'
import { checkFeed } from './check-feed.ts'
import { folderFeed } from './folder-feed.ts'

/** A folder with these files, removed after the test. */
async function folderOf(t: TestContext, files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const folder = tempFolder(t)
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}

const checked = async (path: string): Promise<CheckReport> => checkFeed(await folderFeed(path), { clock: () => NOW_MS })

/** The files of a valid feed. */
function files(feed = new PlantedFeed('stu1')): Record<string, string | Buffer> {
  return Object.fromEntries(feed.toFiles('https://publisher.example/feed'))
}

test('checks a folder with a manifest like a feed on the web', async (t) => {
  const { '$bulk-publish': manifest = '', ...others } = files()
  for (const name of ['$bulk-publish', 'bulk-publish.json', 'manifest.json']) {
    const report = await checked(await folderOf(t, { ...others, [name]: manifest }))
    assert.deepEqual([rulesOf(report), report.lines.served], [[], 3], name)
  }
})

test('finds further pages of a manifest by the end of their URL, and says which are missing', async (t) => {
  const { page2 = '', ...others } = files(bulkFeed())
  const { lines, findings } = await checked(await folderOf(t, { ...others, page2 }))
  assert.deepEqual([findings, lines.served, lines.superseded], [[], 3, 2])
  const partial = await checked(await folderOf(t, others))
  assert.deepEqual([rulesOf(partial), partial.unreadable], [['folder-file-missing'], undefined])
})

test('finds listed files by the end of their URL, plain or gzip', async (t) => {
  const { 'Slot.ndjson': slots = '', ...others } = files()
  for (const [name, content] of [
    ['feed/Slot.ndjson', slots],
    ['feed-Slot.ndjson', slots],
    ['Slot.ndjson.gz', gzipSync(slots)],
  ] as const) {
    const report = await checked(await folderOf(t, { ...others, [name]: content }))
    assert.deepEqual([rulesOf(report), report.lines.served], [[], 3], name)
  }
})

test('reads listed files as lines, whatever their name', async (t) => {
  const { '$bulk-publish': manifest = '', 'Slot.ndjson': slots = '', ...others } = files()
  const renamed = { ...others, '$bulk-publish': String(manifest).replaceAll('Slot.ndjson', 'Slot.json') }
  const right = await checked(await folderOf(t, { ...renamed, 'Slot.json': slots }))
  assert.deepEqual([rulesOf(right), right.unreadable, right.lines.served], [[], undefined, 3])
  const entry = String(slots)
    .trim()
    .split('\n')
    .map((line) => ({ resource: JSON.parse(line) }))
  const bundle = JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry })
  const wrong = await checked(await folderOf(t, { ...renamed, 'Slot.json': `${bundle}\n` }))
  assert.match(wrong.unreadable ?? '', /Slot\.json: it must be NDJSON of FHIR resources/)
})

test('reports missing files and checks the others', async (t) => {
  const { 'Slot.ndjson': _, ...others } = files()
  const report = await checked(await folderOf(t, others))
  assert.deepEqual(rulesOf(report), ['folder-file-missing'])
  assert.equal(report.unreadable, undefined)
})

test('checks files without a manifest, regardless of how resources are distributed', async (t) => {
  const { '$bulk-publish': _, ...others } = files()
  const whole = Object.values(others).join('')
  for (const given of [others, { 'all.ndjson': whole }, { 'all.ndjson.gz': gzipSync(whole) }]) {
    const report = await checked(await folderOf(t, given))
    assert.deepEqual([rulesOf(report), report.lines.slots, report.lines.served], [[], 3, 3])
  }
})

test('checks a single file: NDJSON, a Bundle, an array, a resource, a manifest', async (t) => {
  const feed = new PlantedFeed('stu1')
  const resources = Object.values(feed.files).flat()
  const bundle = {
    resourceType: 'Bundle',
    type: 'collection',
    entry: resources.map((resource) => ({ resource })),
  }
  const folder = await folderOf(t, {
    ...files(feed),
    'bundle.json': JSON.stringify(bundle, undefined, 2),
    'bundle.json.gz': gzipSync(JSON.stringify(bundle, undefined, 2)),
    'array.json': JSON.stringify(resources),
    'one.json': JSON.stringify(feed.resource('Slot'), undefined, 2),
  })
  for (const name of ['bundle.json', 'bundle.json.gz', 'array.json', '$bulk-publish'])
    assert.deepEqual(rulesOf(await checked(join(folder, name))), [], name)
  for (const name of ['Slot.ndjson', 'one.json']) {
    const report = await checked(join(folder, name))
    assert.deepEqual(rulesOf(report), ['folder-no-schedules'], name)
    assert.equal(report.lines.served, report.lines.slots)
  }
})

test('without a manifest, assumes that missing resources are elsewhere', async (t) => {
  const {
    'Location.ndjson': places = '',
    'Schedule.ndjson': schedules = '',
    'Slot.ndjson': slots = '',
  } = files(new PlantedFeed('vaccine-2021'))
  for (const [given, rules] of [
    [{ 'a.ndjson': places }, []],
    [{ 'a.ndjson': schedules }, ['folder-no-targets']],
    [{ 'a.ndjson': schedules, 'b.ndjson': slots }, ['folder-no-targets']],
    [{ 'a.ndjson': slots }, ['folder-no-schedules']],
    [{ 'a.ndjson': places, 'b.ndjson': slots }, ['folder-no-schedules']],
    [{ 'a.ndjson': places, 'b.ndjson': schedules }, []],
  ] as const)
    assert.deepEqual(rulesOf(await checked(await folderOf(t, given))), rules, Object.keys(given).join())
})

test('reports a file without lines and a Bundle without entries as empty', async (t) => {
  const folder = await folderOf(t, { 'a.ndjson': '\n', 'b.json': '{"resourceType":"Bundle","entry":[]}' })
  for (const name of ['a.ndjson', 'b.json'])
    assert.ok(rulesOf(await checked(join(folder, name))).includes('feed-nothing-served'), name)
})

test('reports the entry number in a Bundle', async (t) => {
  const feed = new PlantedFeed('stu1')
  feed.resource('Slot', 1).status = 'open'
  const entry = [...(feed.files.Schedule ?? []), ...(feed.files.Slot ?? [])].map((resource) => ({ resource }))
  const folder = await folderOf(t, { 'b.json': JSON.stringify({ resourceType: 'Bundle', entry }) })
  const report = await checked(join(folder, 'b.json'))
  const found = report.findings.find(({ rule }) => rule === 'slot-status')
  assert.deepEqual([found?.examples[0]?.file, found?.examples[0]?.line], ['b.json', 4])
})

test('rejects missing paths and reports unreadable files', async (t) => {
  await assert.rejects(folderFeed('/no/such/folder'), FeedFailure)
  await assert.rejects(folderFeed('/dev/null'), /pipes and devices are not supported/)
  for (const typed of ['publisher.example', 'publisher.example:8080/$bulk-publish', 'htps://publisher.example/'])
    await assert.rejects(folderFeed(typed), /a URL begins with https:/, typed)
  const empty = await checked(await folderOf(t, { 'readme.txt': 'x' }))
  assert.match(empty.unreadable ?? '', /must have a manifest/)
  const folder = await folderOf(t, {
    'cut.ndjson.gz': gzipSync('{}\n'.repeat(10_000)).subarray(0, 40),
    'bad.json': '{"resourceType": ',
    'deep.json': `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
  })
  assert.match((await checked(join(folder, 'cut.ndjson.gz'))).unreadable ?? '', /Cannot read .*cut/)
  const bad = await checked(join(folder, 'bad.json'))
  assert.match(bad.unreadable ?? '', /must be JSON/)
  assert.deepEqual([bad.counts.error, rulesOf(bad)], [1, ['file-unreadable']])
  assert.match((await checked(join(folder, 'deep.json'))).unreadable ?? '', /nested too deeply/)
})

test('rejects a document that is too large to keep in memory', async (t) => {
  const folder = await folderOf(t, { 'large.json': '{}' })
  await truncate(join(folder, 'large.json'), 2 ** 26 + 1)
  assert.match((await checked(join(folder, 'large.json'))).unreadable ?? '', /must be at most 67108864 bytes/)
})

test('reads no files outside the folder', async (t) => {
  const feed = new PlantedFeed('stu1')
  feed.manifest.output[0].url = 'https://publisher.example/%2e%2e/%2e%2e/etc/passwd'
  const report = await checked(await folderOf(t, files(feed)))
  assert.deepEqual(
    report.files.map(({ name }) => name).filter((name) => !name.endsWith('.ndjson')),
    [],
  )
})
