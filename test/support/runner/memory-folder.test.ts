import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { memoryFolder } from './memory-folder.ts'

test('a folder in memory can be entered by all users, and programs in it run', (t) => {
  const folder = memoryFolder()
  if (folder === undefined) return t.skip('there is no file system in memory with 4 GB')
  t.after(() => rmSync(folder, { recursive: true }))
  assert.equal(statSync(folder).mode & 0o777, 0o755)
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\necho runs', { mode: 0o755 })
  assert.equal(execFileSync(program, { encoding: 'utf8' }), 'runs\n')
})
