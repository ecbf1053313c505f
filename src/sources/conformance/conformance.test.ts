import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SOURCE_FORMATS } from '../connector.ts'
import { conformance } from './conformance.test-part.ts'
import { FORMATS } from './formats.test-part.ts'

test('the suite knows every format', () => {
  assert.deepEqual(new Set(FORMATS.map(({ format }) => format)), new Set(SOURCE_FORMATS))
})

for (const format of FORMATS) conformance(format)
