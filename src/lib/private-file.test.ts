import assert from 'node:assert/strict'
import { chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../../test/support/temp-folder.ts'
import { createPrivateFile, ensurePrivateFile, ensurePrivateFolder } from './private-file.ts'

const SKIP = { skip: process.getuid?.() !== 0 && 'needs root' }

test('only the owner can read what is created, and a file is created once', (t) => {
  const folder = join(tempFolder(t), 'a/b')
  ensurePrivateFolder(folder)
  ensurePrivateFolder(folder)
  const file = join(folder, 'file')
  createPrivateFile(file)
  ensurePrivateFile(file)
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.throws(() => createPrivateFile(file), { code: 'EEXIST' })
})

test('files and folders that root creates have the owner of the folder above', SKIP, (t) => {
  const home = tempFolder(t)
  chownSync(home, 1234, 5678)
  ensurePrivateFolder(join(home, 'data/new'))
  ensurePrivateFile(join(home, 'data/new/file'))
  for (const path of ['data', 'data/new', 'data/new/file']) {
    const { uid, gid } = statSync(join(home, path))
    assert.deepEqual([uid, gid], [1234, 5678])
  }
})
