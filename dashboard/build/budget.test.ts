import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Manifest } from 'vite'
import { assertWithinBudget, assertWithoutSchemas, sizeOf } from './budget.ts'

let folder: string

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'budget-'))
  for (const name of ['a.js', 'b.js', 'c.js', 'later.js']) writeFileSync(join(folder, name), `// ${name}`)
})

after(() => rmSync(folder, { recursive: true, force: true }))

const MANIFEST: Manifest = {
  'app.html': { file: 'a.js', imports: ['b', '_parts-1.js'], dynamicImports: ['later'] },
  b: { file: 'b.js', imports: ['_parts-1.js'] },
  '_parts-1.js': { file: 'c.js', imports: ['b'] },
  later: { file: 'later.js' },
}

test('counts files and their static imports once, and no dynamic imports', () => {
  const bytes = ['a.js', 'b.js', 'c.js'].map((name) => gzipSync(`// ${name}`, { level: 9 }).length)
  const expected = { files: 3, bytes: bytes[0] + bytes[1] + bytes[2] }
  assert.deepEqual(sizeOf(folder, MANIFEST, ['app.html', 'b']), expected)
  assert.equal(assertWithinBudget(folder, MANIFEST), expected.bytes)
})

test('refuses a first frame of more than 120 kB', () => {
  writeFileSync(join(folder, 'large.js'), randomBytes(120_000))
  const manifest = { ...MANIFEST, b: { file: 'large.js' } }
  assert.throws(() => assertWithinBudget(folder, manifest), /The first frame loads 3 script files of 120\d{3} bytes/)
})

test('refuses a page of more than ten files, and keys of more than eight', () => {
  const imports = Array.from({ length: 6 }, (_, n) => `part-${n}`)
  for (const name of imports) writeFileSync(join(folder, name), name)
  const parts = Object.fromEntries(imports.map((name) => [name, { file: name }]))
  const page = (source: string, more: number) => ({ [source]: { file: 'later.js', imports: imports.slice(0, more) } })
  const check = (pages: Manifest) => assertWithinBudget(folder, { ...MANIFEST, ...parts, ...pages })
  check({ ...page('src/pages/usage/UsagePage.tsx', 6), ...page('src/pages/keys/KeysPage.tsx', 4) })
  assert.throws(() => check(page('src/pages/keys/KeysPage.tsx', 5)), /KeysPage.tsx loads 9 script files/)
  writeFileSync(join(folder, 'part-6'), 'one more')
  const eleven = { file: 'later.js', imports: [...imports, 'part-6'] }
  const usage = { 'src/pages/usage/UsagePage.tsx': eleven, 'part-6': { file: 'part-6' } }
  assert.throws(() => check(usage), /UsagePage.tsx loads 11 script files of \d+ bytes gzipped; the budget is 10 files/)
})

test('refuses zod in the browser', () => {
  assertWithoutSchemas(['/repo/node_modules/react/index.js', '/repo/src/shared/key-sorts.ts'])
  assert.throws(() => assertWithoutSchemas(['/repo/node_modules/zod/index.js']), /import types alone/)
})
