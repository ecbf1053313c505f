import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStore } from '../src/store/open-store.ts'
import { eventually } from './support/eventually.ts'
import { SampleService } from './support/sample-service.ts'

const REFERRALS = 12

test('the referrals of all serving threads are stored with their source, and kept when it stops', {
  timeout: 90_000,
}, async () => {
  await using sample = await SampleService.serve({ slots: 200, env: { WORKERS: '2' } })
  const { service, key } = sample
  const ask = (target: string) =>
    fetch(service.origin + target, {
      // A connection each, so that both threads get some.
      headers: { 'x-api-key': key, connection: 'close' },
      redirect: 'manual',
    })
  const { slots } = await (await ask('/v1/scheduling/slots?limit=1')).json()
  const [{ id, bookingDeepLink }] = slots
  for (let n = 0; n < REFERRALS; n++) {
    const response = await ask(`/v1/scheduling/slots/${id}/book?source=finder&bookingReferral=${n}`)
    assert.equal(response.status, 302)
    assert.equal(response.headers.get('location'), `${bookingDeepLink}?source=finder&booking-referral=${n}`)
  }
  const store = await openStore(String(service.env.DATABASE_URL))
  try {
    const count = () => store.usage.referrals('sample', 0)
    await eventually(async () => (await count()) === REFERRALS)
    await service.stop()
    assert.equal(await count(), REFERRALS)
  } finally {
    await store.close()
  }
})
