import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { RevocationLog } from './revocation-log.ts'

const MODULE = new URL('revocation-log.ts', import.meta.url).href

/** Appends an entry that is longer than the files of the process may be. */
const APPEND = `
  const { RevocationLog } = await import(${JSON.stringify(MODULE)})
  const entry = { kind: 'organization.suspended', id: 'one', atMs: 1, reason: 'x'.repeat(9000) }
  new RevocationLog(process.argv[1]).append([entry])`

test('an entry that is only partly written is an error, and does not spoil the next', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'revocations-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'log')
  const command = 'ulimit -f 4; exec "$0" --input-type=module -e "$1" "$2"'
  await assert.rejects(promisify(execFile)('sh', ['-c', command, process.execPath, APPEND, path]))
  const log = new RevocationLog(path)
  assert.deepEqual(log.read(), [])
  const entry = { kind: 'account.resumed', id: 'two', atMs: 2 } as const
  log.append([entry])
  assert.deepEqual(log.read(), [entry])
})
