import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { runAtOnce, type Steps } from '../lib/steps.ts'
import { FAIR_LIMITS, type FairCaller, FairQueue } from './fair-queue.ts'
import { Problem } from './problem.ts'

/** With turns that end after one step. */
const ONE_STEP = { ...FAIR_LIMITS, turnMs: 0, turnMsMax: 0 }

test('shares the turns by organization, then by key, and answers the requests of a key in order', async () => {
  const queue = new FairQueue(ONE_STEP)
  const log: string[] = []
  const outcome = { onResult: () => {}, onError: assert.fail }
  const run = (name: string, by: FairCaller, steps: number) => queue.run(by, logged(log, name, steps), outcome)
  run('a1', callerOf('A', 'a'), 2)
  run('a2', callerOf('A', 'a'), 1)
  run('b1', callerOf('A', 'b'), 2)
  run('c1', callerOf('C', 'c'), 3)
  // The first slice of the first request ran at once.
  assert.deepEqual(log, ['a1'])
  await untilEmpty(queue)
  assert.equal(log.join(' '), 'a1 a1 c1 b1 c1 a2 c1 b1')
})

test('runs at least one step per turn of the event loop, and no more than its time allows', async () => {
  const queue = new FairQueue(ONE_STEP)
  const log: string[] = []
  for (let n = 0; n < 20; n++)
    queue.run(callerOf('A', 'a'), logged(log, String(n), 3), { onResult: () => {}, onError: assert.fail })
  for (let turn = 1; turn <= 20; turn++) {
    assert.ok(log.length <= turn, `${log.length} steps in ${turn} turns`)
    await nextTurn()
  }
  await untilEmpty(queue)
  assert.equal(log.length, 60)
})

test('runs as much of what waits in a turn as its time allows', async () => {
  const limits = { ...ONE_STEP }
  const queue = new FairQueue(limits)
  const results: unknown[] = []
  const outcome = { onResult: (name: unknown) => results.push(name), onError: assert.fail }
  for (const name of ['a', 'b', 'c']) queue.run(callerOf('A', name), logged([], name, 3), outcome)
  assert.equal(queue.size, 3)
  limits.turnMs = 60_000
  await nextTurn()
  assert.deepEqual([results, queue.size], [['a', 'b', 'c'], 0])
})

test('runs more of what waits in a turn if other requests took longer, up to a limit', async () => {
  for (const [turnMsMax, left] of [
    [60_000, 0],
    [0, 2],
  ]) {
    const queue = new FairQueue({ ...ONE_STEP, turnMsMax })
    const outcome = { onResult: () => {}, onError: assert.fail }
    for (const name of ['a', 'b', 'c']) queue.run(callerOf('A', name), logged([], name, 2), outcome)
    assert.equal(queue.size, 3)
    const startedMs = performance.now()
    while (performance.now() - startedMs < 100);
    await nextTurn()
    assert.equal(queue.size, left)
    await untilEmpty(queue)
  }
})

test('answers cheap work at once, and reports thread time without waiting', async () => {
  const queue = new FairQueue({ ...FAIR_LIMITS, turnMs: 5000 })
  let usedMs: number | undefined
  const onResult = (_: unknown, used: number) => {
    usedMs = used
  }
  const cancel = queue.run(callerOf('A', 'a'), logged([], 'cheap', 5), { onResult, onError: assert.fail })
  assert.equal(cancel, undefined)
  assert.ok(usedMs !== undefined && usedMs < 5000, String(usedMs))
  assert.equal(queue.size, 0)
  await nextTurn()
})

test('takes as many waiting requests of a key and of an organization as the limits, and no more', async () => {
  const queue = new FairQueue({ ...ONE_STEP, waitingPerKeyMax: 3, waitingPerOrganizationMax: 5 })
  const accepts = (organizationId: string, id: string) => {
    try {
      queue.run(callerOf(organizationId, id), logged([], '', 2), { onResult: () => {}, onError: assert.fail })
      return true
    } catch (error) {
      assert.ok(error instanceof Problem)
      assert.deepEqual([error.kind, error.status, error.headers['retry-after']], ['queue-full', 503, '1'])
      return false
    }
  }
  assert.deepEqual(
    [1, 2, 3, 4].map(() => accepts('A', 'a')),
    [true, true, true, false],
  )
  assert.deepEqual(
    [1, 2, 3].map(() => accepts('A', 'b')),
    [true, true, false],
  )
  assert.ok(accepts('B', 'c'))
  await untilEmpty(queue)
  assert.ok(accepts('A', 'a'))
  await untilEmpty(queue)
})

test('work that is canceled leaves the queue and releases what it holds', async () => {
  const queue = new FairQueue(ONE_STEP)
  let isReleased = false
  const endless = function* (): Steps<void> {
    try {
      for (;;) yield
    } finally {
      isReleased = true
    }
  }
  const cancel = queue.run(callerOf('A', 'a'), endless(), { onResult: assert.fail, onError: assert.fail })
  await nextTurn()
  assert.equal(queue.size, 1)
  cancel?.()
  assert.deepEqual([queue.size, isReleased], [0, true])
  cancel?.()
  await nextTurn()
})

test('work whose signal aborts leaves the queue, and never begins if it had aborted', async () => {
  const queue = new FairQueue(ONE_STEP)
  const log: string[] = []
  const controller = new AbortController()
  const { signal } = controller
  const running = ['a', 'b'].map((name) => queue.finish(callerOf('A', name), logged(log, name, 1000), signal))
  await nextTurn()
  controller.abort(new Error('gone'))
  assert.equal(queue.size, 0)
  const before = log.length
  running.push(queue.finish(callerOf('A', 'a'), logged(log, 'late', 1000), signal))
  for (const each of running) await assert.rejects(each, /gone/)
  await nextTurn()
  assert.equal(log.length, before)
})

test('an error of one caller reaches that caller, and the others go on', async () => {
  const queue = new FairQueue(ONE_STEP)
  const failing = function* (): Steps<void> {
    yield
    throw new Error('failed')
  }
  const results = await Promise.allSettled([
    queue.finish(callerOf('A', 'a'), failing()),
    queue.finish(callerOf('A', 'a'), logged([], 'next', 2)),
  ])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
  assert.equal(runAtOnce(logged([], '', 2)), '')
})

test('charges the caller for the slices after the first', async () => {
  const charged: string[] = []
  const spend = ({ organizationId, id }: FairCaller, usedMs: number) => {
    assert.ok(usedMs > 0)
    charged.push(`${organizationId} ${id}`)
  }
  const queue = new FairQueue(ONE_STEP, { spend })
  await queue.finish(callerOf('A', 'a'), logged([], '', 3))
  assert.deepEqual(charged, ['A a', 'A a'])
})

/** Work of several steps, each of which is logged. */
function* logged(log: string[], name: string, steps: number): Steps<string> {
  for (let step = 1; step <= steps; step++) {
    log.push(name)
    if (step < steps) yield
  }
  return name
}

function callerOf(organizationId: string, id: string): FairCaller {
  return { organizationId, id }
}

async function untilEmpty(queue: FairQueue): Promise<void> {
  do await nextTurn()
  while (queue.size > 0)
  await nextTurn()
}
