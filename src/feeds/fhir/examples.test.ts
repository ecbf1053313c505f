import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type FeedFolder, fixtureFeed, recordedFeed } from '../../../test/support/feeds/recorded-feeds.ts'
import { asObject } from '../../lib/json.ts'
import { Directory, isDirectoryResourceType } from './directory.ts'
import { readSlot } from './read-slot.ts'

for (const feed of [recordedFeed('fhir-r4-examples'), fixtureFeed('teaching-hospital')]) {
  test(`reads FHIR R4 resources of every type: ${feed.name}`, { skip: feed.skip }, () => readResources(feed))
}

function readResources({ folder }: FeedFolder): void {
  const directory = new Directory('hl7', false)
  const slots: Record<string, unknown>[] = []
  for (const file of readdirSync(folder)) {
    const resource = asObject(JSON.parse(readFileSync(join(folder, file), 'utf8'))) ?? {}
    if (isDirectoryResourceType(resource.resourceType)) directory.put(resource.resourceType, resource)
    else slots.push(resource)
  }
  const read = slots.map((slot) => readSlot(slot, directory))
  assert.deepEqual(read.map((slot) => slot?.status).sort(), ['busy', 'busy-tentative', 'busy-unavailable', 'free'])
  assert.deepEqual(
    read.map((slot) => slot?.offering.scheduleId),
    ['example', 'example', 'example', 'example'],
  )
}
