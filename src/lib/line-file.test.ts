import assert from 'node:assert/strict'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../../test/support/temp-folder.ts'
import { endsInLine } from './line-file.ts'

test('tells whether the last line is whole', (t) => {
  const folder = tempFolder(t)
  const path = join(folder, 'lines')
  const ends = ['', 'one\n', 'one\ntwo', '\n'].map((text) => {
    writeFileSync(path, text)
    const file = openSync(path, 'r')
    const isWhole = endsInLine(file)
    closeSync(file)
    return isWhole
  })
  assert.deepEqual(ends, [true, true, false, true])
})
