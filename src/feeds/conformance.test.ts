import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conformance } from '../../test/support/feeds/conformance/conformance.ts'
import { FORMATS } from '../../test/support/feeds/conformance/formats.ts'
import { SOURCE_FORMATS } from '../shared/source-vocabulary.ts'

test('the suite knows every format', () => {
  assert.deepEqual(new Set(FORMATS.map(({ format }) => format)), new Set(SOURCE_FORMATS))
})

for (const { name, run, timeout = Number.POSITIVE_INFINITY } of FORMATS.flatMap(conformance))
  test(name, { timeout }, run)
