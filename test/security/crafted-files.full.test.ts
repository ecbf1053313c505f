import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { csvTemplate } from '../../src/feeds/files/csv-columns.ts'
import { RunningService } from '../support/running-service.ts'
import { Visitor } from '../support/visitor.ts'

let service: RunningService
let operator: Visitor
let key: string

before(async () => {
  service = await RunningService.prepare()
  Object.assign(service.env, { SYNC_HEAP_MB: '64', LOG_LEVEL: 'fatal' })
  key = await service.createKey()
  await service.serve()
  operator = await Visitor.signUp(service, 'olive@example.org')
  const link = await service.setupLink()
  await operator.json('POST', '/api/setup', { token: link.slice(link.indexOf('#') + 1) })
})

after(() => service?.[Symbol.asyncDispose]())

/** Files that take all memory or time that they can get. */
const FILES: Readonly<Record<string, { pieces: () => Iterable<string>; format?: string; outcome: RegExp }>> = {
  'resources that fill the memory': {
    pieces: function* () {
      const actor = Array.from({ length: 8000 }, (_, n) => ({ reference: `Location/${n}` }))
      for (let n = 0; n < 1000; n++) yield `${JSON.stringify({ resourceType: 'Schedule', id: String(n), actor })}\n`
    },
    format: 'ndjson',
    outcome: /^Cannot import file: the import ran out of memory: it may use 64 MiB \(see SYNC_HEAP_MB\)/,
  },
  'one JSON text of a gigabyte': {
    pieces: function* () {
      yield '{"slots":[{"id":"'
      for (let n = 0; n < 1024; n++) yield 'x'.repeat(2 ** 20)
    },
    outcome: /truncated|at most|end/,
  },
  'a million nested arrays': {
    pieces: function* () {
      for (let n = 0; n < 1000; n++) yield '[{"a":'.repeat(1000)
    },
    outcome: /^Cannot (read|import) file: /,
  },
  'a row of a hundred million cells': {
    pieces: function* () {
      yield 'id,start,end\n'
      for (let n = 0; n < 100; n++) yield ','.repeat(1_000_000)
    },
    format: 'csv',
    outcome: /at most 1048576 bytes/,
  },
  'a time that is all digits': {
    pieces: function* () {
      yield 'id,start,end\n'
      for (let n = 0; n < 20; n++) yield `1,${'1'.repeat(1_000_000)}!,2030\n`
    },
    format: 'csv',
    outcome: /none of its 20 slots could be read/,
  },
}

for (const [name, { pieces, format, outcome }] of Object.entries(FILES)) {
  test(`an upload of ${name} is refused in words while the node serves`, { timeout: 180_000 }, async () => {
    const target = `/api/operator/sources/crafted/upload?fileName=file${format === undefined ? '' : `&format=${format}`}`
    const file = Readable.toWeb(Readable.from(pieces()).pipe(createGzip({ level: 1 }))) as ReadableStream
    const upload = operator.upload(target, file)
    const hasEnded = upload.then(
      () => true,
      () => true,
    )
    while (!(await Promise.race([hasEnded, sleep(20, false)]))) {
      assert.equal((await service.slots(key, 'limit=1')).status, 200)
      assert.equal((await fetch(`${service.origin}/readyz`)).status, 200)
    }
    const { detail, error } = await (await upload).json()
    assert.match(detail ?? error, outcome)
    assert.equal((await operator.ask('GET', '/api/operator/sources/crafted')).status, 404)
    const next = await operator.upload('/api/operator/sources/clinic/upload?fileName=slots.csv', csvTemplate())
    assert.equal((await next.json()).outcome, 'ok')
  })
}
