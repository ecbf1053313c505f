import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { eventually } from '../../test/support/eventually.ts'
import { tempFolder } from '../../test/support/temp-folder.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { ChannelClosed } from './channel.ts'
import { SupervisedWorker } from './supervised-worker.ts'

function entryOf(t: TestContext, code: string): URL {
  const folder = tempFolder(t)
  const path = join(folder, 'entry.mjs')
  writeFileSync(path, `import { parentPort, workerData } from 'node:worker_threads'\n${code}`)
  return pathToFileURL(path)
}

/** An entry that speaks the channel's protocol by hand. */
const STOPPABLE = `parentPort.on('message', ({ name }) => { if (name === 'stop') parentPort.close() })`

function supervise(t: TestContext, code: string, workerData: unknown = {}) {
  const events: LogEvent[] = []
  const thread = new SupervisedWorker(entryOf(t, code), {
    workerData: () => workerData,
    attach: () => ({}),
    onEvent: (event) => events.push(event),
  })
  t.after(() => thread.stop())
  return { thread, events }
}

test('passes on the events of the thread, and stops it', async (t) => {
  const { thread, events } = supervise(
    t,
    `const payload = { level: 'info', message: workerData.greeting, fields: {} }
     parentPort.postMessage({ kind: 'notice', name: 'log', payload })
     ${STOPPABLE}`,
    { greeting: 'started' },
  )
  await eventually(() => events.length >= 1)
  await thread.stop()
  assert.deepEqual(events, [{ level: 'info', message: 'started', fields: {} }])
})

test('restarts a thread that died, with growing pauses, and logs why', async (t) => {
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

test('restarts a thread that ended without an error at once, with new data', async (t) => {
  let starts = 0
  const started: unknown[] = []
  const code = `parentPort.postMessage({ kind: 'notice', name: 'log', payload: workerData })
    if (workerData === 3) ${STOPPABLE}`
  const thread = new SupervisedWorker(entryOf(t, code), {
    workerData: () => ++starts,
    attach: () => ({}),
    onEvent: (event) => started.push(event),
  })
  t.after(() => thread.stop())
  await eventually(() => started.length >= 3)
  assert.deepEqual(started, [1, 2, 3])
})

test('rejects requests while no thread is running', async (t) => {
  const { thread, events } = supervise(t, 'process.exit(1)')
  await eventually(() => events.length >= 1)
  await assert.rejects(thread.request('stop', undefined), ChannelClosed)
})

test('logs the exit code of a thread that ended without an error object', async (t) => {
  const { events } = supervise(t, 'process.exit(3)')
  await eventually(() => events.length >= 1)
  assert.equal(events[0].fields.error, 'exit code 3')
})

test('stops while starting, while pausing, and twice', async (t) => {
  const { thread } = supervise(t, STOPPABLE)
  await thread.stop()
  await thread.stop()
  const { thread: dying, events } = supervise(t, 'process.exit(1)')
  await eventually(() => events.length >= 1)
  await dying.stop()
  await sleep(150)
  assert.equal(events.length, 1)
})
