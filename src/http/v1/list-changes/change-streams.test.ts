import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import { served } from '../../../../test/support/http/changes-fixture.ts'
import { type EventStream, QUICK_LIMITS, StreamService } from '../../../../test/support/http/stream-service.ts'
import { slotOf } from '../../../../test/support/store/temp-store.ts'

test('resumes after the last event that the client received, also within a commit', async (t) => {
  const service = await StreamService.start(t)
  const since = await service.clinic.revision()
  await service.publish([slotOf(0), slotOf(1), slotOf(2)])
  const first = await service.open(`?since=${since}`)
  const received = [await first.next(), await first.next()]
  first.close()
  const second = await service.open(`?since=${since}`, { headers: { 'last-event-id': received[1]?.id ?? '' } })
  const later = [await second.next(), await second.next()]
  const changes = [...received, ...later].map((event) => event?.data)
  assert.deepEqual(changes, [...[0, 1, 2].map((n) => ({ change: 'added', slot: served(slotOf(n)) })), undefined])
  assert.deepEqual(later.at(-1), { id: await service.clinic.revision() })
})

test('begins with what is committed after the request, and filters as the list does', async (t) => {
  const service = await StreamService.start(t)
  await service.publish([slotOf(0)])
  const stream = await service.open('?minDurationMinutes=1')
  assert.deepEqual(
    [stream.response.statusCode, stream.response.headers['content-type'], stream.response.headers['cache-control']],
    [200, 'text/event-stream', 'no-store'],
  )
  assert.deepEqual(await stream.next(), { id: await service.clinic.revision() })
  await service.publish([slotOf(0), slotOf(1)])
  const event = await stream.next()
  assert.deepEqual([event?.event, event?.data], ['added', { change: 'added', slot: served(slotOf(1)) }])
  const none = await service.open('?state=WY')
  await none.next()
  await service.publish([slotOf(0), slotOf(1), slotOf(2)])
  assert.deepEqual(await none.next(), { id: await service.clinic.revision() })
})

test('rejects what it cannot stream as a page of changes does', async (t) => {
  const service = await StreamService.start(t)
  const refusal = async (stream: EventStream) => {
    const { error, parameter } = JSON.parse(await stream.text())
    return [stream.response.statusCode, error, parameter]
  }
  const invalid = [400, 'Invalid parameter']
  assert.deepEqual(await refusal(await service.open('?state=Atlantis')), [...invalid, 'state'])
  assert.deepEqual(await refusal(await service.open('?since=1')), [...invalid, 'since'])
  assert.deepEqual(await refusal(await service.open('', { headers: { 'last-event-id': 'x' } })), [
    ...invalid,
    'Last-Event-ID',
  ])
  assert.deepEqual(await refusal(await service.open('?since=1.1')), [410, 'Gone', undefined])
  service.isAway = true
  assert.deepEqual(await refusal(await service.open()), [503, 'Not ready', undefined])
  assert.equal(service.streams.size, 0)
})

test('reads again after the store was unavailable', async (t) => {
  const service = await StreamService.start(t)
  const stream = await service.open()
  await stream.next()
  service.isAway = true
  await service.publish([slotOf(0)])
  service.isAway = false
  assert.equal((await stream.next())?.event, 'added')
})

test('reads a long way in pages of 200 changes', async (t) => {
  const service = await StreamService.start(t)
  const since = await service.clinic.revision()
  await service.publish(Array.from({ length: 450 }, (_, n) => slotOf(n)))
  const stream = await service.open(`?since=${since}&limit=1000`)
  const ids = new Set<string>()
  while (ids.size < 450) {
    const event = await stream.next()
    if (event?.data?.slot !== undefined) ids.add(event.data.slot.id)
  }
  assert.equal(service.asked.length, 3)
  assert.ok(service.asked.every((target) => new URLSearchParams(target).get('limit') === '200'))
})

test('limits the streams of an organization', async (t) => {
  const service = await StreamService.start(t, { ...QUICK_LIMITS, perOrganizationMax: 2, concurrentMax: 3 })
  const first = await service.open()
  await service.open()
  const refused = await service.open()
  assert.deepEqual([refused.response.statusCode, refused.response.headers['retry-after']], [429, '30'])
  assert.equal((await service.open('', { organization: 'other' })).response.statusCode, 200)
  assert.equal((await service.open('', { organization: 'third' })).response.statusCode, 429)
  first.close()
  await eventually(() => service.streams.size === 2)
  assert.equal((await service.open()).response.statusCode, 200)
})

test('ends when its key is revoked and when the node is about to end', async (t) => {
  const service = await StreamService.start(t)
  const [revoked, drained] = [await service.open('', { organization: 'revoked' }), await service.open()]
  await revoked.next()
  await drained.next()
  service.revoke('revoked')
  assert.equal(await revoked.next(), undefined)
  service.streams.close()
  assert.equal(await drained.next(), undefined)
  const { statusCode, headers } = (await service.open()).response
  assert.deepEqual([statusCode, headers['retry-after']], [503, '1'])
})

test('repeats the position while nothing changes', async (t) => {
  const service = await StreamService.start(t, { ...QUICK_LIMITS, heartbeatMs: 10 })
  const stream = await service.open()
  const id = await service.clinic.revision()
  for (let n = 0; n < 3; n++) assert.deepEqual(await stream.next(), { id })
})

test('disconnects a client that does not read', async (t) => {
  const service = await StreamService.start(t, { ...QUICK_LIMITS, stalledMsMax: 100 })
  const stream = await service.open()
  stream.response.pause()
  await service.publish(Array.from({ length: 20_000 }, (_, n) => slotOf(n)))
  await eventually(() => service.streams.size === 0)
  await assert.rejects(stream.text(), { code: 'ECONNRESET' })
})

test('ends a stream whose first page is read while the node is about to end', async (t) => {
  const service = await StreamService.start(t)
  const { promise, resolve } = Promise.withResolvers<void>()
  service.held = promise
  const opening = service.open()
  await eventually(() => service.streams.size === 1)
  service.streams.close()
  resolve()
  const stream = await opening
  await stream.text()
  await eventually(() => service.streams.size === 0)
})

test('answers HEAD without a stream, and counts a stream when it begins', async (t) => {
  const service = await StreamService.start(t)
  const { response } = await service.open('', { method: 'HEAD' })
  assert.deepEqual([response.statusCode, response.headers['content-type']], [200, 'text/event-stream'])
  const stream = await service.open()
  await stream.next()
  const { logged } = service.meter.drain() ?? { logged: [] }
  assert.deepEqual(
    logged.map(({ status }) => status),
    [200, 200],
  )
  stream.close()
  await eventually(() => service.streams.size === 0)
  assert.equal(service.meter.drain(), undefined)
})
