import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../../test/support/temp-folder.ts'
import { codeFolder } from './code-folder.ts'

test('makes a folder that only this user can use, and finds it again', (t) => {
  const parent = tempFolder(t)
  const folder = codeFolder(parent)
  assert.ok(folder?.startsWith(join(parent, 'slots-code-')) === true)
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  assert.equal(codeFolder(parent), folder)
})

test('leaves a folder alone that others can write, and a link to a folder', (t) => {
  const parent = tempFolder(t)
  const shared = join(parent, 'slots-code-a')
  mkdirSync(shared)
  chmodSync(shared, 0o777)
  symlinkSync(tempFolder(t), join(parent, 'slots-code-b'))
  const folder = codeFolder(parent)
  assert.notEqual(folder, shared)
  assert.match(folder ?? '', /slots-code-\w{6}$/)
})

test('leaves a folder of another user alone', { skip: process.getuid?.() !== 0 && 'needs root' }, (t) => {
  const parent = tempFolder(t)
  const foreign = join(parent, 'slots-code-a')
  mkdirSync(foreign, { mode: 0o700 })
  chownSync(foreign, 65_534, 65_534)
  assert.notEqual(codeFolder(parent), foreign)
})

test('is undefined without a temporary folder', () => {
  assert.equal(codeFolder('/nonexistent'), undefined)
})
