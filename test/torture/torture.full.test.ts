import assert from 'node:assert/strict'
import { test } from 'node:test'
import { torture } from './run-torture.ts'
import { openStreamingSite } from './streaming-site.ts'

const SECONDS = Number(process.env.TORTURE_SECONDS ?? 30)

test(`keeps its guarantees for ${SECONDS} s while nodes and primaries are killed`, async () => {
  const disasters = ['node', 'database', 'node', 'both', 'node', 'node', 'database'] as const
  await using site = await openStreamingSite('proxy', disasters)
  assert.deepEqual(await torture(site, SECONDS), [])
})
