import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { collectYoungGarbage } from './collect-garbage.ts'

const BUFFERS = 100
const BUFFER_BYTES = 65_536

function allocate(): number {
  let length = 0
  for (let n = 0; n < BUFFERS; n++) length += new Uint8Array(BUFFER_BYTES).length
  return length
}

test('frees the buffers that were allocated last', async () => {
  collectYoungGarbage()
  const before = process.memoryUsage().arrayBuffers
  assert.equal(allocate(), BUFFERS * BUFFER_BYTES)
  assert.ok(process.memoryUsage().arrayBuffers >= before + BUFFERS * BUFFER_BYTES)
  collectYoungGarbage()
  // A thread of V8 frees them.
  await eventually(() => process.memoryUsage().arrayBuffers < before + (BUFFERS * BUFFER_BYTES) / 2)
})
