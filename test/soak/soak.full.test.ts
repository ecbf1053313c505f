import assert from 'node:assert/strict'
import { test } from 'node:test'
import { growthIn } from './judge-soak.ts'
import { soak } from './soak.ts'

const DAYS = Number(process.env.SOAK_DAYS ?? 3)

test(`${DAYS} days of syncs, keys, requests and events leave memory, handles and the store flat`, async () => {
  const result = await soak(DAYS)
  assert.deepEqual(growthIn(result.samples), [])
  assert.deepEqual(result.errors, [])
  const syncs = DAYS * 24 + 1
  assert.deepEqual(result.syncs, {
    'source="clinic",outcome="ok"': syncs,
    'source="renewed",outcome="ok"': syncs,
  })
  assert.ok(result.callers.events >= DAYS, `${result.callers.events} events`)
})
