import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTempStore } from '../../test/support/store/temp-store.ts'
import { HOUR_MS } from '../lib/time.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { SubscriptionChanges } from './subscription-changes.ts'

test('an expired subscription is resumed only with another expiry', async (t) => {
  const store = await openTempStore(t)
  const { id: organizationId } = await store.organizations.create('Good Health')
  let nowMs = Date.now()
  const encrypt = async (text: string) => text
  const changes = new SubscriptionChanges({
    subscriptions: store.subscriptions,
    encrypt,
    allowPrivate: false,
    max: 10,
    now: () => nowMs,
  })
  const expiresAt = new Date(nowMs + HOUR_MS).toISOString()
  const input = { url: 'https://receiver.example/', filters: {}, expiresAt }
  const { subscription } = await changes.create(input, { organizationId, by: COMMAND_LINE })
  const of = { id: subscription.id, organizationId }
  const edit = (change: object) => changes.edit(of, change, COMMAND_LINE)
  nowMs += HOUR_MS
  await assert.rejects(edit({ status: 'active' }), {
    parameter: 'status',
    message: `status must not be active: the subscription expired at ${expiresAt}. Change expiresAt as well.`,
  })
  assert.equal((await edit({ description: 'Boston' }))?.description, 'Boston')
  assert.equal((await edit({ status: 'active', expiresAt: null }))?.status, 'pending')
  assert.equal((await edit({ status: 'active' }))?.status, 'pending')
  assert.equal(await changes.edit({ id: 'sub_0', organizationId }, { status: 'active' }, COMMAND_LINE), undefined)
})
