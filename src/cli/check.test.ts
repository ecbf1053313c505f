import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { commandLine } from '../../test/support/cli/command-line.ts'
import { tempFolder } from '../../test/support/temp-folder.ts'
import { PlantedFeed } from '../../test/support/validator/planted-feed.ts'

async function folderOf(t: TestContext, feed: PlantedFeed): Promise<string> {
  const folder = tempFolder(t)
  for (const [name, content] of feed.toFiles('https://publisher.example')) await writeFile(join(folder, name), content)
  return folder
}

test('check reads a feed by URL, prints a report and exits with 1 if there are errors', async (t) => {
  const slots = await commandLine(t)
  const feed = new PlantedFeed('stu1')
  feed.resource('Slot').status = 'open'
  await using publisher = await feed.publish()
  const { code, out, err } = await slots.run('check', `${publisher.origin}/$bulk-publish`)
  assert.equal(code, 1)
  assert.match(out, /slot-status \(1\)/)
  assert.match(err, /^Check failed: There (?:is|are) \d+ error/)
})

test('check prints the report as JSON, writes it as HTML and needs no store', async (t) => {
  const slots = await commandLine(t, { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' })
  const folder = await folderOf(t, new PlantedFeed('vaccine-2021'))
  const page = join(folder, 'report.html')
  const report = await slots.json('check', folder, '--html', page)
  assert.deepEqual([report.generation, report.lines.served, report.counts.error], ['vaccine-2021', 3, 0])
  assert.match(await readFile(page, 'utf8'), /^<!doctype html>/)
})

test('check obeys --generation, --examples and --strict', async (t) => {
  const slots = await commandLine(t)
  const folder = await folderOf(t, new PlantedFeed('vaccine-2021'))
  const rulesAs = async (generation: string) => {
    const { findings } = await slots.json('check', folder, '--generation', generation)
    return findings.map(({ rule }: { rule: string }) => rule)
  }
  assert.ok((await rulesAs('stu1')).includes('booking-phone-contact-point'))
  assert.ok(!(await rulesAs('vaccine-2021')).includes('booking-phone-contact-point'))
  const args = ['check', folder, '--generation', 'stu1', '--examples', '1']
  const { findings } = await slots.json(...args)
  assert.ok(findings.every(({ examples }: { examples: object[] }) => examples.length <= 1))
  assert.equal((await slots.run(...args, '--strict')).code, 1)
})

test('check --profile writes a conformance report and exits with 1 if a required statement is not met', async (t) => {
  const slots = await commandLine(t)
  const folder = await folderOf(t, new PlantedFeed('stu1'))
  const page = join(folder, 'conformance.html')
  const { code, out, err } = await slots.run('check', folder, '--profile', 'slot-directory', '--html', page)
  assert.equal(code, 1)
  assert.match(out, /directory-6 +CHECK +Not met/)
  assert.match(err, /^Check failed: Does not conform to Slot Directory: directory-4, directory-6/)
  assert.match(await readFile(page, 'utf8'), /<h1>Conformance report<\/h1>/)
  assert.equal((await slots.run('check', folder, '--profile', 'slot')).code, 2)
})

test('check --source uses the request options of the source and prints none of its secrets', async (t) => {
  const slots = await commandLine(t, { ALLOW_PRIVATE_SOURCES: 'true', SOURCE_KEY: 'swordfish' })
  const feed = new PlantedFeed('stu1')
  feed.resource('Slot').status = 'swordfish'
  await using publisher = await feed.publish()
  const guarded = publisher.files['/$bulk-publish']
  publisher.files['/$bulk-publish'] = (request, response) => {
    if (request.headers['x-api-key'] !== 'swordfish') response.writeHead(401).end()
    else if (typeof guarded === 'function') guarded(request, response)
  }
  const url = `${publisher.origin}/$bulk-publish`
  const options = JSON.stringify({ headers: { 'x-api-key': '$' + '{SOURCE_KEY}' } })
  await slots.json('source', 'add', 'guarded', url, '--options', options)
  assert.equal((await slots.run('check', url)).code, 2)
  const { code, out, err } = await slots.run('check', '--source', 'guarded')
  assert.equal(code, 1)
  assert.match(out, /status: got "\[secret\]"/)
  assert.doesNotMatch(out + err, /swordfish/)
  assert.match((await slots.run('check', '--source', 'gone')).err, /no source has the slug "gone"/)
})

test('check exits with 2 without a feed and for unknown options', async (t) => {
  const slots = await commandLine(t)
  const gone = await slots.run('check', '/no/such/feed')
  assert.deepEqual([gone.code, gone.out], [2, ''])
  assert.match(gone.err, /^Cannot read \/no\/such\/feed: it must be a URL, a file or a folder/)
  const refused = await slots.run('check', 'http://127.0.0.1:1/$bulk-publish')
  assert.equal(refused.code, 2)
  assert.match(refused.err, /^Check failed: This feed cannot be imported/)
  assert.equal((await slots.run('check', '.', '--generation', '2021')).code, 2)
  assert.equal((await slots.run('check', '.', '--examples', '0')).code, 2)
  for (const args of [[], ['.', '--source', 'a']])
    assert.match((await slots.run('check', ...args)).err, /give either <url\|file\|folder> or --source <slug>/)
})
