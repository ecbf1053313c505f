import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ADDRESSES_PER_KEY,
  type AddressUse,
  EMPTY_USAGE,
  LOGGED_PER_DRAIN,
  loggedPerKey,
  mergeUsage,
} from './usage-batch.ts'

const usesOf = (keyId: string, from: number, to: number): AddressUse[] =>
  Array.from({ length: to - from }, (_, n) => ({ keyId, address: `2001:db8::${from + n}`, atMs: from + n }))

test('keeps the most recently seen addresses of each key when batches are merged', () => {
  const earlier = { ...EMPTY_USAGE, addresses: [...usesOf('busy', 0, 40), ...usesOf('quiet', 0, 3)] }
  const later = { ...EMPTY_USAGE, addresses: usesOf('busy', 30, 60) }
  const again = { keyId: 'busy', address: '2001:db8::0', atMs: 100 }
  const { addresses } = mergeUsage(mergeUsage(earlier, later), { ...EMPTY_USAGE, addresses: [again] })
  const byKey = Map.groupBy(addresses, ({ keyId }) => keyId)
  assert.deepEqual(byKey.get('busy'), [again, ...usesOf('busy', 61 - ADDRESSES_PER_KEY, 60).reverse()])
  assert.deepEqual(byKey.get('quiet'), usesOf('quiet', 0, 3).reverse())
})

test('adds the referrals of a publisher on a day when batches are merged', () => {
  const referral = { dayMs: 0, publisher: 'p', count: 2 }
  const batch = { ...EMPTY_USAGE, referrals: [referral, { ...referral, publisher: 'q' }] }
  const { referrals } = mergeUsage(batch, { ...EMPTY_USAGE, referrals: [{ ...referral, count: 3 }] })
  assert.deepEqual(referrals, [
    { ...referral, count: 5 },
    { ...referral, publisher: 'q' },
  ])
})

test('keeps a request of each key, of however many', () => {
  assert.equal(loggedPerKey(Array.from({ length: LOGGED_PER_DRAIN + 1 }, () => 3)), 1)
})
