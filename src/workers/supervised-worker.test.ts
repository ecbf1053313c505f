import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { eventually } from '../../test/support/eventually.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { superviseThread } from './supervised-worker.ts'

function entryOf(t: TestContext, code: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'thread-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'entry.mjs')
  writeFileSync(path, `import { parentPort, workerData } from 'node:worker_threads'\n${code}`)
  return pathToFileURL(path)
}

function supervise(t: TestContext, code: string, workerData: unknown = {}) {
  const events: LogEvent[] = []
  const thread = superviseThread(entryOf(t, code), {
    workerData: () => workerData,
    attach: (worker) => worker.on('message', (event) => events.push(event)),
    onEvent: (event) => events.push(event),
  })
  t.after(() => thread.stop())
  return { thread, events }
}

test('tells what the thread tells, and ends it when asked', async (t) => {
  const { thread, events } = supervise(
    t,
    `parentPort.postMessage({ level: 'info', message: workerData.greeting, fields: {} })
     parentPort.once('message', () => parentPort.close())`,
    { greeting: 'started' },
  )
  await eventually(() => events.length >= 1)
  await thread.stop()
  assert.deepEqual(events, [{ level: 'info', message: 'started', fields: {} }])
})

test('starts a thread again that died, with a pause that grows, and says why', async (t) => {
  const { thread, events } = supervise(t, `throw new Error('out of luck')`)
  await eventually(() => events.length >= 2)
  await thread.stop()
  assert.deepEqual(
    events.map((event) => [event.level, event.message, event.fields.thread, event.fields.restartMs]),
    [
      ['error', 'thread died', 'entry.mjs', 100],
      ['error', 'thread died', 'entry.mjs', 1000],
    ],
  )
  assert.match(String(events[0].fields.error), /out of luck/)
})

test('starts a thread anew at once that ended well, with what it is to know then', async (t) => {
  let starts = 0
  const told: unknown[] = []
  const code = `parentPort.postMessage(workerData); if (workerData === 3) parentPort.once('message', () => parentPort.close())`
  const thread = superviseThread(entryOf(t, code), {
    workerData: () => ++starts,
    attach: (worker) => worker.on('message', (message) => told.push(message)),
    onEvent: (event) => told.push(event),
  })
  t.after(() => thread.stop())
  await eventually(() => told.length >= 3)
  assert.deepEqual(told, [1, 2, 3])
})

test('starts a thread again that ended by itself', async (t) => {
  const { events } = supervise(t, 'process.exit(3)')
  await eventually(() => events.length >= 1)
  assert.equal(events[0].fields.error, 'exit code 3')
})

test('can be stopped before the thread has come up, while it pauses, and twice', async (t) => {
  const { thread } = supervise(t, `parentPort.once('message', () => parentPort.close())`)
  await thread.stop()
  await thread.stop()
  const { thread: dying, events } = supervise(t, 'process.exit(1)')
  await eventually(() => events.length >= 1)
  await dying.stop()
  await sleep(150)
  assert.equal(events.length, 1)
})
