import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** The root of the checkout; paths below are from here, with `/` between their parts. */
export const ROOT = join(import.meta.dirname, '../..')

/** What was made from what: kept beside the result. */
export interface BuiltFrom {
  readonly hash: string
  /** What the bundler read outside the folders of `INPUTS`. */
  readonly others: readonly string[]
}

/** Files and folders that decide the result, whatever the bundler reads beside them. The lock file stands for all packages. */
const INPUTS = ['dashboard', 'docs', 'SECURITY.md', 'CHANGELOG.md', 'package-lock.json']

/** Written by the build, or by a package manager. */
const SKIPPED = new Set(['node_modules', 'dist', '.build'])

/** SHA-256 over the names and bytes of all inputs. Reads about 200 small files: some 20 ms. A file that is gone counts as empty. */
export function fingerprint(others: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of [...INPUTS.flatMap(filesIn), ...others].sort()) {
    const bytes = readIfThere(join(ROOT, path))
    hash.update(`${path}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex')
}

/** Of absolute file names, those that `fingerprint()` does not read by itself. */
export function othersAmong(files: Iterable<string>): string[] {
  const paths = [...files].map((file) => relative(ROOT, file).split(sep).join('/'))
  return [...new Set(paths)]
    .filter((path) => !path.startsWith('..') && !path.includes('node_modules/'))
    .filter((path) => !INPUTS.some((input) => path === input || path.startsWith(`${input}/`)))
    .sort()
}

function filesIn(path: string): string[] {
  const entries = readdirIfFolder(join(ROOT, path))
  if (entries === undefined) return [path]
  return entries
    .filter((entry) => !SKIPPED.has(entry.name))
    .flatMap((entry) => (entry.isDirectory() ? filesIn(`${path}/${entry.name}`) : [`${path}/${entry.name}`]))
}

function readdirIfFolder(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return undefined
  }
}

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}
