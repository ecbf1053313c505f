import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openClinicFeed, slotLines } from '../../test/support/cli/clinic-feed.ts'
import { commandLine } from '../../test/support/cli/command-line.ts'
import { manifest, Publisher } from '../../test/support/feeds/publisher.ts'
import { outcomeOf } from '../../test/support/store/conformance/samples.ts'
import { tempFolder } from '../../test/support/temp-folder.ts'
import { openStore } from '../store/open-store.ts'

const PRIVATE = { ALLOW_PRIVATE_SOURCES: 'true' }

/** Two slots and one invalid line. */
const LINES = `${slotLines(2)}{"no\u001b[2J slot\n`

test('source add, list and remove add, show and remove a source', async (t) => {
  const slots = await commandLine(t)
  const url = 'https://publisher.example/$bulk-publish'
  const added = await slots.json('source', 'add', 'example', url, '--every', '15', '--strict')
  const { createdAt, ...rest } = added
  assert.equal(new Date(createdAt).toISOString(), createdAt)
  assert.deepEqual(rest, {
    slug: 'example',
    format: 'smart-links',
    url,
    strict: true,
    everyMinutes: 15,
    slots: 0,
    rejected: 0,
    withheld: 0,
    testSlots: 0,
    failures: 0,
  })
  const judged = { health: 'never-synced', why: 'No sync has finished yet.', hold: 'extreme' }
  assert.deepEqual(await slots.json('source', 'list'), [{ ...added, ...judged }])
  assert.match(
    (await slots.run('source', 'list')).out,
    /^example +never-synced +0 +0 +0 +0 +never +- +now +15 min +https:/m,
  )
  assert.deepEqual(await slots.json('source', 'remove', 'example'), { slug: 'example', removed: true, slots: 0 })
  assert.deepEqual(await slots.json('source', 'list'), [])
  assert.equal((await slots.run('source', 'remove', 'example')).code, 1)
})

test('source add rejects a slug in use and invalid operands', async (t) => {
  const slots = await commandLine(t)
  await slots.run('source', 'add', 'example', 'https://a.example/')
  const taken = await slots.run('source', 'add', 'example', 'https://b.example/')
  assert.deepEqual([taken.code, taken.err], [1, 'Cannot add source: its slug must be unused: got "example"\n'])
  for (const wrong of [
    ['Example', 'https://a.example/'],
    ['b', 'a.example'],
    ['b', 'https://a.example/', '--every', '0'],
  ]) {
    assert.equal((await slots.run('source', 'add', ...wrong)).code, 2, wrong.join(' '))
  }
})

const OPTIONS = JSON.stringify({ headers: { 'x-api-key': '$' + '{SOURCE_CLINIC}' }, daysAhead: 7 })

test('source add accepts a FHIR server and its request options', async (t) => {
  const slots = await commandLine(t, { SOURCE_CLINIC: 'set' })
  const url = 'https://clinic.example/fhir?status=free'
  const asked = [
    '--format',
    'fhir-search',
    '--options',
    OPTIONS,
    '--name',
    'The Clinic',
    '--days-ahead',
    '14',
    '--server',
    'epic',
  ]
  const added = await slots.json('source', 'add', 'clinic', url, ...asked)
  assert.deepEqual(
    [added.format, added.url, added.name, added.options],
    ['fhir-search', url, 'The Clinic', { ...JSON.parse(OPTIONS), daysAhead: 14, server: 'epic' }],
  )
  const file = join(tempFolder(t), 'options.json')
  writeFileSync(file, OPTIONS)
  const other = await slots.json('source', 'add', 'other', url, '--format', 'fhir-search', '--options', `@${file}`)
  assert.deepEqual(other.options, JSON.parse(OPTIONS))
})

test('source add warns of an unset secret and stores no secrets', async (t) => {
  const slots = await commandLine(t)
  const add = (...more: string[]) => slots.run('source', 'add', 'clinic', 'https://clinic.example/', ...more)
  const { code, err } = await add('--format', 'fhir-search', '--options', OPTIONS)
  assert.deepEqual([code, err], [0, 'Warning: SOURCE_CLINIC is not set here. Set it where the service runs.\n'])
  for (const [options, reason] of [
    ['{"headers":{"x-api-key":"hunter2"}}', /headers\.x-api-key must be a reference/],
    ['{"headers":{"x-api-key":"hunter2"', /must be JSON/],
    ['{"daysAhead":7}', /daysAhead needs the format fhir-search/],
  ] as const) {
    const refused = await add('--options', options)
    assert.equal(refused.code, 2)
    assert.match(refused.err, reason)
    assert.ok(!refused.err.includes('hunter2'))
  }
  assert.match((await add('--format', 'csv')).err, /must be smart-links or fhir-search: got "csv"/)
  assert.match((await add('--format', 'files')).err, /Import files instead: .* import --help/)
  assert.match(
    (await add('--format', 'fhir-search', '--days-ahead', '0')).err,
    /daysAhead must be a whole number from 1 to 366/,
  )
  assert.match(
    (await add('--format', 'fhir-search', '--server', 'other')).err,
    /server must be one of oracle, epic, hapi, gp-connect: got "other"/,
  )
})

