import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeyRing } from '../keys/key-ring.ts'
import { mintApiKey } from '../keys/mint-key.ts'
import { SlotIndex } from '../slot-index/slot-index.ts'
import { IndexFollower } from './follow-index.ts'

test('applies keys immediately while slots are queued', async () => {
  const keyRing = new KeyRing()
  const follower = new IndexFollower(new SlotIndex(), keyRing, () => 0)
  const { secret, key } = mintApiKey({ organizationId: 'org', name: 'default' }, 0)
  await follower.take({ kind: 'keys', keys: [key], whole: true })
  const waiting = follower.take({ kind: 'begin', whole: true })
  void follower.take({ kind: 'keys', keys: [{ ...key, revokedAtMs: 1 }], whole: false })
  assert.equal(keyRing.find(secret, 2), undefined)
  await waiting
})

test('still applies keys after an invalid change of slots', async () => {
  const keyRing = new KeyRing()
  const follower = new IndexFollower(new SlotIndex(), keyRing, () => 0)
  await assert.rejects(follower.take({ kind: 'deleted', ids: new Uint8Array() }), /no "begin" message came before it/)
  const { secret, key } = mintApiKey({ organizationId: 'org', name: 'default' }, 0)
  await follower.take({ kind: 'keys', keys: [key], whole: true })
  assert.equal(keyRing.find(secret, 1)?.id, key.id)
})
