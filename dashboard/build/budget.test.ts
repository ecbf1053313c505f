import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { assertWithinBudget, INITIAL_BYTES_MAX, initialBytes } from './budget.ts'

test('counts an entry and its static imports once, and no dynamic imports', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'budget-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['a.js', 'b.js', 'c.js', 'later.js']) writeFileSync(join(folder, name), `// ${name}`)
  const bytes = initialBytes(
    folder,
    {
      'app.html': { file: 'a.js', imports: ['b', 'c'], dynamicImports: ['later'] },
      b: { file: 'b.js', imports: ['c'] },
      c: { file: 'c.js', imports: ['b'] },
      later: { file: 'later.js' },
    },
    'app.html',
  )
  const expected = ['a.js', 'b.js', 'c.js'].map((name) => gzipSync(`// ${name}`, { level: 9 }).length)
  assert.equal(bytes, expected[0] + expected[1] + expected[2])
})

test('refuses one byte more than 250 kB', () => {
  assert.equal(INITIAL_BYTES_MAX, 250_000)
  assertWithinBudget(250_000)
  assert.throws(() => assertWithinBudget(250_001), /has 250001 bytes gzipped, more than the budget of 250000/)
})
