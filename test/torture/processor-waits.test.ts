import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { longestWaitMs, processorWaits } from './processor-waits.ts'

const ENDLESS = 'for (;;);'

test('counts the time for which a thread is ready but has no processor', async (t) => {
  if (!existsSync('/proc/self/schedstat')) return t.skip('the system does not count it')
  const busy = Array.from({ length: availableParallelism() * 3 }, () => spawn(process.execPath, ['--eval', ENDLESS]))
  try {
    await sleep(200)
    const before = busy.map(({ pid }) => processorWaits(pid))
    await sleep(500)
    const waits = busy.map(({ pid }, n) => longestWaitMs(before[n], processorWaits(pid)))
    assert.ok(Math.max(...waits) > 100, `${waits}`)
  } finally {
    for (const child of busy) child.kill('SIGKILL')
    await Promise.all(busy.map((child) => once(child, 'exit')))
  }
})

test('counts the threads that run JavaScript', async (t) => {
  if (!existsSync('/proc/self/schedstat')) return t.skip('the system does not count it')
  const worker = new Worker('setInterval(() => {}, 1000)', { eval: true })
  t.after(() => worker.terminate())
  await once(worker, 'online')
  const own = processorWaits(process.pid)
  assert.ok(own.has(String(process.pid)) && own.size >= 2, `${[...own.keys()]}`)
  assert.ok(own.size < readdirSync('/proc/self/task').length, `${own.size}`)
})

test('counts nothing for a process that has ended, or a thread that has started since', () => {
  assert.equal(processorWaits(undefined).size, 0)
  assert.equal(longestWaitMs(new Map(), new Map([['7', 400]])), 0)
  assert.equal(longestWaitMs(new Map([['7', 100]]), new Map([['7', 400]])), 300)
  assert.equal(longestWaitMs(new Map([['7', 100]]), new Map()), 0)
})
