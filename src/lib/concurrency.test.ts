import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settle } from 'node:timers/promises'
import { KeyedSemaphore, Semaphore } from './concurrency.ts'

test('a semaphore runs so many tasks at once and the others in the order of their arrival', async () => {
  const semaphore = new Semaphore(2)
  const { task, started, finish } = tasks()
  const results = ['a', 'b', 'c', 'd'].map((name) => semaphore.run(task(name)))
  await settle()
  assert.deepEqual(started, ['a', 'b'])
  finish('b')
  await settle()
  assert.deepEqual(started, ['a', 'b', 'c'])
  for (const name of ['a', 'c', 'd']) {
    finish(name)
    await settle()
  }
  assert.deepEqual(await Promise.all(results), ['a', 'b', 'c', 'd'])
})

test('a semaphore lets owners take turns, and runs the tasks of each in their order', async () => {
  const semaphore = new Semaphore(1)
  const { task, started, finish } = tasks()
  const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']
  const results = all.map((name) => semaphore.run(task(name), name[0]))
  for (let n = 0; n < all.length; n++) {
    await settle()
    finish(started[n])
  }
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
  assert.deepEqual(await Promise.all(results), all)
})

test('a semaphore passes errors on and frees the permit', async () => {
  const semaphore = new Semaphore(1)
  const failed = semaphore.run(() => Promise.reject(new Error('failed')))
  const next = semaphore.run(async () => 'next')
  await assert.rejects(failed, { message: 'failed' })
  assert.equal(await next, 'next')
})

test('a keyed semaphore runs so many tasks of a key at once, those of other keys meanwhile', async () => {
  const semaphore = new KeyedSemaphore(1)
  const { task, started, finish } = tasks()
  const results = [semaphore.run('one', task('a')), semaphore.run('one', task('b')), semaphore.run('two', task('c'))]
  await settle()
  assert.deepEqual(started, ['a', 'c'])
  finish('a')
  await settle()
  assert.deepEqual(started, ['a', 'c', 'b'])
  finish('b')
  finish('c')
  assert.deepEqual(await Promise.all(results), ['a', 'b', 'c'])
})

test('a keyed semaphore passes errors on and runs the next task nevertheless', async () => {
  const semaphore = new KeyedSemaphore(1)
  const failed = semaphore.run('key', () => Promise.reject(new Error('failed')))
  const next = semaphore.run('key', async () => 'next')
  await assert.rejects(failed, { message: 'failed' })
  assert.equal(await next, 'next')
})

/** Tasks that record their start, end on demand and resolve to their name. */
function tasks() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    task: (name: string) => async () => {
      started.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      return name
    },
    finish: (name: string) => ends.get(name)?.(),
  }
}
