import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { endsInLine } from './line-file.ts'

test('tells whether the last line is whole', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'line-file-'))
  t.after(() => rmSync(folder, { recursive: true }))
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
