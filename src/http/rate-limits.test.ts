import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { Problem } from './problem.ts'
import { type RateLimitSettings, RateLimits, rateLimitsOf } from './rate-limits.ts'

const ONE = { id: 'one', organizationId: 'org' }
const TWO = { id: 'two', organizationId: 'org' }

test('allows the requests of a minute, refuses the next one, and allows one more when a token is back', () => {
  const limits = new LimitsHarness({ keyRequests: 60 })
  for (let n = 59; n >= 0; n--) {
    const { headers } = limits.ask(ONE)
    assert.equal(headers['RateLimit-Policy'], '"key-requests";q=60;w=60')
    assert.equal(headers.RateLimit, `"key-requests";r=${n};t=${60 - n}`)
  }
  const { problem, headers } = limits.ask(ONE)
  assert.deepEqual([problem?.status, problem?.headers['retry-after']], [429, '1'])
  assert.match(String(problem?.message), /^The operator of this service allows this API key 60 requests a minute\./)
  assert.equal(headers.RateLimit, '"key-requests";r=0;t=60')
  assert.equal(limits.ask(TWO).problem, undefined)
  limits.nowMs += 999
  assert.equal(limits.ask(ONE).problem?.status, 429)
  limits.nowMs += 1
  assert.equal(limits.ask(ONE).problem, undefined)
  assert.equal(limits.ask(ONE).problem?.status, 429)
})

test('counts the requests of all keys of an organization', () => {
  const limits = new LimitsHarness({ keyRequests: 3, organizationRequests: 4 })
  const asked = [ONE, ONE, TWO, TWO, TWO].map((caller) => limits.ask(caller).problem?.status)
  assert.deepEqual(asked, [undefined, undefined, undefined, undefined, 429])
  const { problem } = limits.ask(ONE)
  assert.match(String(problem?.message), /this organization 4 requests a minute/)
  assert.equal(limits.ask({ id: 'three', organizationId: 'other' }).problem, undefined)
})

test('refuses requests until the thread time that was used is back', () => {
  const limits = new LimitsHarness({ keyMs: 100, organizationMs: 1000 })
  assert.equal(
    limits.ask(ONE).headers['RateLimit-Policy'],
    '"key-time";q=100;w=1;qu="milliseconds", "organization-time";q=1000;w=1;qu="milliseconds"',
  )
  limits.limits.spend(ONE, 100, limits.nowMs)
  assert.equal(limits.ask(ONE).problem, undefined)
  limits.limits.spend(ONE, 250, limits.nowMs)
  const { problem } = limits.ask(ONE)
  assert.deepEqual([problem?.status, problem?.headers['retry-after']], [429, '3'])
  assert.equal(limits.ask(TWO).problem, undefined)
  limits.nowMs += 2499
  assert.equal(limits.ask(ONE).problem?.status, 429)
  limits.nowMs += 1
  assert.equal(limits.ask(ONE).problem, undefined)
})

test('states when a request is accepted again if several limits are reached', () => {
  const limits = new LimitsHarness({ keyRequests: 3, keyMs: 100, organizationRequests: 2 })
  limits.ask(ONE)
  limits.ask(ONE)
  limits.limits.spend(ONE, 600, limits.nowMs)
  const { problem } = limits.ask(ONE)
  assert.match(String(problem?.message), /this organization 2 requests a minute/)
  assert.equal(problem?.headers['retry-after'], '30')
  limits.nowMs += 30_000
  assert.equal(limits.ask(ONE).problem, undefined)
})

test('states what is left to a thousandth of the quota', () => {
  const limits = new LimitsHarness({ keyRequests: 1_000_000 })
  const left = () => Number(/r=(\d+)/.exec(limits.ask(ONE).headers.RateLimit)?.[1])
  for (let asked = 1; asked <= 5000; asked++) assert.ok(Math.abs(left() - (1_000_000 - asked)) <= 1001)
})

test('all callers start over when there are more than it remembers', () => {
  const limits = new LimitsHarness({ keyRequests: 1 }, 2)
  assert.deepEqual(
    [limits.ask(ONE), limits.ask(ONE)].map(({ problem }) => problem?.status),
    [undefined, 429],
  )
  limits.ask(TWO)
  assert.equal(limits.ask(ONE).problem?.status, 429)
  limits.ask({ id: 'three', organizationId: 'other' })
  assert.equal(limits.ask(ONE).problem, undefined)
})

test('is off unless a limit is set', () => {
  assert.equal(rateLimitsOf({}), undefined)
  assert.ok(rateLimitsOf({ organizationMs: 10 }))
})

/** Limits with a clock, and the headers that they set. */
class LimitsHarness {
  nowMs = 0
  readonly limits: RateLimits

  constructor(settings: RateLimitSettings, callersMax?: number) {
    this.limits = new RateLimits(settings, callersMax)
  }

  ask(caller: typeof ONE): { headers: Record<string, string>; problem: Problem | undefined } {
    const response = { headerBlock: '' }
    const headersOf = () =>
      Object.fromEntries(
        response.headerBlock
          .trim()
          .split('\r\n')
          .map((line) => line.split(': ')),
      )
    try {
      this.limits.take(caller, response as unknown as ServerResponse, this.nowMs)
    } catch (error) {
      assert.ok(error instanceof Problem)
      return { headers: headersOf(), problem: error }
    }
    return { headers: headersOf(), problem: undefined }
  }
}
