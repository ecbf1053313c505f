import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byteBlock, COPY_SLACK, copyBytes } from './byte-block.ts'

const SIZE = 40

test('copies any range to any place, and nothing else but the slack changes', () => {
  const source = byteBlock(Buffer.from(Uint8Array.from({ length: SIZE }, (_, n) => n + 1)))
  for (let from = 0; from <= SIZE; from++) {
    for (let to = from; to <= SIZE; to++) {
      const target = byteBlock(Buffer.alloc(SIZE + 2 * COPY_SLACK))
      const end = copyBytes(source, from, to, target, 3)
      assert.equal(end, 3 + to - from)
      assert.deepEqual(target.bytes.subarray(3, end), source.bytes.subarray(from, to))
      assert.ok(target.bytes.subarray(0, 3).every((byte) => byte === 0))
      assert.ok(target.bytes.subarray(end + COPY_SLACK - 1).every((byte) => byte === 0))
    }
  }
})
