import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { REFERENCE_BYTES_MAX, withoutEval, writeReferenceScript } from './reference-script.ts'

test("the reference's script is one file below /assets, within its budget, and makes no function of a text", (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'reference-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = writeReferenceScript(folder)
  assert.match(path, /^\/assets\/scalar-[\w-]{8}\.js$/)
  const script = readFileSync(join(folder, path))
  assert.ok(gzipSync(script, { level: 9 }).length <= REFERENCE_BYTES_MAX)
  assert.doesNotMatch(script.toString(), /new Function\(|[^.\w]eval\(|import\(["'`]http/)
  assert.equal(writeReferenceScript(folder), path)
})

test('refuses a script that probes for eval in another way', () => {
  assert.equal(withoutEval('a(()=>{try{return new Function(""),!0}catch(e){return!1}})'), 'a(()=>{return!1})')
  assert.throws(() => withoutEval('a()'), /must probe for eval once: got "0"/)
})
