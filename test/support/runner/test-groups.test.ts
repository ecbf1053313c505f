import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../source-files.ts'
import { tempFolder } from '../temp-folder.ts'
import { groupTests } from './test-groups.ts'

test('groups files that can share a process, and runs each file once', (t) => {
  const folder = tempFolder(t)
  const alone = ['test/browser/newcomer.test.ts', 'src/lib/periodic.test.ts', 'src/store/sqlite/sqlite-store.test.ts']
  const together = ['src/lib/text.test.ts', 'src/keys/key-form.test.ts']
  const entries = groupTests([...together, ...alone], folder)
  assert.deepEqual(
    entries.map(({ files }) => files),
    [together.toSorted(), ...alone.map((path) => [path])],
  )
  const [group] = entries
  const imports = readFileSync(resolve(ROOT, group.path), 'utf8').match(/[^"]+\.test\.ts/g)
  assert.deepEqual(
    imports,
    together.toSorted().map((path) => join(ROOT, path)),
  )
})
