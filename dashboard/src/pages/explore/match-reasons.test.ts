import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiSlot } from './api-slot.ts'
import { distanceKm, distanceLabel, matchReasons } from './match-reasons.ts'

const SLOT: ApiSlot = {
  id: 'x',
  status: 'free',
  start: '2026-11-25T08:30:00-05:00',
  end: '2026-11-25T09:00:00-05:00',
  publisher: 'p',
  scheduleId: 's',
  isVirtual: true,
  modalities: ['in-person', 'virtual'],
  serviceTypeCode: '57',
  serviceTypes: [{ code: '57', display: 'Immunization' }, { code: '124', display: 'General Practice' }, { code: '9' }],
  location: { name: 'Copper Creek', city: 'Buffalo', state: 'NY', latitude: 42.89, longitude: -78.88 },
  serviceStates: ['CA', 'CA-ON', 'NY'],
}

const reasons = (asked: Parameters<typeof matchReasons>[1], slot = SLOT) =>
  matchReasons(slot, asked).map(({ text, match }) => `${text} ${match}`)

test('explains a place in another state by the license of its service', () => {
  assert.deepEqual(reasons({ state: 'CA' }), ['Also virtual, licensed in CA'])
  assert.deepEqual(reasons({ state: 'california' }), ['Also virtual, licensed in CA'])
  assert.deepEqual(reasons({ state: 'on' }), ['Also virtual, licensed in CA-ON'])
  assert.deepEqual(reasons({ state: 'CA' }, { ...SLOT, modalities: ['virtual', 'phone'] }), [
    'Virtual (phone), licensed in CA',
  ])
  assert.deepEqual(reasons({ state: 'CA' }, { ...SLOT, modalities: ['in-person'] }), ['Licensed in CA'])
  const [{ sentence }] = matchReasons(SLOT, { state: 'CA' })
  assert.equal(
    sentence,
    'Matches California: the service is also virtual and licensed there. The location is in New York.',
  )
})

test('gives no reason for what the row shows', () => {
  assert.deepEqual(reasons({ state: 'NY', serviceTypeCode: '57' }), [])
  assert.deepEqual(reasons({ specialty: 'DERMATOLOGY' }, { ...SLOT, provider: { specialty: 'Dermatology' } }), [])
  assert.deepEqual(reasons({}), [])
})

test('names values of which the row shows the first only', () => {
  assert.deepEqual(reasons({ serviceTypeCode: '124' }), ['Also General Practice (124)'])
  assert.deepEqual(reasons({ serviceTypeCode: '9' }), ['Also 9'])
  assert.deepEqual(reasons({ appointmentType: 'ROUTINE' }), ['Also appointment type ROUTINE'])
})

test('measures the distance from the point', () => {
  // Buffalo City Hall to Niagara Falls, New York: some 26 km.
  const km = distanceKm(SLOT, { near: '43.09,-79.06' })
  assert.ok(km !== undefined && Math.abs(km - 26.6) < 0.5, String(km))
  assert.equal(distanceKm(SLOT, { near: 'here' }), undefined)
  assert.equal(distanceKm(SLOT, {}), undefined)
  assert.equal(distanceKm({}, { near: '43.09,-79.06' }), undefined)
  assert.deepEqual([0, 0.852, 3.24, 140.4].map(distanceLabel), ['0 m', '850 m', '3.2 km', '140 km'])
})
