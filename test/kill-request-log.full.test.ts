import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { openStore } from '../src/store/open-store.ts'
import { eventually } from './support/eventually.ts'
import { RunningService } from './support/running-service.ts'

const KILLS = 2
const REQUESTS = 40

test('a killed service keeps every request that was stored, and its log and counts agree', async (t) => {
  await using service = await RunningService.prepare()
  Object.assign(service.env, { WORKERS: '2' })
  const key = await service.createKey()
  const store = await openStore(String(service.env.DATABASE_URL))
  t.after(() => store.close())
  const [{ id: organizationId }] = await store.organizations.list()
  const stored = async () =>
    (await store.requestLog.list({ organizationId }, { limit: 10_000 })).map(({ requestId }) => requestId)
  const ask = async (id: string) => {
    const headers = { 'x-api-key': key, 'x-request-id': id }
    await (await fetch(`${service.origin}/v1/scheduling/slots?limit=1`, { headers })).arrayBuffer()
  }

  const kept = new Set<string>()
  for (let kill = 0; kill < KILLS; kill++) {
    const child = service.launch()
    await eventually(async () => (await fetch(`${service.origin}/readyz`).catch(() => undefined))?.ok)
    const ids = Array.from({ length: REQUESTS }, (_, n) => `kill-${kill}-${n}`)
    await Promise.all(ids.map(ask))
    await eventually(async () => isSubset(ids, await stored()))
    for (const id of ids) kept.add(id)
    // Killed while requests arrive and batches are written.
    const late = Promise.allSettled(ids.map((id) => ask(`late-${id}`)))
    child.kill('SIGKILL')
    await once(child, 'exit')
    await late
    await service.stop()
    assert.ok(isSubset([...kept], await stored()), `kill ${kill}`)
  }
  const entries = await store.requestLog.list({ organizationId }, { limit: 10_000 })
  assert.deepEqual(
    entries.map(({ entry }) => entry),
    entries.map((_, n) => entries.length - n),
  )
  const hours = await store.usage.hours({ organizationId, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER })
  const leftOut = await store.requestLog.leftOut({ organizationId })
  assert.equal(
    hours.reduce((sum, { requests }) => sum + requests, 0),
    entries.length + leftOut,
  )
})

function isSubset(ids: readonly string[], of: readonly string[]): boolean {
  return new Set(ids).isSubsetOf(new Set(of))
}
