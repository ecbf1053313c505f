import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type CommandLine, commandLine } from '../../test/support/cli/command-line.ts'
import { fileWith } from '../../test/support/cli/file-with.ts'

const HEAD = 'id,start,end,timeZone\n'
const day = (n: number) => `2030-01-${String((n % 28) + 1).padStart(2, '0')}`
const row = (n: number) => `${n},${day(n)} 10:${String(n % 60).padStart(2, '0')},${day(n)} 11:00,America/New_York\n`

/** Runs it with something on standard input. */
async function piped(slots: CommandLine, input: string, ...args: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts'), ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: slots.databaseUrl },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.on('error', () => undefined).end(input)
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text
  })
  const [code] = await once(child, 'close')
  return { code, out }
}

test('import reads a complete snapshot from a file or standard input', async (t) => {
  const slots = await commandLine(t)
  const path = await fileWith(t, HEAD + row(1) + row(2))
  const tried = await slots.json('import', path, '--publisher', 'clinic', '--dry-run')
  assert.deepEqual([tried.dryRun, tried.slots, tried.slotsBefore], [true, 2, undefined])
  assert.deepEqual(await slots.json('source', 'list'), [])
  const taken = await slots.json('import', path, '--publisher', 'clinic')
  assert.deepEqual([taken.outcome, taken.changes], ['ok', { added: 2, changed: 0, removed: 0 }])
  assert.equal('nextSyncAt' in (await slots.json('source', 'list'))[0], false)
  assert.match((await slots.run('source', 'show', 'clinic')).out, /^ {2}Next sync +on import$/m)
  const { code, out } = await piped(slots, HEAD + row(2), 'import', '-', '--publisher', 'clinic')
  assert.equal(code, 0)
  assert.match(out, /^clinic now has 1 slots: 0 added, 0 changed, 1 removed\.$/m)
})

test('the template is a valid import file', async (t) => {
  const slots = await commandLine(t)
  const { out } = await slots.run('import', '--template')
  const report = await slots.json('import', await fileWith(t, out), '--publisher', 'clinic')
  assert.deepEqual([report.outcome, report.slots, report.rejected, report.notes], ['ok', 2, 0, []])
})

test('prints the first twenty rejections, or all as JSON, without terminal control characters', async (t) => {
  const slots = await commandLine(t)
  const bad = Array.from({ length: 30 }, (_, n) => `${n},\u001b[2J,x,UTC\n`).join('')
  const path = await fileWith(t, HEAD + row(1) + bad)
  const { code, out } = await slots.run('import', path, '--publisher', 'clinic', '--dry-run')
  assert.equal(code, 0)
  assert.match(out, /^clinic +dry run: partial +csv +31 +1 +30 +0 /m)
  assert.match(out, /^Rejected \(20 of 30; all of them: --json\):$/m)
  assert.equal(out.match(/^ {2}\d+: Cannot read the row/gm)?.length, 20)
  assert.ok(!out.includes('\u001b'))
  const report = await slots.json('import', path, '--publisher', 'clinic', '--dry-run')
  assert.deepEqual([report.rejections.length, report.rejections[0].line], [30, 3])
})

test('a file without any valid line fails, shows the reasons and keeps the current slots', async (t) => {
  const slots = await commandLine(t)
  await slots.run('import', await fileWith(t, HEAD + row(1)), '--publisher', 'clinic')
  const bad = await fileWith(t, `id,start,end\n${'1,2030-01-07 10:00,2030-01-07 11:00\n'.repeat(30)}`)
  for (const more of [['--dry-run'], []]) {
    const { code, out, err } = await slots.run('import', bad, '--publisher', 'clinic', ...more)
    assert.equal(code, 1)
    assert.match(out, / csv +30 +0 +30 +0 .*\nNothing was changed\./)
    assert.match(out, /^Rejected \(20 of 30; all of them: --json\):\n {2}2: .*start must have an offset/m)
    assert.match(err, /none of its 30 slots could be read; number 2: /)
  }
  const [{ slots: kept }] = await slots.json('source', 'list')
  assert.equal(kept, 1)
})

test('import reports in one sentence why a file is unusable and changes nothing', async (t) => {
  const slots = await commandLine(t)
  await slots.run('source', 'add', 'fetched', 'https://publisher.example/')
  const path = await fileWith(t, HEAD + row(1))
  const workbook = await fileWith(t, 'PK\u0003\u0004')
  for (const [args, code, said] of [
    [[path, '--publisher', 'fetched'], 1, /Cannot import into fetched: it is a source of format smart-links/],
    [[workbook, '--publisher', 'clinic'], 1, /Excel workbook/],
    [['/nowhere/at/all', '--publisher', 'clinic'], 1, /the file cannot be read/],
    [[tmpdir(), '--publisher', 'clinic'], 1, /the file cannot be read/],
    [[path], 2, /--publisher <slug>/],
    [['--publisher', 'clinic'], 2, /give a path .* and --publisher <slug>/],
    [[path, '--publisher', 'Clinic'], 2, /Invalid --publisher: must be 1 to 63/],
    [[path, '--publisher', 'clinic', '--format', 'xls'], 2, /--format: must be one of csv, ndjson, json/],
    [[path, '--publisher', 'clinic', '--time-zone', 'EST'], 2, /must be an IANA name such as America\/New_York/],
    [[path, '--publisher', 'clinic', '--date-order', 'ymd'], 2, /mdy, dmy/],
  ] as const) {
    const ended = await slots.run('import', ...args)
    assert.equal(ended.code, code, args.join(' '))
    assert.match(ended.err, said)
  }
  assert.deepEqual(
    (await slots.json('source', 'list')).map(({ slug }: { slug: string }) => slug),
    ['fetched'],
  )
})

test('a signal ends an import whose standard input stays open', async (t) => {
  const slots = await commandLine(t)
  const args = [join(import.meta.dirname, '../main.ts'), 'import', '-', '--publisher', 'clinic']
  const env = { PATH: process.env.PATH, DATABASE_URL: slots.databaseUrl }
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'ignore', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  // More than a pipe takes: afterwards the command is reading.
  await new Promise((resolve) => child.stdin.on('error', () => undefined).write('\n'.repeat(2 ** 21), resolve))
  child.kill('SIGINT')
  assert.deepEqual(await once(child, 'close'), [null, 'SIGINT'])
})

test('an interrupted import says so, and that nothing was changed', async (t) => {
  const slots = await commandLine(t)
  const path = await fileWith(t, HEAD + row(1))
  await slots.run('import', path, '--publisher', 'clinic')
  for (const [args, message] of [
    [[], 'Cannot import: the import was stopped; nothing was changed'],
    [['--dry-run'], 'Cannot continue: the command was interrupted'],
  ] as const) {
    const { code, err } = await slots.interrupted('import', path, '--publisher', 'clinic', ...args)
    assert.deepEqual([code, err.trimEnd().split('\n').at(-1)], [1, message])
  }
  assert.equal((await slots.json('source', 'list'))[0].slots, 1)
})

test('sync skips sources of files and reports it when one is named', async (t) => {
  const slots = await commandLine(t)
  await slots.run('import', await fileWith(t, HEAD + row(1)), '--publisher', 'clinic')
  assert.deepEqual(await slots.json('sync'), [])
  const { code, err } = await slots.run('sync', 'clinic')
  assert.equal(code, 1)
  assert.match(err, /its slots are imported from files/)
})
