import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { tempFolder } from '../../test/support/temp-folder.ts'
import { whileLocked } from './lock.ts'

test('runs one function at a time and removes the lock', async (t) => {
  const lock = join(tempFolder(t), 'lock')
  let inside = 0
  let most = 0
  const enter = async () => {
    most = Math.max(most, ++inside)
    await turn()
    inside--
  }
  await Promise.all([whileLocked(lock, enter), whileLocked(lock, enter), whileLocked(lock, enter)])
  assert.equal(most, 1)
  assert.ok(!existsSync(lock))
})

test('releases the lock after an error', async (t) => {
  const lock = join(tempFolder(t), 'lock')
  await assert.rejects(
    whileLocked(lock, () => Promise.reject(new Error('broke'))),
    /broke/,
  )
  assert.equal(await whileLocked(lock, async () => 7), 7)
})

test('takes over the lock of a dead process', async (t) => {
  const lock = join(tempFolder(t), 'lock')
  mkdirSync(lock)
  writeFileSync(join(lock, 'pid'), String(spawnSync(process.execPath, ['--version']).pid))
  assert.equal(await whileLocked(lock, async () => 7), 7)
})
