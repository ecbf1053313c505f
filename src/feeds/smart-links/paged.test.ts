import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifest, ndjson, type Published, Publisher } from '../../../test/support/feeds/publisher.ts'
import { Follower, feed, slot } from '../../../test/support/feeds/smart-links-reader.ts'

const nextPage = (url: string) => ({ link: [{ relation: 'next', url }] })
const idsOf = (follower: Follower) => follower.draft.slots.map(({ start }) => start.slice(11, 13)).sort()
const at = (hour: number) => ({ start: `2026-03-21T${hour}:00:00-04:00`, end: `2026-03-21T${hour}:15:00-04:00` })

const paged = (): Record<string, Published> => ({
  ...feed(),
  '/$bulk-publish': manifest({ '/x1': 'Slot' }, nextPage('/2')),
  '/x1': ndjson(slot('a', at(10)), slot('b', at(11))),
  '/2': manifest({ '/l': 'Location', '/s': 'Schedule' }, nextPage('/3')),
  '/3': manifest({ '/x2': 'Slot' }, { manifestType: 'x' }),
  '/x2': ndjson(slot('c', at(12))),
})

test('reads all pages as one snapshot, wherever slots and schedules are listed', async () => {
  await using publisher = await Publisher.open(paged())
  const follower = await Follower.afterRead(publisher)
  assert.deepEqual(idsOf(follower), ['10', '11', '12'])
  assert.deepEqual(follower.draft.rejected, [])
})

test('fails as a whole if a page does', async () => {
  await using publisher = await Publisher.open(paged())
  delete publisher.files['/3']
  const failure = { name: 'FeedFailure', message: /Cannot read http:\S+\/3: status must be 200: got "404"/ }
  await assert.rejects(new Follower(publisher).read(), failure)
  publisher.files['/3'] = manifest({}, nextPage('/2'))
  await assert.rejects(new Follower(publisher).read(), /its pages must not lead back to http:\S+\/2/)
})
