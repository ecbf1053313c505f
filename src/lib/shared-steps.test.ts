import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedSteps } from './shared-steps.ts'
import { runAtOnce, type Steps } from './steps.ts'

function* countTo(end: number, ended: string[]): Steps<number> {
  let n = 0
  try {
    while (n < end) {
      n++
      yield
    }
    return n
  } finally {
    ended.push(`${n}`)
  }
}

test('drivers share the work, and each gets its result', () => {
  const ended: string[] = []
  const shared = new SharedSteps(() => countTo(4, ended))
  const [one, other] = [shared.run(), shared.run()]
  for (const driver of [one, other, one, other]) assert.equal(driver.next().done, false)
  assert.deepEqual(one.next(), { done: true, value: 4 })
  assert.deepEqual(other.next(), { done: true, value: 4 })
  assert.deepEqual(ended, ['4'])
  assert.equal(runAtOnce(shared.run()), 4)
  assert.deepEqual(ended, ['4', '4'])
})

test('the work ends when its last driver abandons it', () => {
  const ended: string[] = []
  const shared = new SharedSteps(() => countTo(4, ended))
  const [one, other] = [shared.run(), shared.run()]
  one.next()
  other.next()
  one.return(0)
  assert.deepEqual(ended, [])
  other.return(0)
  assert.deepEqual(ended, ['2'])
  assert.equal(runAtOnce(shared.run()), 4)
})

test('every driver gets the error of the work', () => {
  const shared = new SharedSteps(function* (): Steps<number> {
    yield
    throw new Error('broken')
  })
  const [one, other] = [shared.run(), shared.run()]
  one.next()
  assert.throws(() => other.next(), /broken/)
  assert.throws(() => one.next(), /broken/)
})
