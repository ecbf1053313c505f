import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectYoungGarbage } from './collect-garbage.ts'

const BUFFERS = 100
const BUFFER_BYTES = 65_536
const NEVER_NOTIFIED = new Int32Array(new SharedArrayBuffer(4))
const WAIT_MS = 50
/** Longer in sum than a thread waits for a core of a busy machine. */
const WAITS_MAX = 200

function allocate(): number {
  let length = 0
  for (let n = 0; n < BUFFERS; n++) length += new Uint8Array(BUFFER_BYTES).length
  return length
}

test('frees the buffers that were allocated last', () => {
  collectYoungGarbage()
  const before = process.memoryUsage().arrayBuffers
  assert.equal(allocate(), BUFFERS * BUFFER_BYTES)
  assert.ok(process.memoryUsage().arrayBuffers >= before + BUFFERS * BUFFER_BYTES)
  collectYoungGarbage()
  // A thread of V8 frees them. This one must wait without work, which would lead to a collection, too.
  const isFreed = () => process.memoryUsage().arrayBuffers < before + (BUFFERS * BUFFER_BYTES) / 2
  for (let waits = 0; waits < WAITS_MAX && !isFreed(); waits++) Atomics.wait(NEVER_NOTIFIED, 0, 0, WAIT_MS)
  assert.ok(isFreed())
})
