import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogEvent } from '../lib/log-event.ts'
import { StoreUnavailable } from './contracts/store.ts'
import { retryUntilAvailable } from './retry-until-available.ts'

test('retries until the store is available, and logs that once each', async () => {
  const { events, options } = retrying()
  const results = [new StoreUnavailable('down'), new StoreUnavailable('still down'), 'done']
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
  const result = retryUntilAvailable(() => Promise.reject(new StoreUnavailable()), options)
  abort()
  assert.equal(await result, undefined)
})

function retrying() {
  const events: LogEvent[] = []
  const controller = new AbortController()
  const options = { onEvent: (event: LogEvent) => events.push(event), signal: controller.signal }
  return { events, options, abort: () => controller.abort() }
}

function next(results: unknown[]): unknown {
  const result = results.shift()
  if (result instanceof Error) throw result
  return result
}
