import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { asObject } from '../../lib/json.ts'
import { Directory, isDirectoryType } from './directory.ts'
import { readSlot } from './read-slot.ts'

/** HL7's own examples, kept beside the project where there are any. */
const EXAMPLES = new URL('../../../../shared/feeds/fhir-r4-examples/', import.meta.url)
const skip = existsSync(EXAMPLES) ? false : 'the official FHIR R4 examples are not here'

test('reads the official FHIR R4 examples of every type', { skip }, () => {
  const directory = new Directory('hl7', false)
  const slots: Record<string, unknown>[] = []
  for (const file of readdirSync(EXAMPLES)) {
    const resource = asObject(JSON.parse(readFileSync(new URL(file, EXAMPLES), 'utf8'))) ?? {}
    if (isDirectoryType(resource.resourceType)) directory.put(resource.resourceType, resource)
    else slots.push(resource)
  }
  const read = slots.map((slot) => readSlot(slot, directory))
  assert.deepEqual(read.map((slot) => slot?.status).sort(), [
    'busy',
    'busy-tentative',
    'busy-unavailable',
    'free',
  ])
  assert.deepEqual(
    read.map((slot) => slot?.offering.scheduleId),
    ['example', 'example', 'example', 'example'],
  )
})
