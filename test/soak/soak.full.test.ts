import assert from 'node:assert/strict'
import { test } from 'node:test'
import { growthIn } from './judge-soak.ts'
import { soak } from './soak.ts'

const DAYS = Number(process.env.SOAK_DAYS ?? 3)

test(`${DAYS} days of syncs, keys, requests and events leave memory, handles and the store flat`, async () => {
  const result = await soak(DAYS)
  assert.deepEqual(growthIn(result), [])
  assert.deepEqual(result.errors, [])
  assert.deepEqual(result.syncs, { 'clinic ok': DAYS * 24, 'renewed ok': DAYS * 24 })
  assert.ok(result.callers.events >= DAYS, `${result.callers.events} events`)
})
