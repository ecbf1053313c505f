import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as settle } from 'node:timers/promises'
import { Periodic } from './periodic.ts'

const EVERY_MS = 1000

test('runs at once and then after each pause', async (context) => {
  const { tick } = mockTime(context)
  let runs = 0
  const periodic = new Periodic(async () => void runs++, { everyMs: EVERY_MS, onError: assert.ifError })
  periodic.start()
  periodic.start()
  await settle()
  assert.equal(runs, 1)
  await tick(EVERY_MS - 1)
  assert.equal(runs, 1)
  await tick(1)
  assert.equal(runs, 2)
  await periodic.close()
  await tick(EVERY_MS)
  assert.equal(runs, 2)
})

test('starts with a pause if asked to, which wake() and close() end', async (context) => {
  const { tick } = mockTime(context)
  for (const [end, runsAfter] of [
    ['wake', 1],
    ['close', 0],
  ] as const) {
    let runs = 0
    const periodic = new Periodic(async () => void runs++, { everyMs: EVERY_MS, onError: assert.ifError })
    periodic.start({ withPause: true })
    await tick(EVERY_MS - 1)
    assert.equal(runs, 0)
    await periodic[end]()
    await settle()
    assert.equal(runs, runsAfter)
    await periodic.close()
  }
})

test('never runs twice at the same time: the pause starts when a run ends', async (context) => {
  const { tick } = mockTime(context)
  const running: (() => void)[] = []
  const task = () => new Promise<void>((resolve) => running.push(resolve))
  const periodic = new Periodic(task, { everyMs: EVERY_MS, onError: assert.ifError })
  periodic.start()
  await tick(5 * EVERY_MS)
  assert.equal(running.length, 1)
  running[0]()
  await settle()
  await tick(EVERY_MS - 1)
  assert.equal(running.length, 1)
  await tick(1)
  assert.equal(running.length, 2)
  running[1]()
  await periodic.close()
})

test('reports the error of a run and goes on', async (context) => {
  const { tick } = mockTime(context)
  const errors: unknown[] = []
  const task = async () => Promise.reject(new Error(`run ${errors.length}`))
  const periodic = new Periodic(task, { everyMs: EVERY_MS, onError: (error) => errors.push(error) })
  periodic.start()
  await settle()
  await tick(EVERY_MS)
  await periodic.close()
  assert.deepEqual(errors, [new Error('run 0'), new Error('run 1')])
})

test('close() aborts the current run and waits for its end', async () => {
  let hasEnded = false
  const task = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const end = () => {
        hasEnded = true
        resolve()
      }
      signal.addEventListener('abort', () => setImmediate(end))
    })
  const periodic = new Periodic(task, { everyMs: EVERY_MS, onError: assert.ifError })
  periodic.start()
  await periodic.close()
  assert.ok(hasEnded)
})

test('wake() ends the pause, and follows a run in progress by another', async (context) => {
  const { tick } = mockTime(context)
  let runs = 0
  const periodic = new Periodic(
    async () => {
      if (++runs === 2) periodic.wake()
    },
    { everyMs: EVERY_MS, onError: assert.ifError },
  )
  periodic.start()
  await settle()
  periodic.wake()
  await settle()
  assert.equal(runs, 3)
  await tick(EVERY_MS)
  assert.equal(runs, 4)
  await periodic.close()
})

test('asks for the pause after each run', async (context) => {
  const { tick } = mockTime(context)
  let runs = 0
  const everyMs = () => runs * EVERY_MS
  const periodic = new Periodic(async () => void runs++, { everyMs, onError: assert.ifError })
  periodic.start()
  await settle()
  await tick(EVERY_MS)
  assert.equal(runs, 2)
  await tick(EVERY_MS)
  assert.equal(runs, 2)
  await tick(EVERY_MS)
  assert.equal(runs, 3)
  await periodic.close()
})

test('close() before start() leaves nothing to run', async () => {
  let runs = 0
  const periodic = new Periodic(async () => void runs++, { everyMs: 0, onError: assert.ifError })
  await periodic.close()
  periodic.start()
  await settle()
  assert.equal(runs, 0)
})

function mockTime({ mock }: TestContext): { tick(ms: number): Promise<void> } {
  mock.timers.enable({ apis: ['setTimeout'] })
  return {
    async tick(ms) {
      mock.timers.tick(ms)
      await settle()
    },
  }
}
