import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { openTempStore, tempDatabaseUrl } from '../../test/support/store/temp-store.ts'
import { tempFolder } from '../../test/support/temp-folder.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import type { Store } from '../store/contracts/store.ts'
import { openAuditStream, streamAudit } from './audit-stream.ts'

const NOW_MS = Date.parse('2026-03-01T00:00:00Z')

async function open(t: TestContext) {
  const store = await openTempStore(t, () => NOW_MS)
  const folder = tempFolder(t)
  const target = join(folder, 'audit.jsonl')
  const events: LogEvent[] = []
  const options = { store, target, events, onEvent: (event: LogEvent) => void events.push(event) }
  const read = async (path = target) =>
    (await readFile(path, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { store, target, folder, events, options, read }
}

function add(store: Store, subject: string): Promise<void> {
  return store.audit.record({ kind: 'setup-link.created', subject, by: { ...COMMAND_LINE, address: '192.0.2.1' } })
}

test('writes each entry once as a JSON line with all fields, to a file that only its owner can read', async (t) => {
  const { store, target, options, read } = await open(t)
  await add(store, 'a')
  assert.equal(await streamAudit(options, 'node'), 1)
  assert.equal(await streamAudit(options, 'node'), 0)
  await add(store, 'b')
  assert.equal(await streamAudit(options, 'node'), 1)
  const [{ hash, previousHash }, second] = await store.audit.after(0, 2)
  const lines = await read()
  assert.deepEqual(lines[0], {
    type: 'audit',
    id: 1,
    time: '2026-03-01T00:00:00.000Z',
    kind: 'setup-link.created',
    actor: 'command line',
    address: '192.0.2.1',
    subject: 'a',
    detail: {},
    previousHash,
    hash,
  })
  assert.deepEqual([lines.length, lines[1].previousHash, lines[1].hash], [2, hash, second.hash])
  assert.equal((await stat(target)).mode & 0o777, 0o600)
})

test('continues in a new file after the old one was rotated', async (t) => {
  const { store, target, options, read } = await open(t)
  await add(store, 'a')
  await streamAudit(options, 'node')
  await rename(target, `${target}.1`)
  await add(store, 'b')
  await streamAudit(options, 'node')
  assert.deepEqual([(await read()).length, (await read(`${target}.1`)).length], [1, 1])
})

test('begins a new line after one that a full disk or a crash cut off', async (t) => {
  const { store, target, options } = await open(t)
  await writeFile(target, '{"type":"audit","id":1')
  await add(store, 'a')
  await streamAudit(options, 'node')
  await add(store, 'b')
  await streamAudit(options, 'node')
  const [cut, ...lines] = (await readFile(target, 'utf8')).trimEnd().split('\n')
  assert.equal(cut, '{"type":"audit","id":1')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).subject),
    ['a', 'b'],
  )
})

test('one of two nodes writes, and all entries are written once', async (t) => {
  const { store, options, read } = await open(t)
  for (let n = 0; n < 20; n++) {
    await add(store, String(n))
    await Promise.all([streamAudit(options, 'one'), streamAudit(options, 'two')])
  }
  assert.deepEqual(
    (await read()).map(({ subject }) => subject),
    Array.from({ length: 20 }, (_, n) => String(n)),
  )
})

test('reports a file that cannot be written once, and writes the missed entries later', async (t) => {
  const { store, target, events, options, read } = await open(t)
  await mkdir(target)
  await add(store, 'a')
  const stream = openAuditStream(options)
  t.after(() => stream.close())
  stream.start()
  const messages = () => events.map(({ level, message }) => `${level} ${message}`)
  await eventually(() => messages().length > 0)
  await add(store, 'b')
  stream.wake()
  await rm(target, { recursive: true })
  stream.wake()
  const recovered = 'info audit log is written again'
  await eventually(() => messages().includes(recovered))
  assert.deepEqual(messages(), ['error audit log could not be written', recovered])
  assert.deepEqual(
    (await read()).map(({ subject }) => subject),
    ['a', 'b'],
  )
})

test('deletes the oldest entries beyond a number, only after they were written', async (t) => {
  const { store, target, options, read } = await open(t)
  await mkdir(target)
  for (let n = 0; n < 12; n++) await add(store, `${n}`)
  const stream = openAuditStream({ ...options, entriesMax: 10 })
  t.after(() => stream.close())
  stream.start()
  await eventually(() => options.events.length > 0)
  assert.equal((await store.audit.after(0, 100)).length, 12)
  await rm(target, { recursive: true })
  stream.wake()
  await eventually(async () => (await store.audit.after(0, 100)).length === 10)
  const kept = await store.audit.after(0, 100)
  assert.deepEqual([kept[0].id, kept.at(-1)?.kind], [4, 'audit.trimmed'])
  assert.ok((await store.audit.verify()).intact)
  const lines = await read()
  assert.deepEqual(
    lines.slice(0, 12).map(({ id }) => id),
    Array.from({ length: 12 }, (_, n) => n + 1),
  )
})

test('prints on standard output, and repeats what was not confirmed', async (t) => {
  const { store, options } = await open(t)
  await add(store, 'a')
  const printed: string[] = []
  const print = async (lines: string) => {
    printed.push(lines)
    if (printed.length === 1) throw new Error('Cannot write: broken')
  }
  await assert.rejects(streamAudit({ ...options, target: 'stdout', print }, 'node'))
  await streamAudit({ ...options, target: 'stdout', print }, 'node')
  assert.equal(printed.length, 2)
  assert.equal(printed[0], printed[1])
})

test('a full disk behind the standard output of a thread fails the write and not the process', {
  skip: !existsSync('/dev/full') && 'no device that is full',
}, async (t) => {
  const databaseUrl = tempDatabaseUrl()
  await add(await openTempStore(t, () => NOW_MS, databaseUrl), 'a')
  const src = import.meta.resolve('../')
  const thread = `
    Promise.all([import('${src}workers/audit-stream.ts'), import('${src}store/open-store.ts')])
      .then(async ([{ streamAudit }, { openStore }]) => {
        const store = await openStore('${databaseUrl}')
        await streamAudit({ store, target: 'stdout' }, 'node').catch((error) => console.error(error.code))
        await store.close()
      })`
  const script = `new (require('node:worker_threads').Worker)(\`${thread}\`, { eval: true })`
  const child = spawn(process.execPath, ['--eval', script], { stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'] })
  assert.ok(child.stderr)
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  assert.deepEqual([errors, code], ['ENOSPC\n', 0])
})