test('source add warns of an address that requires private addresses to be allowed', async (t) => {
  const slots = await commandLine(t)
  for (const [slug, host] of [
    ['a', 'localhost:9'],
    ['b', '10.1.2.3'],
    ['c', '[::1]:8080'],
    ['d', 'ehr.clinic.internal'],
    ['e', 'fhir:8080'],
  ]) {
    const { code, err } = await slots.run('source', 'add', slug, `http://${host}/`)
    assert.equal(code, 0)
    assert.match(err, /^Warning: .* Set ALLOW_PRIVATE_SOURCES=true where the service runs\.\n$/, host)
  }
  for (const [slug, url] of [
    ['f', 'https://publisher.example/'],
    ['g', 'https://[2600::1]/'],
  ])
    assert.equal((await slots.run('source', 'add', slug, url)).err, '', url)
  const allowed = await commandLine(t, PRIVATE)
  assert.equal((await allowed.run('source', 'add', 'a', 'http://localhost:9/')).err, '')
})

test('sync reports the result and where rejected lines are listed', async (t) => {
  const slots = await commandLine(t, PRIVATE)
  await slots.run('source', 'add', 'example', (await openClinicFeed(t, LINES)).url)
  const { slug, outcome, read, added, rejected, durationMs } = await slots.json('sync', 'example')
  assert.deepEqual([slug, outcome, read, added, rejected], ['example', 'partial', 3, 2, 1])
  assert.ok(durationMs >= 0)
  const [source] = await slots.json('source', 'list')
  assert.deepEqual([source.slots, source.rejected, source.lastSync.rejected, source.failures], [2, 1, 1, 0])
  const again = await slots.run('sync')
  assert.equal(again.code, 0)
  assert.match(again.out, /^SLUG +OUTCOME +READ +ADDED +CHANGED +REMOVED +REJECTED +WITHHELD +DURATION\nexample +/)
  assert.match(again.out, /^List rejections: npm run -s slots -- rejected example$/m)
})

test('rejected lists file, line, reason and sample without terminal control characters', async (t) => {
  const slots = await commandLine(t, PRIVATE)
  const { url } = await openClinicFeed(t, LINES)
  await slots.run('source', 'add', 'example', url)
  assert.equal((await slots.run('rejected', 'example')).out, 'example: never synced\n')
  await slots.run('sync', 'example')
  const [only, ...more] = await slots.json('rejected', 'example')
  assert.deepEqual(more, [])
  assert.deepEqual(Object.keys(only), ['file', 'line', 'reason', 'sample'])
  assert.equal(only.file, new URL('/slots.ndjson', url).href)
  assert.equal(only.line, 3)
  const { out } = await slots.run('rejected', 'example')
  assert.ok(out.startsWith(`${only.file}:3\n  ${only.reason}\n`) && out.endsWith('example: 1 rejected\n'))
  assert.ok(!out.includes('\u001b'))
  assert.equal((await slots.run('rejected', 'other')).code, 1)
})

test('sync continues after a failed source and then exits with an error', async (t) => {
  const slots = await commandLine(t, PRIVATE)
  const { url } = await openClinicFeed(t, slotLines(1))
  await slots.run('source', 'add', 'bad', new URL('/nowhere', url).href)
  await slots.run('source', 'add', 'good', url)
  const { code, out, err } = await slots.run('sync', '--json')
  const [bad, good] = JSON.parse(out)
  assert.equal(code, 1)
  assert.deepEqual([bad.slug, bad.outcome, good.slug, good.outcome], ['bad', 'failed', 'good', 'ok'])
  assert.match(bad.error, /404/)
  assert.match(err, /1 of 2 failed/)
  assert.equal((await slots.run('sync', 'other')).code, 1)
})

test('an interrupted sync says how many sources it did not reach, and exits with an error', async (t) => {
  const slots = await commandLine(t, PRIVATE)
  const { url } = await openClinicFeed(t, LINES)
  for (const slug of ['one', 'two']) await slots.run('source', 'add', slug, url)
  const { code, out, err } = await slots.interrupted('sync')
  assert.deepEqual([code, out, err], [1, '', 'Cannot sync: the command was interrupted before 2 sources\n'])
})

test('sync waits for another process that syncs the source and shows its result', async (t) => {
  const slots = await commandLine(t, PRIVATE)
  await slots.run('source', 'add', 'example', 'http://127.0.0.1:9/never-asked')
  const store = await openStore(slots.databaseUrl)
  t.after(() => store.close())
  const [{ id }] = await store.sources.list()
  const writer = await store.snapshots.begin(id, { owner: 'another', leaseMs: 60_000 })
  assert.ok(writer)
  const outcome = outcomeOf({ read: 7 })
  let isWaited = false
  const { ended } = slots.start(['sync', 'example'], (err) => {
    if (isWaited || !err.includes('Another process is syncing example')) return
    isWaited = true
    void writer.abandon({ outcome, rejections: [], nextSyncAtMs: 0 })
  })
  const { code, out } = await ended
  assert.equal(code, 0)
  assert.match(out, /^example +ok +7 /m)
})

test('sync of all sources leaves out one that is removed meanwhile', async (t) => {
  const slots = await commandLine(t, PRIVATE)
  await using feed = await Publisher.open({ '/b': manifest({}), '/c': manifest({}) })
  feed.files['/a'] = async (_, response) => {
    await slots.run('source', 'remove', 'b', '--yes')
    response.end(manifest({}))
  }
  for (const slug of ['a', 'b', 'c']) await slots.run('source', 'add', slug, `${feed.origin}/${slug}`)
  const { code, out, err } = await slots.run('sync', '--json')
  assert.deepEqual([code, err], [0, ''])
  assert.deepEqual(
    JSON.parse(out).map((run: { slug: string; outcome: string }) => [run.slug, run.outcome]),
    [
      ['a', 'ok'],
      ['c', 'ok'],
    ],
  )
})
