import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { REFERENCE_BYTES_MAX, readVendored, withoutEval, writeReferenceScript } from './reference-script.ts'

test('writes one script below /assets, within its budget, that compiles no strings', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'reference-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = writeReferenceScript(folder)
  assert.match(path, /^\/assets\/scalar-[\w-]{8}\.js$/)
  const script = readFileSync(join(folder, path))
  assert.ok(gzipSync(script, { level: 9 }).length <= REFERENCE_BYTES_MAX)
  assert.doesNotMatch(script.toString(), /new Function\(|[^.\w]eval\(|import\(["'`]http/)
  assert.equal(writeReferenceScript(folder), path)
})

test('rejects a vendored file that was changed', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vendored-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'scalar.js')
  writeFileSync(file, `${readVendored()} `)
  assert.throws(
    () => readVendored({ file, sha256: '81b8d2bdab4a42ab81465386441b9a0f928b68631364360f00e8cce620cc1efb' }),
    /scalar\.js was changed: its SHA-256 is [0-9a-f]{64}/,
  )
})

test('rejects a script that probes for eval in another way', () => {
  assert.equal(withoutEval('a(()=>{try{return new Function(""),!0}catch(e){return!1}})'), 'a(()=>{return!1})')
  assert.throws(() => withoutEval('a()'), /must contain the eval probe once, it has 0/)
})
