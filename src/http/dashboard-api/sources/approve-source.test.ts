import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DashboardApiHarness } from '../../../../test/support/dashboard-api/dashboard-api-harness.ts'
import { outcomeOf } from '../../../../test/support/store/conformance/samples.ts'

const CLINIC = { slug: 'clinic', url: 'https://clinic.example/$bulk-publish', strict: false }

async function openHeld(t: TestContext) {
  const harness = await DashboardApiHarness.open(t)
  const as = await harness.addPerson('op', { operator: true })
  const { id } = await harness.store.sources.add(CLINIC)
  const hold = async (slotCount: number) => {
    const writer = await harness.store.snapshots.begin(id, { owner: 'test', leaseMs: 60_000 })
    const anomalies = [{ kind: 'dropped', atMs: 5, before: 900, after: slotCount }] as const
    const outcome = outcomeOf({ outcome: 'held' })
    const held = { anomalies, slotCount, differsFromHeld: true }
    await writer?.abandon({ outcome, rejections: [], nextSyncAtMs: 9e15, held })
    return (await harness.store.sources.find('clinic'))?.watch.held?.sinceMs
  }
  const accept = (heldSinceMs: unknown) =>
    harness.ask('POST', '/api/operator/sources/clinic/accept', { as, body: { accept: true, heldSinceMs } })
  return { hold, accept }
}

test('an approval applies only to the snapshot that the operator reviewed', async (t) => {
  const { hold, accept } = await openHeld(t)
  assert.equal((await accept(null)).status, 200)
  const first = await hold(400)
  assert.equal((await accept(null)).status, 409)
  const second = await hold(100)
  const { status, body } = await accept(first)
  assert.equal(status, 409)
  assert.match(body.detail, /has changed since you reviewed it/)
  assert.equal((await accept('now')).status, 400)
  assert.equal((await accept(second)).body.accepting, true)
})

test('accepts the approval of the same snapshot by two operators', async (t) => {
  const { hold, accept } = await openHeld(t)
  const since = await hold(400)
  const answers = await Promise.all([accept(since), accept(since)])
  assert.deepEqual(
    answers.map(({ body }) => body.accepting),
    [true, true],
  )
})
