import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fillIndex } from '../../../../test/support/fill-index.ts'
import { ask, index, KEY, NOW_MS, SLOTS, sampleSlots } from '../../../../test/support/http/sample-server.ts'
import type { Slot } from '../../../slot/slot.ts'

const OWN: Partial<Slot>[] = [
  { identifier: [{ value: 'x-1' }] },
  { identifier: [{ value: 'x-1' }, { value: 'x-2' }] },
  { identifier: [{ system: 'clinic', value: 'x-1' }] },
  { bookingDeepLink: `https://clinic.example/${'x'.repeat(300)}`, identifier: [{ value: 'room' }] },
]

before(() => {
  const [, ...later] = sampleSlots(7)
  const slots = later.map((slot, n): Slot => {
    const details = n === 5 ? { resources: { Location: [{ identifier: [{ value: 'room' }] }] } } : {}
    return { ...slot, status: 'free', offering: { ...slot.offering, scheduleId: `s-${n}`, details }, ...OWN[n] }
  })
  fillIndex(index, slots, { nowMs: NOW_MS })
})

test('finds slots by their own identifiers and those of the resources behind them', async () => {
  for (const [search, found] of [
    ['identifier=%7Cx-1', 2],
    ['identifier=%7Cx-1&identifier=%7Cx-2', 2],
    ['identifier=%7Cx-1&identifier=clinic%7Cx-1', 3],
    ['identifier=%7Croom', 2],
    ['identifier=%7Croom&scheduleId=s-5', 1],
    ['identifier=clinic%7Cx-2', 0],
  ] as const) {
    for (const path of [SLOTS, '/v1/scheduling/facets']) {
      const { json } = await ask(`${path}?${search}`)
      assert.equal(json.total, found, `${path}?${search}`)
    }
    const { text } = await ask(`${SLOTS}?${search}`, { 'x-api-key': KEY, accept: 'application/x-ndjson' })
    assert.equal(text.split('\n').length - 1, found, search)
  }
})
