import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Offering } from '../../../slot/slot.ts'
import { DIRECTORY_TYPES, resourcesOf, scheduleIdOf } from './offering-resources.ts'

const OFFERING: Offering = {
  publisher: 'north',
  scheduleId: 'a',
  isVirtual: true,
  modalities: ['in-person', 'virtual'],
  location: { name: 'Clinic', state: 'MA' },
  serviceStates: ['NH'],
  provider: { name: 'Dr. Ellery', specialty: 'Dermatology', npi: '1346271483' },
}

test('the schedule id ignores fields that slots carry and depends on all others', () => {
  const id = scheduleIdOf(OFFERING)
  for (const own of [{ appointmentType: 'x' }, { acceptingPatients: 'newpt' as const }, { bookingPhone: '1' }])
    assert.equal(scheduleIdOf({ ...OFFERING, ...own }), id)
  for (const other of [{ scheduleId: 'b' }, { serviceTypeCode: '1' }, { serviceStates: [] }, { publisher: 'south' }])
    assert.notEqual(scheduleIdOf({ ...OFFERING, ...other }), id)
})

test('shares equal resources within one publisher and never between publishers', () => {
  for (const type of DIRECTORY_TYPES) {
    const ids = (offering: Offering) => resourcesOf(offering, type).map(({ id }) => id)
    const south = new Set(ids({ ...OFFERING, publisher: 'south' }))
    assert.ok(ids(OFFERING).length > 0)
    assert.deepEqual(
      ids(OFFERING).filter((id) => south.has(id)),
      [],
    )
    if (type !== 'Schedule') assert.deepEqual(ids({ ...OFFERING, scheduleId: 'b' }), ids(OFFERING))
  }
})

test('writes a physical and a virtual Location for both service modes, and one physical Location for one mode', () => {
  const places = (modalities: Offering['modalities'], location = OFFERING.location) => {
    const { location: _, ...rest } = OFFERING
    const offering = { ...rest, ...(modalities && { modalities }), ...(location && { location }) }
    return resourcesOf(offering, 'Location').map(({ physicalType }) => JSON.stringify(physicalType).slice(-6, -4))
  }
  assert.deepEqual(places(['in-person', 'virtual']), ['ph', 'vi'])
  assert.deepEqual(places(['in-person']), ['ph'])
  assert.deepEqual(places(['virtual']), ['ph'])
})

test('includes every actor of a schedule and the resources that roles reference', () => {
  const [schedule] = resourcesOf(OFFERING, 'Schedule')
  const [role] = resourcesOf(OFFERING, 'PractitionerRole')
  const [practitioner] = resourcesOf(OFFERING, 'Practitioner')
  const references = [
    ...resourcesOf(OFFERING, 'Location').map(({ id }) => ({ reference: `Location/${id}` })),
    { reference: `PractitionerRole/${role.id}` },
  ]
  assert.deepEqual(schedule.actor, references)
  assert.deepEqual(role.practitioner, { reference: `Practitioner/${practitioner.id}` })
})
