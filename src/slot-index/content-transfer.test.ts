import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildIndex } from '../../test/support/fill-index.ts'
import { pausesOf } from '../../test/support/pauses.ts'
import { STEP_MASK } from '../lib/steps.ts'
import { ContentReceiver, ContentSender } from './content-transfer.ts'

test('a receiver prepares the search for terms with pauses, so that no request does', () => {
  const id = '0'.repeat(24)
  const entries = Array.from({ length: 3000 }, (_, n) => ({
    offering: { publisher: 'p', scheduleId: 's', isVirtual: false, location: { city: `City ${n}` } },
    slot: { status: 'free', startMs: n, endMs: n + 1, offeringId: n, json: `{"id":"${id}"` } as const,
  }))
  const offerings = new Map(entries.map(({ offering }, n) => [n, offering]))
  const slots = entries.map(({ slot }) => slot)
  const content = buildIndex({ offerings, slots })
  const { pauses, result } = pausesOf(new ContentReceiver().unpack(new ContentSender().pack(content)))
  assert.ok(pauses >= Math.floor(3000 / (STEP_MASK + 1)), `${pauses} pauses`)
  assert.notEqual(result?.tables.offerings.terms.find('Ccity 2999'), undefined)
})
