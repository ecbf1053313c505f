import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { commandLine } from '../../test/support/cli/command-line.ts'
import { fileWith } from '../../test/support/cli/file-with.ts'
import { tempFolder } from '../../test/support/temp-folder.ts'

const URL = 'https://clinic.example/fhir'
const KEY = '$' + '{SOURCE_CLINIC}'
const OPTIONS = { headers: { 'x-client': 'hunter2', 'x-api-key': KEY }, daysAhead: 7 }

async function withClinic(t: TestContext) {
  const slots = await commandLine(t, { SOURCE_CLINIC: 'set' })
  const options = ['--options', JSON.stringify(OPTIONS), '--name', 'The Clinic', '--every', '15']
  await slots.run('source', 'add', 'clinic', URL, '--format', 'fhir-search', ...options)
  return slots
}

test('source edit changes only the given options', async (t) => {
  const slots = await withClinic(t)
  const [before] = await slots.json('source', 'list')
  const url = 'https://other.example/fhir?status=free'
  const edited = await slots.json('source', 'edit', 'clinic', '--url', url, '--strict', '--days-ahead', '14')
  const { health: _, why: __, hold: ___, ...view } = before
  const options = { headers: { 'x-client': '…', 'x-api-key': KEY }, daysAhead: 14 }
  assert.deepEqual(edited, { ...view, url, strict: true, options })
  const headers = { 'x-client': null, 'x-more': KEY }
  const more = await slots.json('source', 'edit', 'clinic', '--options', JSON.stringify({ headers }))
  assert.deepEqual(more.options, { headers: { 'x-api-key': KEY, 'x-more': KEY }, daysAhead: 14 })
  const file = join(tempFolder(t), 'options.json')
  writeFileSync(file, '{"headers":null}')
  const less = await slots.json('source', 'edit', 'clinic', '--options', `@${file}`)
  assert.deepEqual(less.options, { daysAhead: 14 })
  const cleared = await slots.json('source', 'edit', 'clinic', '--clear', 'name,options,every', '--lenient')
  assert.deepEqual(
    [cleared.name, cleared.options, cleared.everyMinutes, cleared.strict, cleared.url],
    [undefined, undefined, undefined, false, url],
  )
})

test('source edit sets and clears the limit of slots', async (t) => {
  const slots = await withClinic(t)
  assert.equal((await slots.json('source', 'edit', 'clinic', '--slots-max', '150000000')).slotsMax, 150_000_000)
  const cleared = await slots.json('source', 'edit', 'clinic', '--clear', 'slots-max')
  assert.deepEqual([cleared.slotsMax, cleared.everyMinutes], [undefined, 15])
})

test('source edit prints the same warnings as source add', async (t) => {
  const slots = await withClinic(t)
  const options = JSON.stringify({ query: { key: '$' + '{SOURCE_OTHER}' } })
  const { code, err } = await slots.run('source', 'edit', 'clinic', '--url', 'http://localhost/', '--options', options)
  assert.equal(code, 0)
  assert.match(err, /^Warning: localhost is a private address.*\nWarning: SOURCE_OTHER is not set here/)
})

test('source edit rejects invalid changes with the reason and changes nothing', async (t) => {
  const slots = await withClinic(t)
  const before = await slots.json('source', 'list')
  for (const [args, code, reason] of [
    [[], 2, /give at least one field to change/],
    [['--format', 'smart-links'], 2, /unknown option '--format'/],
    [['--slug', 'other'], 2, /unknown option '--slug'/],
    [['--url', 'file:///etc/passwd'], 2, /Invalid --url: must be an http or https URL/],
    [['--every', '0'], 2, /Invalid --every/],
    [['--slots-max', '0'], 2, /Invalid --slots-max: must be a whole number from 1 to 150000000: got "0"/],
    [['--slots-max', '150000001'], 2, /Invalid --slots-max/],
    [['--clear', 'url'], 2, /must list some of name, options, every, slots-max: got "url"/],
    [['--clear', 'name', '--name', 'x'], 2, /a field cannot be both set and cleared/],
    [['--strict', '--lenient'], 2, /give either --strict or --lenient/],
    [['--options', '{"headers":{"cookie":"hunter2"}}'], 2, /headers\.cookie must be a reference/],
    [['--options', '@/nowhere/at/all'], 2, /Invalid --options: the file \/nowhere\/at\/all cannot be read \(ENOENT/],
    [['--options', '[]'], 2, /options must be an object/],
    [['--options', '"x"', '--days-ahead', '7'], 2, /options must be an object/],
    [['--days-ahead', '0'], 2, /daysAhead must be a whole number from 1 to 366/],
  ] as const) {
    const refused = await slots.run('source', 'edit', 'clinic', ...args)
    assert.equal(refused.code, code, args.join(' '))
    assert.match(refused.err, reason)
    assert.ok(!refused.err.includes('hunter2'))
  }
  assert.deepEqual(await slots.json('source', 'list'), before)
  assert.equal((await slots.run('source', 'edit', 'none', '--strict')).code, 1)
})

test('source log shows who changed which source, including removed ones', async (t) => {
  const slots = await withClinic(t)
  assert.equal((await slots.run('source', 'log', 'none')).out, 'No changes yet.\n')
  await slots.run('source', 'edit', 'clinic', '--clear', 'name', '--options', '{"query":{"a":"hunter2"}}')
  await slots.run('source', 'hold', 'clinic', 'suspicious')
  await slots.run('source', 'approve', 'clinic')
  const table = join(tempFolder(t), 'slots.csv')
  writeFileSync(table, 'id,start,end\n1,2090-01-01T09:00:00Z,2090-01-01T10:00:00Z\n')
  await slots.run('import', table, '--publisher', 'files')
  await slots.run('source', 'remove', 'clinic')
  const log = await slots.json('source', 'log')
  const reported = log.map(({ at, ...action }: { at: string }) => (Date.parse(at) > 0 ? action : at))
  const by = 'command line'
  assert.deepEqual(reported, [
    { slug: 'clinic', kind: 'removed', by },
    { slug: 'files', kind: 'imported', by },
    { slug: 'files', kind: 'added', by },
    { slug: 'clinic', kind: 'approved', by },
    { slug: 'clinic', kind: 'review-policy-set', by, hold: 'suspicious' },
    { slug: 'clinic', kind: 'edited', by, fields: ['name', 'query'] },
    { slug: 'clinic', kind: 'added', by },
  ])
  const { out } = await slots.run('source', 'log', 'clinic')
  assert.match(out, /^TIME +SLUG +CHANGE +DETAILS +BY\n\S+ +clinic +removed +- +command line\n/)
  assert.match(out, /clinic +edited +name, query +command line/)
  assert.ok(!out.includes('hunter2') && !out.includes('files'))
})

test('source edit sets how imported files are judged, and nothing about requests', async (t) => {
  const slots = await commandLine(t)
  const table = await fileWith(t, 'id,start,end\n1,2090-01-01T09:00:00Z,2090-01-01T10:00:00Z\n')
  await slots.run('import', table, '--publisher', 'files')
  const edit = (...args: string[]) => slots.run('source', 'edit', 'files', ...args)
  assert.equal((await edit('--options', '{"serveTestData":true}')).code, 0)
  assert.deepEqual((await slots.json('source', 'list'))[0].options, { serveTestData: true })
  assert.match((await edit('--options', '{"query":{"a":"b"}}')).err, /query must be absent: files are imported/)
  assert.match((await edit('--every', '5')).err, /a source of files has no URL or interval/)
})
