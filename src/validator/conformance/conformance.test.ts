import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../../../test/support/temp-folder.ts'
import { checkPlanted, checkUrl } from '../../../test/support/validator/check-planted.ts'
import { DirectoryFeed } from '../../../test/support/validator/directory-feed.ts'
import { extension } from '../../../test/support/validator/plant.ts'
import { type Loose, NOW_MS, PlantedFeed } from '../../../test/support/validator/planted-feed.ts'
import { conformanceVerdict } from '../../shared/conformance-labels.ts'
import { formatConformanceHtml } from '../../shared/conformance-report-html.ts'
import type { CheckReport, Conformance } from '../../shared/contract/feed-checks.ts'
import { TOPICS } from '../catalogue.ts'
import { checkFeed } from '../check-feed.ts'
import { folderFeed } from '../folder-feed.ts'
import { exitCodeOf } from '../report.ts'
import { formatTextReport } from '../text-report.ts'
import { webFeed } from '../web-feed.ts'
import { STATEMENTS } from './assess-conformance.ts'

const OPTIONS = { clock: () => NOW_MS, profile: 'slot-directory' } as const
const ALL = STATEMENTS['slot-directory']

const reportOf = (feed: DirectoryFeed) => checkPlanted(feed, { profile: 'slot-directory' })

function conformanceOf({ conformance }: CheckReport): Conformance {
  assert.ok(conformance)
  return conformance
}

const idsOf = (report: CheckReport, result: string) =>
  conformanceOf(report).statements.flatMap((one) => (one.result === result ? [one.id] : []))

