import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecordedDraft } from '../../../test/support/feeds/recorded-draft.ts'
import { place, schedule, slot } from '../../../test/support/feeds/smart-links-reader.ts'
import type { EncodedSlot } from '../../slot/slot.ts'
import { Directory } from '../fhir/directory.ts'
import { SlotFiles } from './slot-files.ts'

/** More than the thread and its parent keep. */
const OFFERINGS = 100_500

class AppointmentTypes extends RecordedDraft {
  readonly all: (string | undefined)[] = []

  putEncoded({ offering }: EncodedSlot): void {
    this.all.push(offering.appointmentType)
  }
}

test('reads a feed with another offering in each slot in a thread', async () => {
  const directory = new Directory('clinic', false)
  directory.put('Location', place('l1'))
  directory.put('Schedule', schedule('s1', 'l1'))
  const draft = new AppointmentTypes()
  const signal = new AbortController().signal
  const reader = new SlotFiles({ directory, draft, lineKey: 'key', signal, hereBytesMax: -1 })
  const types = Array.from({ length: OFFERINGS }, (_, n) => `type ${n}`)
  async function* body(): AsyncGenerator<Buffer> {
    for (const text of types)
      yield Buffer.from(`${JSON.stringify(slot(text.slice(5), { appointmentType: { text } }))}\n`)
  }
  await reader.read({ url: 'https://clinic.example/x1', types: ['Slot'], part: 1 }, body(), false)
  await reader.close()
  assert.deepEqual(draft.all, types)
})
