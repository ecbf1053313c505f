import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { test } from 'node:test'
import { mintKey } from '../keys/mint-key.ts'
import { type Logger, openLog } from './log.ts'

function linesOf(write: (log: Logger) => void): string[] {
  const lines: string[] = []
  write(openLog('info', { write: (line: string) => void lines.push(line) }))
  return lines
}

test('logs an event as one JSON line with the name of its level, an ISO time and its fields', () => {
  const [line] = linesOf((log) => log.info({ slug: 'acme', read: 7 }, 'source synced'))
  const { time, ...rest } = JSON.parse(line)
  assert.deepEqual(rest, { level: 'info', slug: 'acme', read: 7, msg: 'source synced' })
  assert.equal(new Date(time).toISOString(), time)
  assert.ok(line.endsWith('}\n'))
})

test('leaves out events below the level', () => {
  assert.deepEqual(
    linesOf((log) => log.debug('x')),
    [],
  )
})

test('redacts API keys anywhere in a line', () => {
  const key = mintKey()
  const lines = linesOf((log) => {
    log.info({ key, deep: { deeper: [key] } }, `came with ${key}`)
    log.error(new Error(`Cannot use ${key}`))
    log.child({ key }).info('x')
  })
  assert.equal(lines.length, 3)
  for (const line of lines) {
    assert.ok(!line.includes(key.slice(7, 20)), line)
    assert.ok(JSON.parse(line))
  }
})

test('redacts headers with credentials', () => {
  const headers = { authorization: 'Basic s3cret', 'x-api-key': 's3cret', cookie: 'a=s3cret' }
  const [line] = linesOf((log) => log.info({ ...headers, headers, req: { headers } }, 'x'))
  assert.ok(!line.includes('s3cret'), line)
})

test('redacts passwords in URLs', () => {
  const [line] = linesOf((log) => log.info({ url: 'postgres://me:s3cret@db:5432/slots' }, 'x'))
  assert.equal(JSON.parse(line).url, 'postgres://me:[redacted]@db:5432/slots')
})

test('cuts every string to 200 characters and keeps the stack of an error', () => {
  const long = 'x'.repeat(60_000)
  const error = new Error(long)
  const lines = linesOf((log) => {
    log.warn({ detail: long, list: [long], deep: { deeper: { url: long } }, [long]: 1 }, 'x')
    log.error({ error: error.stack }, 'x')
    log.error(error, 'x')
    log.error({ err: error }, 'x')
  })
  for (const line of lines) assert.ok(line.length < 6000, line.slice(0, 500))
  const [{ detail, list, deep }, { error: stack }] = lines.map((line) => JSON.parse(line))
  for (const text of [detail, list[0], deep.deeper.url]) assert.equal(text, `${'x'.repeat(200)}…`)
  assert.match(stack, /^Error: x{193}…\n {4}at .*log\.test\.ts/)
  const [exact] = linesOf((log) => log.info({ detail: 'y'.repeat(200) }, 'x'))
  assert.equal(JSON.parse(exact).detail, 'y'.repeat(200))
})

test('redacts a secret of which a part is cut off', () => {
  const [line] = linesOf((log) => log.info({ url: `${'x'.repeat(170)} https://me:s3cret${'t'.repeat(99)}@db/` }, 'x'))
  assert.ok(!line.includes('s3cret'), line)
})

test('a process continues if its log cannot be written, and can exit', {
  skip: !existsSync('/dev/full') && 'no device that is full',
  timeout: 30_000,
}, async (t) => {
  const script = `import { openLog } from '${new URL('./log.ts', import.meta.url)}'
    const log = openLog('info')
    log.info('first')
    setTimeout(() => { log.info('second'); process.exit(7) }, 100)`
  const args = ['--input-type=module', '--eval', script]
  const child = spawn(process.execPath, args, { stdio: ['ignore', openSync('/dev/full', 'w'), 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  assert.deepEqual(await once(child, 'exit'), [7, null])
})

test('a process ends although nothing reads its log', { timeout: 30_000 }, async (t) => {
  const script = `import { openLog } from '${new URL('./log.ts', import.meta.url)}'
    process.stdout.on('error', () => undefined)
    const log = openLog('info')
    for (let n = 0; n < 10_000; n++) log.info({ filler: 'x'.repeat(150) }, 'line')
    setTimeout(() => process.exit(7), 100)`
  const args = ['--input-type=module', '--eval', script]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  assert.deepEqual(await once(child, 'exit'), [7, null])
})
