import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCHEDULING_LOCATION } from '../../../test/support/feeds/servers/oracle-server.ts'
import type { Json } from '../../lib/json.ts'
import { Directory } from './directory.ts'
import { readSlot } from './read-slot.ts'

/** A directory of two places, a doctor, and a Schedule of these actors. */
function directoryOf(...actors: string[]): Directory {
  const directory = new Directory('clinic', false)
  for (const [id, name, state] of [
    ['l1', 'Harbor Clinic', 'MA'],
    ['l2', 'Hill Clinic', 'NH'],
  ] as const)
    directory.put('Location', { id, name, address: { state } })
  directory.put('Practitioner', { id: 'p', name: [{ text: 'Dr. Lee' }] })
  directory.put('Schedule', { id: 's', actor: actors.map((reference) => ({ reference })) })
  return directory
}

function read(directory: Directory, place: Json) {
  const slot = readSlot(
    {
      id: 'x',
      status: 'free',
      schedule: { reference: 'Schedule/s' },
      start: '2026-03-21T10:00:00-04:00',
      end: '2026-03-21T10:15:00-04:00',
      extension: [{ url: SCHEDULING_LOCATION, ...place }],
    },
    directory,
  )
  const { location, provider } = slot?.offering ?? assert.fail()
  return [location?.name, location?.state, provider?.name]
}

const at = (reference: string) => ({ valueReference: { reference } })

test('the place of a slot is the Location of its extension scheduling-location', () => {
  assert.deepEqual(read(directoryOf('Practitioner/p'), at('Location/l2')), ['Hill Clinic', 'NH', 'Dr. Lee'])
})

test('the extension replaces the Location of the Schedule, slot by slot', () => {
  const directory = directoryOf('Location/l1', 'Practitioner/p')
  assert.deepEqual(read(directory, at('Location/l2')), ['Hill Clinic', 'NH', 'Dr. Lee'])
  assert.deepEqual(read(directory, at('Location/l1')), ['Harbor Clinic', 'MA', 'Dr. Lee'])
})

test('a place that is not in the feed, or no Location, leaves that of the Schedule', () => {
  const directory = directoryOf('Location/l1', 'Practitioner/p')
  for (const place of [at('Location/gone'), at('Practitioner/p'), {}, { valueReference: 'Location/l2' }]) {
    assert.deepEqual(read(directory, place), ['Harbor Clinic', 'MA', 'Dr. Lee'])
  }
})
