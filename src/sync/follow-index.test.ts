import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeyRing } from '../keys/key-ring.ts'
import { mintApiKey } from '../keys/mint-key.ts'
import { runAtOnce } from '../lib/steps.ts'
import { MINUTE_MS } from '../lib/time.ts'
import type { Offering, SlotStatus } from '../slot/slot.ts'
import { ContentSender } from '../slot-index/content-transfer.ts'
import { IndexBuilder } from '../slot-index/index-builder.ts'
import { KnownSources } from '../slot-index/known-sources.ts'
import { SlotIndex } from '../slot-index/slot-index.ts'
import { IndexFollower } from './follow-index.ts'

const OFFERING: Offering = { publisher: 'clinic', scheduleId: 's', isVirtual: false }

/** A state with new offerings, which are indexed in slices. */
function sentContent(builder = new IndexBuilder(), sender = new ContentSender(), revision = 1) {
  builder.begin(revision === 1)
  const offerings = Array.from({ length: 20_000 }, (_, n) => ({
    id: revision * 100_000 + n,
    offering: { ...OFFERING, scheduleId: `${revision} ${n}` },
  }))
  builder.putOfferings(offerings)
  return sender.pack(runAtOnce(builder.commit({ store: 1, revision, atMs: 0 })))
}

function slotUntil(endMs: number, status: SlotStatus = 'free') {
  const times = { start: new Date(0).toISOString(), end: new Date(endMs).toISOString() }
  const json = JSON.stringify({ id: String(endMs).padStart(24, '0'), status, ...times }).slice(0, -1)
  return { status, startMs: 0, endMs, offeringId: 1, json }
}

test('applies keys immediately while slots are queued', async () => {
  const keyRing = new KeyRing()
  const follower = new IndexFollower(new SlotIndex(), keyRing)
  const { secret, key } = mintApiKey({ organizationId: 'org', name: 'default' }, 0)
  await follower.take({ kind: 'keys', keys: [key], whole: true })
  let isShown = false
  const waiting = follower.take({ kind: 'slots', content: sentContent() }).then(() => {
    isShown = true
  })
  await follower.take({ kind: 'keys', keys: [{ ...key, revokedAtMs: 1 }], whole: false })
  assert.equal(isShown, false)
  assert.equal(keyRing.find(secret, 2), undefined)
  await waiting
})

test('ignores a state that builds on one that it has not received, until it is sent everything', async () => {
  const index = new SlotIndex()
  const follower = new IndexFollower(index, new KeyRing())
  const [builder, sender] = [new IndexBuilder(), new ContentSender()]
  sentContent(builder, sender, 1)
  await follower.take({ kind: 'slots', content: sentContent(builder, sender, 2) })
  assert.deepEqual([index.revision, follower.isReady], [0, false])
  sender.reset()
  await follower.take({ kind: 'slots', content: sender.pack(builder.content) })
  assert.equal(index.revision, 2)
})

test('rejects a state with a part that it has not received, ignores those that build on it, and shows the next whole one', async () => {
  const index = new SlotIndex()
  const follower = new IndexFollower(index, new KeyRing())
  const [builder, sender] = [new IndexBuilder(), new ContentSender()]
  const sentSlot = (revision: number) => {
    builder.begin(revision === 1)
    builder.putOfferings([{ id: 1, offering: OFFERING }])
    // The run of the state that is lost is not merged with later ones.
    builder.put([slotUntil(revision * MINUTE_MS, revision === 2 ? 'busy' : 'free')])
    return sender.pack(runAtOnce(builder.commit({ store: 1, revision, atMs: 0 })))
  }
  const [first, , third, fourth] = [1, 2, 3, 4].map(sentSlot)
  await follower.take({ kind: 'slots', content: first })
  const taken = [third, fourth].map((content) => follower.take({ kind: 'slots', content }))
  const ends = await Promise.allSettled(taken)
  assert.deepEqual(
    ends.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
  assert.equal(index.revision, 1)
  sender.reset()
  await follower.take({ kind: 'slots', content: sender.pack(builder.content) })
  assert.deepEqual([index.revision, index.length], [4, 4])
})

test('prepares for the next requests by its clock: leaves out a slot that has ended', async () => {
  const [index, builder] = [new SlotIndex(), new IndexBuilder()]
  let nowMs = 0
  const follower = new IndexFollower(index, new KeyRing(), new KnownSources(), () => nowMs)
  await follower.prepare()
  builder.begin(true)
  builder.putOfferings([{ id: 1, offering: OFFERING }])
  builder.put([1, 2].map((minutes) => slotUntil(minutes * MINUTE_MS)))
  const content = runAtOnce(builder.commit({ store: 1, revision: 1, atMs: 0 }))
  await follower.take({ kind: 'slots', content: new ContentSender().pack(content) })
  const versions = [index.version]
  for (nowMs of [MINUTE_MS - 1, MINUTE_MS, 2 * MINUTE_MS]) {
    await follower.prepare()
    versions.push(index.version)
  }
  assert.deepEqual(versions, ['1.1.2', '1.1.2', '1.1.1', '1.1.0'])
})
