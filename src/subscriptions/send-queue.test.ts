import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DELIVERY_LANES, type DeliveryLane, type DueDelivery } from '../store/contracts/deliveries.ts'
import { SEND_LIMITS, SendQueue } from './send-queue.ts'

let made = 0
function send(own: Partial<DueDelivery> = {}): DueDelivery {
  const n = made++
  return { subscriptionId: `sub_${n}`, organizationId: 'one', host: `host-${n}.example`, lane: 'delivered', ...own }
}

function startAll(queue: SendQueue): DueDelivery[] {
  const started: DueDelivery[] = []
  for (let next = queue.next(); next !== undefined; next = queue.next()) started.push(next)
  return started
}

test('an organization with many sends does not delay another', () => {
  const queue = new SendQueue()
  for (let n = 0; n < 100; n++) queue.add(send())
  queue.add(send({ organizationId: 'other' }))
  const started = startAll(queue)
  assert.equal(
    started.findIndex(({ organizationId }) => organizationId === 'other'),
    1,
  )
  assert.equal(started.length, SEND_LIMITS.perOrganizationMax + 1)
  queue.end(started[0])
  assert.equal(startAll(queue).length, 1)
})

test('a host gets a few at once, and one if its receivers fail; others pass by', () => {
  const queue = new SendQueue()
  for (const lane of DELIVERY_LANES) for (let n = 0; n < 5; n++) queue.add(send({ lane, host: 'same' }))
  queue.add(send({ lane: 'failing' }))
  const started = startAll(queue)
  assert.equal(started.length, SEND_LIMITS.perHostMax + 1)
  assert.equal(started.filter(({ lane, host }) => lane === 'failing' && host === 'same').length, 1)
})

test('a thousand dead receivers leave half of the sends to those that respond', () => {
  const queue = new SendQueue()
  for (const lane of ['failing', 'new'] as const)
    for (let n = 0; n < 1000; n++) queue.add(send({ lane, organizationId: `dead-${n}` }))
  const dead = startAll(queue)
  assert.equal(dead.length, SEND_LIMITS.unprovenMax)
  assert.ok(dead.filter(({ lane }) => lane === 'failing').length <= SEND_LIMITS.failingMax)
  for (let n = 0; n < 1000; n++) queue.add(send({ organizationId: `healthy-${n}` }))
  assert.equal(startAll(queue).length, SEND_LIMITS.allMax - SEND_LIMITS.unprovenMax)
})

test('sends that take long make room for others, up to a limit', () => {
  const queue = new SendQueue({ ...SEND_LIMITS, allMax: 2, slowMax: 1 })
  for (let n = 0; n < 6; n++) queue.add(send())
  const slow = startAll(queue)
  assert.equal(slow.length, 2)
  for (const each of slow) queue.noteSlow(each)
  const [quick, ...others] = startAll(queue)
  assert.deepEqual(others, [])
  queue.end(slow[0])
  assert.deepEqual([startAll(queue).length, queue.inFlight], [0, 2])
  queue.end(quick)
  assert.equal(startAll(queue).length, 1)
})

test('a subscription has one send at a time', () => {
  const queue = new SendQueue()
  const one = send()
  queue.add(one)
  queue.add(one)
  assert.deepEqual(startAll(queue), [one])
  queue.add(one)
  assert.deepEqual(startAll(queue), [])
  queue.end(one)
  queue.add(one)
  assert.deepEqual(startAll(queue), [], 'its end is not recorded')
  queue.forget(one)
  queue.add(one)
  assert.deepEqual(startAll(queue), [one])
})

test('forgets what waits, but not what is in flight', () => {
  const queue = new SendQueue({ ...SEND_LIMITS, allMax: 1 })
  const [first, second] = [send(), send()]
  queue.add(first)
  queue.add(second)
  assert.equal(startAll(queue).length, 1)
  queue.clear()
  assert.equal(queue.waitingOf('delivered').size, 0)
  queue.add(first)
  queue.add(second)
  assert.deepEqual([...queue.waitingOf('delivered').values()], [[second]])
})

test('keeps every limit, and starts everything in the end, in any order of arrivals and ends', () => {
  const lane = fc.constantFrom<DeliveryLane>(...DELIVERY_LANES)
  const arrival = fc.record({ lane, organization: fc.nat(2), host: fc.nat(3) })
  const limits = {
    allMax: 6,
    unprovenMax: 4,
    failingMax: 2,
    perOrganizationMax: 4,
    perHostMax: 3,
    failingPerHostMax: 1,
    slowMax: 2,
  }
  const property = fc.property(fc.array(fc.tuple(arrival, fc.nat(3)), { maxLength: 60 }), (steps) => {
    const queue = new SendQueue(limits)
    const flying: DueDelivery[] = []
    let [started, added] = [0, 0]
    const start = () => {
      const now = startAll(queue)
      started += now.length
      flying.push(...now)
      const count = (is: (send: DueDelivery) => boolean) => flying.filter(is).length
      assert.ok(flying.length <= limits.allMax)
      assert.ok(count(({ lane }) => lane !== 'delivered') <= limits.unprovenMax)
      assert.ok(count(({ lane }) => lane === 'failing') <= limits.failingMax)
      for (const { organizationId, host } of flying) {
        assert.ok(count((send) => send.organizationId === organizationId) <= limits.perOrganizationMax)
        assert.ok(count((send) => send.host === host) <= limits.perHostMax)
        assert.ok(count((send) => send.host === host && send.lane === 'failing') <= 1)
      }
    }
    for (const [{ lane, organization, host }, ends] of steps) {
      queue.add(send({ lane, organizationId: `organization-${organization}`, host: `host-${host}` }))
      added++
      start()
      for (const ended of flying.splice(0, ends)) queue.end(ended)
    }
    start()
    while (flying.length > 0) {
      queue.end(flying.splice(0, 1)[0])
      start()
    }
    assert.equal(started, added)
    assert.equal(queue.inFlight, 0)
  })
  fc.assert(property)
})
