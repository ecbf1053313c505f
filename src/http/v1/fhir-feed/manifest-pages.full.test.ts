import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertSame, follow } from '../../../../test/support/http/follow-directory.ts'
import { slotsInRegions } from '../../../../test/support/http/many-states.ts'
import { checkFeed } from '../../../validator/check-feed.ts'
import { webFeed } from '../../../validator/web-feed.ts'

test('a second instance reads all pages of a manifest, and follows the updates after the last one', async (t) => {
  const slots = slotsInRegions(250)
  const { service, reader } = await follow(t, slots)
  assert.equal((await reader.slots()).length, 250)
  assert.equal(service.asked.filter((path) => path.includes('/manifest~')).length, 1)
  await service.publish(slots.slice(0, 240))
  service.asked = []
  assert.equal((await reader.sync()).outcome.removed, 10)
  assert.equal(service.asked.includes('/fhir/$bulk-publish'), false)
  await assertSame(t, { service, reader })
})

test('the conformance check reads all pages of a manifest and finds nothing more than on one', async (t) => {
  const reports = [3, 250].map(async (regions) => {
    const { service } = await follow(t, slotsInRegions(regions))
    const feed = webFeed(service.manifestUrl, { allowPrivate: true }, AbortSignal.timeout(60_000))
    const { conformance, lines } = await checkFeed(feed, { profile: 'slot-directory' })
    assert.equal(lines.served, regions)
    return conformance?.statements.filter(({ result }) => result === 'not-met').map(({ id }) => id)
  })
  // The clock, the slots and the address of this service are those of a test.
  const [ofOnePage, ofPages] = await Promise.all(reports)
  assert.deepEqual(ofPages, ofOnePage)
})
