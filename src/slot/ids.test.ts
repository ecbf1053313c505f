import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorKeyOf } from './ids.ts'
import type { Offering } from './slot.ts'

const OFFERING: Offering = {
  publisher: 'north',
  scheduleId: 'a',
  isVirtual: false,
  location: { name: 'Clinic', addressLine: ['1 Main St'], city: 'Boston', state: 'MA', postalCode: '02114' },
  provider: { name: 'Dr. Ellery', npi: '1346271483' },
}

test('is equal for all offerings of one provider at one location, in any letter case', () => {
  const key = actorKeyOf(OFFERING)
  assert.match(key, /^[0-9a-v]{24}$/)
  const others: Offering[] = [
    { ...OFFERING, scheduleId: 'b', serviceTypeCode: '57', isVirtual: true, bookingPhone: '1' },
    {
      ...OFFERING,
      location: { ...OFFERING.location, city: 'BOSTON', phone: ['1'], latitude: 1, longitude: 2 },
    },
    { ...OFFERING, provider: { name: 'Amara Ellery', npi: '1346271483', specialty: 'Dermatology' } },
  ]
  for (const other of others) assert.equal(actorKeyOf(other), key)
})

test('differs by publisher, provider and each part of the location', () => {
  const { location, provider } = OFFERING
  const different: Offering[] = [
    OFFERING,
    { ...OFFERING, publisher: 'south' },
    { ...OFFERING, provider: { ...provider, npi: '1679576722' } },
    { ...OFFERING, provider: { name: 'Dr. Ellery' } },
    { ...OFFERING, provider: { name: '1346271483' } },
    { ...OFFERING, provider: { name: 'Dr. Other' } },
    { ...OFFERING, location: { ...location, name: 'Other' } },
    { ...OFFERING, location: { ...location, addressLine: ['2 Main St'] } },
    { ...OFFERING, location: { ...location, addressLine: ['1 Main St', 'Floor 2'] } },
    { ...OFFERING, location: { ...location, city: 'Salem' } },
    { ...OFFERING, location: { ...location, state: 'NH' } },
    { ...OFFERING, location: { ...location, postalCode: '02115' } },
    { publisher: 'north', scheduleId: 'a', isVirtual: true },
  ]
  assert.equal(new Set(different.map(actorKeyOf)).size, different.length)
})
