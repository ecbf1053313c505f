import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from './support/source-files.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** Paths of files in code spans: they have a folder. */
function filesIn(text: string): string[] {
  return [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*)`/g)].map(([, path]) => path)
}

test('docs/threat-model.md names existing files, and a test for every threat', () => {
  const page = read('docs/threat-model.md')
  for (const path of filesIn(page)) assert.ok(existsSync(join(ROOT, path)), path)
  const [, threats] = page.split('\n## Threats\n')
  const rows = threats
    .split('\n## ')[0]
    .split('\n')
    .filter((line) => /^\| (?!---|threat )/.test(line))
  assert.ok(rows.length >= 20)
  for (const row of rows) assert.match(row.split('|')[3], /`(src|test)\/[\w./-]+`/, row)
})
