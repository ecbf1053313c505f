import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fillIndex } from '../../../../test/support/fill-index.ts'
import { ask, index, KEY, meter, NOW_MS, SLOTS, sampleSlots } from '../../../../test/support/http/sample-server.ts'
import { DAY_MS } from '../../../lib/time.ts'
import type { Slot } from '../../../slot/slot.ts'

const LINK = 'https://portal.example/book?slot=a%20b&sig=%7E#times'
const [ended, linked, phoned, busy] = sampleSlots(4)

before(() => {
  const slots: Slot[] = [
    { ...linked, bookingDeepLink: LINK },
    { ...busy, bookingDeepLink: LINK, status: 'busy' },
    { ...phoned, offering: { ...phoned.offering, bookingPhone: '+1-617-555-0121' } },
    ended,
  ]
  fillIndex(index, slots, { nowMs: NOW_MS })
  meter.drain()
})

test('redirects to the booking link with the parameters of the referral', async () => {
  const { status, headers, text } = await ask(`${SLOTS}/${linked.id}/book?source=finder.example&bookingReferral=r1`)
  const expected = 'https://portal.example/book?slot=a%20b&sig=%7E&source=finder.example&booking-referral=r1#times'
  assert.deepEqual([status, headers.location, text], [302, expected, ''])
  assert.deepEqual([headers['cache-control'], headers['content-length']], ['no-store', '0'])
  assert.ok(headers['x-request-id'])
})

test('identifies each referral by another UUID unless the caller does', async () => {
  const referralOf = async () => {
    const { headers } = await ask(`${SLOTS}/${busy.id}/book`)
    return new URL(String(headers.location)).searchParams
  }
  const [one, two] = [await referralOf(), await referralOf()]
  assert.equal(one.has('source'), false)
  assert.match(String(one.get('booking-referral')), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.notEqual(one.get('booking-referral'), two.get('booking-referral'))
})

test('redirects whatever Accept says', async () => {
  for (const accept of ['text/html', 'application/fhir+json'])
    assert.equal((await ask(`${SLOTS}/${linked.id}/book`, { accept, authorization: `Bearer ${KEY}` })).status, 302)
})

test('returns 404 with the phone number for a slot without a booking link, and 404 for an unknown slot', async () => {
  const { status, json } = await ask(`${SLOTS}/${phoned.id}/book`)
  assert.deepEqual([status, json.error], [404, 'No booking link'])
  assert.match(json.message, /provides none\. It can be booked by phone: \+1-617-555-0121\.$/)
  assert.match((await ask(`${SLOTS}/${ended.id}/book`)).json.message, /provides none\.$/)
  for (const id of ['0'.repeat(24), 'x', '%00', `${linked.id}/book`]) {
    const unknown = await ask(`${SLOTS}/${id}/book`)
    assert.deepEqual([unknown.status, unknown.json.error], [404, 'Not found'], id)
  }
})

test('requires a key, rejects other parameters and other methods', async () => {
  const path = `${SLOTS}/${linked.id}/book`
  assert.equal((await ask(path, {})).status, 401)
  for (const search of ['?source=', '?source=a&source=b', '?to=x', `?bookingReferral=${'a'.repeat(201)}`])
    assert.equal((await ask(path + search)).status, 400, search)
  assert.equal((await ask(path, undefined, 'POST')).status, 405)
})

test('counts the referrals to each publisher by day, and neither HEAD nor failures', async () => {
  meter.drain()
  const { publisher } = linked.offering
  await ask(`${SLOTS}/${linked.id}/book`)
  await ask(`${SLOTS}/${busy.id}/book`)
  assert.equal((await ask(`${SLOTS}/${linked.id}/book`, undefined, 'HEAD')).status, 302)
  await ask(`${SLOTS}/${phoned.id}/book`)
  const dayMs = NOW_MS - (NOW_MS % DAY_MS)
  assert.deepEqual(meter.drain()?.referrals, [{ publisher, dayMs, count: 2 }])
})
