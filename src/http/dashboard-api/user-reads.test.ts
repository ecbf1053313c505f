import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DashboardApiHarness, ORIGIN, plain } from '../../../test/support/dashboard-api/dashboard-api-harness.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { USER_READS_MAX } from './route.ts'

test('runs few reads of a user at once, those of other users meanwhile, and none that nobody waits for', async (t) => {
  const waiting: (() => void)[] = []
  const harness = await DashboardApiHarness.open(t, {
    queryNode: async () => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      return plain(200, { slots: [], total: 0 })
    },
  })
  for (const id of ['ann', 'bob']) await harness.addPerson(id)
  const gone = new AbortController()
  const read = (as: string, signal?: AbortSignal) =>
    harness.app.request(`${ORIGIN}/api/explore/slots`, { headers: { 'x-person': as }, ...(signal && { signal }) })
  const first = Array.from({ length: USER_READS_MAX }, () => read('ann'))
  await eventually(() => waiting.length === USER_READS_MAX)
  const abandoned = read('ann', gone.signal)
  const last = read('ann')
  const others = read('bob')
  await eventually(() => waiting.length === USER_READS_MAX + 1)
  gone.abort()
  for (const end of waiting.splice(0)) end()
  assert.deepEqual(
    (await Promise.all([...first, others])).map(({ status }) => status),
    Array.from({ length: USER_READS_MAX + 1 }, () => 200),
  )
  await eventually(() => waiting.length === 1)
  waiting[0]()
  assert.deepEqual([(await abandoned).status, (await last).status], [503, 200])
})
