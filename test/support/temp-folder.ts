import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** A new folder that is removed after the test. */
export function tempFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'slots-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
