import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** The maximum gzipped size of the API reference's script, which only that page loads, after its text. */
export const REFERENCE_BYTES_MAX = 1_050_000

/**
 * The browser bundle of the npm package `@scalar/api-reference` 1.46.4, unchanged. Vendored because the package would
 * install 150 MB of dependencies for this one file (docs/decisions/0014).
 */
const VENDORED = {
  file: join(import.meta.dirname, '../vendor/scalar-api-reference-1.46.4.js'),
  sha256: '81b8d2bdab4a42ab81465386441b9a0f928b68631364360f00e8cce620cc1efb',
}

/**
 * Writes Scalar's script below `<folder>/assets`, named by its hash like every other asset. Returns its path on the site.
 * Throws if the vendored file was changed or if the script exceeds its budget.
 */
export function writeReferenceScript(folder: string): string {
  const script = Buffer.from(withoutEval(readVendored()))
  const bytes = gzipSync(script, { level: 9 }).length
  if (bytes > REFERENCE_BYTES_MAX)
    throw new Error(
      `Cannot build: the API reference's script has ${bytes} bytes gzipped, the maximum is ${REFERENCE_BYTES_MAX}`,
    )
  const hash = createHash('sha256').update(script).digest('base64url').slice(0, 8)
  const path = `assets/scalar-${hash}.js`
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(folder, path), script)
  return `/${path}`
}

/** Throws if the file's SHA-256 is not the recorded one. */
export function readVendored({ file, sha256 } = VENDORED): string {
  const bytes = readFileSync(file)
  const actual = createHash('sha256').update(bytes).digest('hex')
  if (actual !== sha256)
    throw new Error(`Cannot build: ${file} was changed: its SHA-256 is ${actual}, ${sha256} is recorded`)
  return bytes.toString()
}

/** How the bundled validation library tests whether it may compile functions from strings. */
const PROBE = 'try{return new Function(""),!0}catch(e){return!1}'

/**
 * The site's content security policy forbids compiling strings, and each visitor's browser would report the attempt as a
 * violation. So the result replaces the probe. Throws unless the probe occurs exactly once.
 */
export function withoutEval(script: string): string {
  const parts = script.split(PROBE)
  if (parts.length !== 2)
    throw new Error(
      `Cannot build: the API reference's script must contain the eval probe once, it has ${parts.length - 1}`,
    )
  return parts.join('return!1')
}