test('the table has the fourteen checks, all statements of Bulk Publish, and sched-1 to sched-24, each once', () => {
  const ids = ALL.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  const numbered = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}-${at + 1}`)
  const published = ids.filter((id) => id.startsWith('publish-')).length
  assert.deepEqual(ids, [...numbered('directory', 14), ...numbered('publish', published), ...numbered('sched', 24)])
})

test('each statement names rules of the catalogue, or says why it cannot be checked', () => {
  const rules = new Set(TOPICS.flatMap((topic) => topic.rules.map(({ id }) => id)))
  for (const { id, rules: named, unchecked } of ALL) {
    assert.deepEqual(
      named.filter((rule) => !rules.has(rule)),
      [],
      id,
    )
    assert.ok(named.length > 0 || unchecked !== undefined, id)
  }
})

test('a Slot Directory that conforms meets all checks, and says what was read as evidence', async () => {
  const report = await reportOf(new DirectoryFeed())
  assert.deepEqual(report.findings, [])
  assert.deepEqual(idsOf(report, 'not-met'), [])
  const unchecked = ALL.filter((one) => one.unchecked !== undefined).map(({ id }) => id)
  const inOnePage = ['publish-15', 'publish-19', 'publish-20', 'publish-25', 'publish-26', 'publish-34']
  assert.deepEqual(idsOf(report, 'unchecked').toSorted(), [...unchecked, ...inOnePage].toSorted())
  const { counts, statements } = conformanceOf(report)
  assert.equal(counts.met + counts.unchecked, ALL.length)
  for (const { id, result, evidence, reason } of statements)
    assert.ok(result === 'met' ? evidence[0]?.file !== undefined : reason !== undefined, id)
  assert.equal(exitCodeOf(report), 0)
  assert.match(
    conformanceVerdict(conformanceOf(report)),
    /^Conforms to Slot Directory \(statements met: \d+, not met: 0/,
  )
})

const slot = (change: (slot: Loose) => void) => (feed: DirectoryFeed) => change(feed.resource('Slot', 1))
const manifest = (change: (manifest: Loose) => void) => (feed: DirectoryFeed) => change(feed.manifest)

/** For each statement, what breaks it; with the file and line of the evidence. */
const BREAKS: Readonly<Record<string, readonly [(feed: DirectoryFeed) => void, file?: string, line?: number]>> = {
  'directory-1': [(feed) => void feed.headers.set('manifest', { 'content-type': 'text/plain' })],
  'directory-2': [manifest((content) => void Object.assign(content, { requiresAccessToken: true }))],
  'directory-3': [(feed) => void feed.headers.delete('manifest')],
  'directory-4': [manifest((content) => void delete content.outputFormat)],
  'directory-5': [manifest(({ output }) => void Object.assign(output[0], { url: '/Location.ndjson' }))],
  'directory-6': [manifest(({ output }) => void delete output[0].count)],
  'directory-7': [manifest(({ output }) => void delete output.at(-1).extension)],
  'directory-8': [(feed) => void feed.headers.set('Slot', { 'content-type': 'text/plain' }), 'Slot'],
  'directory-9': [(feed) => void feed.texts.set('Slot', (text) => text.replace('{', '')), 'Slot', 1],
  'directory-10': [slot((resource) => void Object.assign(resource, { price: 5 })), 'Slot', 2],
  'directory-11': [
    slot((resource) => void Object.assign(resource.schedule, { reference: 'Schedule/gone' })),
    'Slot',
    2,
  ],
  'directory-12': [slot((resource) => void resource.extension.splice(0, 2)), 'Slot', 2],
  'directory-13': [slot((resource) => void Object.assign(resource, { start: '2026-06-10' })), 'Slot', 2],
  'directory-14': [slot((resource) => void Object.assign(resource, { status: 'open' })), 'Slot', 2],
  'publish-2': [(feed) => void Object.assign(feed, { matchesAnyTag: true })],
  'publish-13': [(feed) => void feed.headers.set('Slot', { 'cache-control': 'max-age=60' }), 'Slot'],
  'publish-21': [manifest((content) => void delete content.manifestType)],
  'publish-22': [manifest((content) => void delete content.requiresAccessToken)],
  'publish-24': [manifest(({ output }) => void Object.assign(output.at(-1), { fileSize: 1 })), 'Slot'],
  'publish-28': [({ files }) => void files.Slot?.push({ ...files.Slot[0] }), 'Slot', 4],
  'sched-5': [(feed) => void feed.headers.set('manifest', { 'cache-control': undefined })],
  'sched-8': [(feed) => void Object.assign(feed, { acceptsSince: false })],
  'sched-12': [manifest((content) => void Object.assign(content, { transactionTime: '2026-05-01T00:00:00Z' }))],
}

for (const [id, [plant, file, line]] of Object.entries(BREAKS)) {
  test(`finds that ${id} is not met: ${ALL.find((one) => one.id === id)?.text}`, async () => {
    const feed = new DirectoryFeed()
    plant(feed)
    const report = await reportOf(feed)
    const statement = conformanceOf(report).statements.find((one) => one.id === id)
    assert.equal(statement?.result, 'not-met', JSON.stringify(report.findings))
    assert.ok(statement.count > 0)
    const [evidence] = statement.evidence
    assert.ok(evidence?.file.includes(file === undefined ? '$bulk-publish' : `/${file}.ndjson`), evidence?.file)
    if (line !== undefined) assert.equal(evidence.line, line)
  })
}

/** The report of a feed that wants a key, made with the key. */
async function reportWithKey(feed: DirectoryFeed): Promise<CheckReport> {
  await using publisher = await feed.publish()
  for (const [path, file] of Object.entries(publisher.files))
    publisher.files[path] = (request, response) => {
      if (request.headers['x-api-key'] !== 'k') response.writeHead(401).end()
      else if (typeof file === 'function') file(request, response)
    }
  const options = { allowPrivate: true, requestOptions: { headers: { 'x-api-key': 'k' } } }
  return await checkFeed(webFeed(publisher.origin + feed.path, options, AbortSignal.timeout(120_000)), OPTIONS)
}

test('a feed that requires a key is not open, although the check itself has one', async () => {
  const report = await reportWithKey(new DirectoryFeed())
  assert.equal(report.unreadable, undefined)
  assert.deepEqual(
    ['directory-2', 'publish-27', 'sched-9'].filter((id) => !idsOf(report, 'not-met').includes(id)),
    [],
  )
  assert.equal(exitCodeOf(report), 1)
})

test('a feed that states that it requires a key is checked with it, and violates only the statements about open feeds', async () => {
  const feed = new DirectoryFeed()
  feed.manifest.requiresAccessToken = true
  const report = await reportWithKey(feed)
  assert.deepEqual(idsOf(report, 'not-met'), ['directory-2', 'directory-4', 'sched-9'])
  const capability = conformanceOf(report).statements.find(({ id }) => id === 'publish-27')
  assert.equal(capability?.reason, 'the manifest does not say that its files need no token')
})

test('a file that cannot be read leaves the statements about the manifest checked, and no others', async () => {
  const feed = new DirectoryFeed()
  feed.redirects.set('/Location.ndjson', '/gone')
  const report = await reportOf(feed)
  assert.match(report.unreadable ?? '', /404/)
  const resultOf = (id: string) => conformanceOf(report).statements.find((one) => one.id === id)?.result
  assert.deepEqual(
    ['directory-1', 'directory-5', 'directory-8', 'directory-14', 'publish-6', 'publish-24'].map(resultOf),
    ['met', 'met', 'not-met', 'unchecked', 'met', 'unchecked'],
  )
})

test('an identifier that a publisher may not have leaves its statement open, with the place as evidence', async () => {
  const feed = new DirectoryFeed()
  delete feed.resource('Location', 1).identifier
  const report = await reportOf(feed)
  const statement = conformanceOf(report).statements.find(({ id }) => id === 'sched-22')
  assert.equal(statement?.result, 'unchecked')
  assert.match(statement.reason ?? '', /whether the organization uses identifiers/)
  assert.equal(statement.evidence[0]?.line, 2)
  assert.equal(exitCodeOf(report), 0)
})

test('a folder proves nothing about HTTP, and a feed that cannot be read proves only what is wrong', async (t) => {
  const folder = tempFolder(t)
  for (const [name, content] of new DirectoryFeed().toFiles('https://publisher.example'))
    await writeFile(join(folder, name), content)
  const local = conformanceOf(await checkFeed(await folderFeed(folder), OPTIONS))
  const cors = local.statements.find(({ id }) => id === 'directory-3')
  assert.deepEqual([cors?.result, cors?.reason], ['unchecked', 'the feed was read from files, not over HTTP'])
  assert.equal(local.statements.find(({ id }) => id === 'directory-14')?.result, 'met')
  const broken = new DirectoryFeed()
  broken.texts.set('manifest', () => '<html>')
  const report = await reportOf(broken)
  assert.ok(idsOf(report, 'not-met').includes('directory-1'))
  assert.deepEqual(idsOf(report, 'met'), [])
})

test('a check without the profile has no statements and sends no further requests', async () => {
  const feed = new PlantedFeed('stu1')
  await using publisher = await feed.publish()
  let origins = 0
  for (const [path, file] of Object.entries(publisher.files))
    publisher.files[path] = (request, response) => {
      if (request.headers.origin !== undefined || request.headers.accept === undefined) origins++
      if (typeof file === 'function') file(request, response)
    }
  const report = await checkUrl(publisher.origin + feed.path)
  assert.deepEqual([report.conformance, origins, report.findings], [undefined, 0, []])
})

const HOSTILE = '<img src=x onerror=alert(1)>\u001b[2J"\'&'

test('the conformance report shows each statement with its clause and evidence, and escapes what publishers write', async () => {
  const feed = new DirectoryFeed()
  Object.assign(feed.resource('Slot', 1), { status: HOSTILE })
  extension('booking-phone', { valueContactPoint: { value: HOSTILE } })(feed.resource('Slot', 1))
  const report = await reportOf(feed)
  const html = formatConformanceHtml(report, conformanceOf(report))
  for (const { id, clause } of ALL) {
    assert.ok(html.includes(`<span>${id}</span>`), id)
    assert.ok(html.includes(clause), id)
  }
  assert.ok(html.includes('Slot.ndjson:2'))
  assert.ok(html.includes('&lt;img src=x'))
  assert.doesNotMatch(html, /<img|<script|<link|<iframe|<form|<[^>]*\s(?:src|href)=/)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must not occur
  assert.doesNotMatch(html + formatTextReport(report), /[\u0000-\u0009\u000b-\u001f]/)
  assert.match(formatTextReport(report), /directory-14 +CHECK +Not met/)
})
