import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listServices, listStates } from './list-spread.ts'

const FACETS = {
  total: 12,
  state: [{ value: 'MA', count: 9 }],
  isVirtual: { true: 0, false: 12 },
  serviceType: [{ code: '57', count: 7 }],
  specialty: [{ value: 'Dermatology', count: 4 }],
  day: [],
}

test('says that there are values beyond those that are listed', async () => {
  const ask = async () => ({
    body: { ...FACETS, others: { state: 3, serviceType: 5, specialty: 0, day: 0 } },
    header: () => undefined,
  })
  const states = await listStates.run({}, ask)
  assert.match(states.text, /^MA: 9\nMore states, with 3 slots, are not listed: use more filters\.$/m)
  assert.equal(states.structured.unlisted, 3)
  const services = await listServices.run({}, ask)
  assert.match(services.text, /^57: no name, 7\nMore service types, with 5 slots, are not listed: use more filters\.$/m)
  assert.doesNotMatch(services.text, /More specialties/)
  assert.deepEqual(services.structured.unlisted, { services: 5, specialties: 0 })
})
