import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** What the script of the reference may weigh, gzipped: it is loaded by that page alone, after its text. */
export const REFERENCE_BYTES_MAX = 1_050_000

/**
 * Writes Scalar's script, which holds all that it needs, below `<folder>/assets`, named by its hash as everything there.
 * Returns its address. Throws if it is larger than the budget, or another one than was looked through.
 */
export function writeReferenceScript(folder: string): string {
  const file = createRequire(import.meta.url).resolve('@scalar/api-reference/browser/standalone.js')
  const script = Buffer.from(withoutEval(readFileSync(file, 'utf8')))
  const bytes = gzipSync(script, { level: 9 }).length
  if (bytes > REFERENCE_BYTES_MAX)
    throw new Error(
      `Cannot build: the reference's script must be at most ${REFERENCE_BYTES_MAX} bytes gzipped: got "${bytes}"`,
    )
  const hash = createHash('sha256').update(script).digest('base64url').slice(0, 8)
  const path = `assets/scalar-${hash}.js`
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(folder, path), script)
  return `/${path}`
}

/** How the library that checks values in it finds out whether it may make functions of texts. */
const PROBE = 'try{return new Function(""),!0}catch(e){return!1}'

/**
 * The site's policy forbids to make functions of texts. The script would find that out by trying, which every visitor's browser
 * reports as a breach of the policy; so it is told. Throws if the place where it tries is not there, or not alone.
 */
export function withoutEval(script: string): string {
  const parts = script.split(PROBE)
  if (parts.length !== 2)
    throw new Error(
      `Cannot build: the reference's script must probe for eval once: got "${parts.length - 1}"`,
    )
  return parts.join('return!1')
}
