import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogEvent } from './log-event.ts'
import { retryUntilAvailable } from './retry-until-available.ts'

class Unavailable extends Error {}

test('retries until the dependency is available, and logs that once each', async () => {
  const { events, options } = retrying()
  const results = [new Unavailable('down'), new Unavailable('still down'), 'done']
  assert.equal(await retryUntilAvailable(async () => next(results), options), 'done')
  assert.deepEqual(events, [
    { level: 'warn', message: 'store became unavailable', fields: { error: 'down' } },
    { level: 'info', message: 'store became available', fields: { tries: 2 } },
  ])
})

test('throws other errors, and logs nothing if there was nothing to retry', async () => {
  const { events, options } = retrying()
  await assert.rejects(
    retryUntilAvailable(async () => next([new Error('broken')]), options),
    { message: 'broken' },
  )
  assert.equal(await retryUntilAvailable(async () => 1, options), 1)
  assert.deepEqual(events, [])
})

test('ends without a result when aborted', async () => {
  const { options, abort } = retrying()
  const result = retryUntilAvailable(() => Promise.reject(new Unavailable()), options)
  abort()
  assert.equal(await result, undefined)
})

function retrying() {
  const events: LogEvent[] = []
  const controller = new AbortController()
  const options = {
    name: 'store',
    isUnavailable: (error: unknown) => error instanceof Unavailable,
    onEvent: (event: LogEvent) => events.push(event),
    signal: controller.signal,
  }
  return { events, options, abort: () => controller.abort() }
}

function next(results: unknown[]): unknown {
  const result = results.shift()
  if (result instanceof Error) throw result
  return result
}
