import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatFileName, parseFileName } from './feed-file.ts'

test('reads the file names that it writes, also of regions outside the US', () => {
  const [revision, variant] = [{ store: 7, revision: 31 }, 'k3x0']
  for (const state of [undefined, 'MA', 'CA-ON', 'JP-13']) {
    const name = formatFileName({ file: { type: 'Slot', state }, revision, variant })
    assert.deepEqual(parseFileName(name), { file: { type: 'Slot', state }, revision, variant }, name)
  }
  for (const name of ['Slot-M~1.2f.ndjson', 'Slot-CA-~1.2f.ndjson', 'Location-CA-ON~1.2f.ndjson'])
    assert.equal(parseFileName(name), undefined, name)
})
