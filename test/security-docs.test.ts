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

test('docs/threat-model.md names a test that repeats the attack of each finding', () => {
  const rows = [...read('docs/threat-model.md').matchAll(/^\| (S\d+) \| .+? \| (.+) \|$/gm)]
  assert.deepEqual(
    rows.map(([, finding]) => finding),
    Array.from({ length: 25 }, (_, n) => `S${n + 1}`),
  )
  for (const [, finding, tests] of rows)
    for (const path of tests.split(', ')) assert.match(path, /^`(.+\.test\.ts|test\/support\/.+)`$/, finding)
})

/** Requirements of OWASP ASVS 5.0.0 at levels 1 and 2. */
const ASVS_ROWS = { 1: 70, 2: 183 }

test('docs/asvs.md judges each requirement once, names files that exist, and meets all of level 1', () => {
  const page = read('docs/asvs.md')
  const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) \| ([12]) \| (.+?) \| (\S+) \| (.+) \|$/gm)].map(
    ([, id, level, , outcome, why]) => ({ id, level, outcome, why }),
  )
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
  for (const [level, count] of Object.entries(ASVS_ROWS)) {
    const outcomes = ['met', 'part', 'no', 'n/a'].map(
      (outcome) => rows.filter((row) => row.level === level && row.outcome === outcome).length,
    )
    assert.equal(
      outcomes.reduce((sum, each) => sum + each),
      count,
    )
    assert.ok(page.includes(`| ${level} | ${outcomes.join(' | ')} |`), `level ${level}: ${outcomes}`)
    if (level === '1') assert.deepEqual(outcomes.slice(1, 3), [0, 0])
  }
  for (const { id, outcome, why } of rows) {
    const files = [...why.matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|tsx|md|json)|deploy\/\w+)`/g)].map(
      ([, path]) => path,
    )
    for (const path of files) assert.ok(existsSync(join(ROOT, path)), `${id}: ${path}`)
    if (outcome === 'met') assert.ok(files.length > 0, `${id} names no file`)
  }
})
