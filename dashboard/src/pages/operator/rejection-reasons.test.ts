import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindOfReason, reasonKinds } from './rejection-reasons.ts'

test('groups reasons that differ only in the value, the most frequent first', () => {
  const rejection = (reason: string) => ({ file: 'a', line: 1, reason, sample: '' })
  const kinds = reasonKinds([
    rejection('Slot.end must not be before its start: got "a"'),
    rejection('Slot.start must be an instant: got "x: got y"'),
    rejection('Slot.start must be an instant: got "z"'),
  ])
  assert.deepEqual(kinds, [
    { kind: 'Slot.start must be an instant', count: 2 },
    { kind: 'Slot.end must not be before its start', count: 1 },
  ])
  assert.equal(kindOfReason('No such Schedule'), 'No such Schedule')
})
