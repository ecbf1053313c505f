import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mintKey } from '../keys/mint-key.ts'
import { type Logger, openLog } from './log.ts'

function linesOf(write: (log: Logger) => void): string[] {
  const lines: string[] = []
  write(openLog('info', { write: (line: string) => void lines.push(line) }))
  return lines
}

test('an event is one JSON line with its level by name, an ISO time and its fields', () => {
  const [line] = linesOf((log) => log.info({ slug: 'acme', read: 7 }, 'source synced'))
  const { time, ...rest } = JSON.parse(line)
  assert.deepEqual(rest, { level: 'info', slug: 'acme', read: 7, msg: 'source synced' })
  assert.equal(new Date(time).toISOString(), time)
  assert.ok(line.endsWith('}\n'))
})

test('what lies below the level is left out', () => {
  assert.deepEqual(
    linesOf((log) => log.debug('nobody asked')),
    [],
  )
})

test('no API key passes, wherever in a line it stands', () => {
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

test('no credential of a header passes', () => {
  const headers = { authorization: 'Basic s3cret', 'x-api-key': 's3cret', cookie: 'a=s3cret' }
  const [line] = linesOf((log) => log.info({ ...headers, headers, req: { headers } }, 'x'))
  assert.ok(!line.includes('s3cret'), line)
})

test('no password in an address passes', () => {
  const [line] = linesOf((log) => log.info({ url: 'postgres://me:s3cret@db:5432/slots' }, 'x'))
  assert.equal(JSON.parse(line).url, 'postgres://me:[redacted]@db:5432/slots')
})
