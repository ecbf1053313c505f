import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { fillIndex } from '../../test/support/fill-index.ts'
import { listenOnLoopback } from '../../test/support/listen-on-loopback.ts'
import { KnownSources } from '../slot-index/known-sources.ts'
import { SlotIndex } from '../slot-index/slot-index.ts'
import type { ApiContext } from './api-context.ts'
import { FairQueue } from './fair-queue.ts'
import { ResponseCache } from './response-cache.ts'
import { secureResponses } from './secure-response.ts'
import type { OperationMatch, OperationReader } from './v1/operation.ts'

test('a response from a state that was replaced while it was read is not cached for the next state', async (t) => {
  const index = new SlotIndex()
  const show = (revision: number) => fillIndex(index, [], { revision, nowMs: 0 })
  show(1)
  let [callers, begun, isHeld] = [0, 0, true]
  const read: OperationReader = () =>
    (function* () {
      const { version } = index
      begun++
      while (isHeld) yield
      return { body: Buffer.from(JSON.stringify(version)), headers: '', version }
    })()
  const responses = new ResponseCache({ index, queue: new FairQueue(), sources: new KnownSources() } as ApiContext)
  const match = { operation: {} } as OperationMatch
  const ServerResponse = secureResponses('https://slots.example')
  const server = createServer({ ServerResponse }, (request, response) => {
    // The requests of one key would wait for each other.
    const key = { id: String(++callers), organizationId: 'org' } as Parameters<ResponseCache['send']>[3]['key']
    responses.send({ request, response, requestId: 'r' }, match, read, { key, nowMs: 0 })
  })
  t.after(() => {
    isHeld = false
  })
  const { origin } = await listenOnLoopback(t, server)
  const ask = async () => {
    const response = await fetch(`${origin}/page`, { headers: { connection: 'close' } })
    return [await response.json(), response.headers.get('etag')?.startsWith(`"${index.version}-`)]
  }
  const [first, second] = [ask(), ask()]
  await eventually(() => begun === 2)
  const before = index.version
  show(2)
  const third = ask()
  await eventually(() => begun === 3)
  isHeld = false
  const answers = await Promise.all([first, second, third])
  assert.deepEqual(answers, [
    [before, false],
    [before, false],
    [index.version, true],
  ])
  for (let n = 0; n < 3; n++) assert.deepEqual(await ask(), [index.version, true])
  assert.equal(begun, 4)
})
