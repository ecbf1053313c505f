import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMsOf } from '../../test/support/cpu-time.ts'
import type { Offering } from '../slot/slot.ts'
import { Directory } from './fhir/directory.ts'
import { readSlot } from './fhir/read-slot.ts'
import { Offerings } from './files/record-fields.ts'
import { readSlotRecord } from './files/slot-record.ts'
import { InvalidData } from './rejections.ts'
import { boundedOffering } from './slot-bounds.ts'

const START = '2026-03-21T10:00:00-04:00'
const SLOT = { id: 'x', schedule: { reference: 'Schedule/s' }, status: 'free', start: START }

function directoryOf(line: string): Directory {
  const directory = new Directory('clinic', false)
  directory.put('Location', {
    id: 'l',
    address: { line: Array.from({ length: 20 }, (_, n) => `${n}${line}`), city: 'Salem', state: 'MA' },
  })
  directory.put('Schedule', { id: 's', actor: [{ reference: 'Location/l' }] })
  return directory
}

const READERS = {
  'a FHIR Slot': (end: string) => readSlot({ ...SLOT, end }, directoryOf('1 Main St')),
  'a record of a file': (end: string) => readSlotRecord({ start: START, end }, { offerings: new Offerings('clinic') }),
}

for (const [what, read] of Object.entries(READERS)) {
  test(`rejects ${what} of more than 36 hours`, () => {
    assert.equal(read('2026-03-22T21:59:59-04:00')?.endMs, Date.parse('2026-03-23T01:59:59Z'))
    assert.equal(read('2026-03-22T22:00:00-04:00')?.endMs, Date.parse('2026-03-23T02:00:00Z'))
    assert.throws(
      () => read('2026-03-22T22:00:00.001-04:00'),
      /^InvalidData: end must be at most 36 hours after start: got/,
    )
    assert.throws(() => read('2027-12-31T00:00:00Z'), InvalidData)
  })
}

/** An offering of so many bytes as JSON. */
const sized = (bytes: number): Offering => {
  const empty = { publisher: 'clinic', scheduleId: 's', isVirtual: false, location: { name: '', city: 'Salem' } }
  const name = `é${'x'.repeat(bytes - 2 - Buffer.byteLength(JSON.stringify(empty)))}`
  return { ...empty, location: { ...empty.location, name } }
}

test('an offering has at most 4096 bytes of JSON', () => {
  for (const size of [4095, 4096]) {
    const offering = sized(size)
    assert.equal(boundedOffering(offering), offering)
  }
  assert.equal(
    String(boundedOffering(sized(4097))),
    'InvalidData: location, provider and service must be at most 4096 bytes of JSON together: got 4097. Shorten location.name, which has 4004',
  )
})

test('rejects each slot of a Location that is too large, in reasonable time', async () => {
  const directory = directoryOf('x'.repeat(1900))
  const end = '2026-03-21T10:30:00-04:00'
  const ms = await cpuMsOf(() => {
    for (let n = 0; n < 1000; n++) {
      assert.throws(
        () => readSlot({ ...SLOT, id: `x${n}`, end }, directory),
        /must be at most 4096 bytes of JSON together: got \d+\. Shorten location\./,
      )
    }
  })
  assert.ok(ms < 2000, `${ms} ms`)
})

test('rejects a record of a file with an offering that is too large', () => {
  const offerings = new Offerings('clinic')
  const record = { start: START, end: START, location: { name: 'x'.repeat(900), addressLine: 'y'.repeat(900) } }
  assert.equal(readSlotRecord(record, { offerings })?.status, 'free')
  const website = `https://clinic.example/${'z'.repeat(1900)}`
  const large = { ...record, location: { ...record.location, website }, provider: { name: 'p'.repeat(900) } }
  for (let n = 0; n < 2; n++) assert.throws(() => readSlotRecord(large, { offerings }), /Shorten location\.website/)
})
