import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runAtOnce } from '../lib/steps.ts'
import type { Offering } from '../slot/slot.ts'
import { OfferingTable } from './offering-table.ts'

test('has the states of each offering, of any country', () => {
  const table = new OfferingTable()
  const offering = (state: string | undefined, serviceStates: readonly string[] = []): Offering => ({
    publisher: 'p',
    scheduleId: 's',
    isVirtual: serviceStates.length > 0,
    serviceTypeCode: '124',
    ...(state !== undefined && { location: { state } }),
    ...(serviceStates.length > 0 && { serviceStates }),
  })
  const offerings = [offering('MA'), offering('CA-ON', ['MA', 'AU-NSW']), offering(undefined)]
  runAtOnce(table.put(table.pack(offerings)))
  assert.deepEqual(
    offerings.map((_, number) => table.statesOf(number).sort()),
    [['MA'], ['AU-NSW', 'CA-ON', 'MA'], []],
  )
})
