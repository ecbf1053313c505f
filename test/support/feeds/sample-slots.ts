import { DIRECTORY_TYPES, directoryLines } from '../../../demo/sample-directory.ts'
import { formatSlotLine, SampleFeed } from '../../../demo/sample-feed.ts'
import { Directory, isDirectoryResourceType } from '../../../src/feeds/fhir/directory.ts'
import { parseResource } from '../../../src/feeds/fhir/parse-resource.ts'
import { readSlot } from '../../../src/feeds/fhir/read-slot.ts'
import type { Slot } from '../../../src/slot/slot.ts'
import { NOW_MS } from './republisher.ts'

/** The slots of the demo as our own reader reads them, as slots of the publisher `sample`. */
export function sampleSlots(count: number): Slot[] {
  const feed = new SampleFeed(count, 1)
  const directory = new Directory('sample', true)
  for (const type of DIRECTORY_TYPES) {
    for (const line of directoryLines(type, feed.states)) {
      const resource = parseResource(line, true)
      if (isDirectoryResourceType(resource.resourceType)) directory.put(resource.resourceType, resource)
    }
  }
  return feed.states.flatMap(({ state: { code } }) =>
    [...feed.slots(code, NOW_MS)].flatMap((slot) => {
      const read = readSlot(parseResource(formatSlotLine(slot, 'https://clinic.example'), true), directory)
      return read === undefined ? [] : [read]
    }),
  )
}
