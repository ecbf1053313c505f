import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assertWithinBudget, initialBytes } from './build/budget.ts'
import { type BuiltFrom, fingerprint, othersAmong } from './build/fingerprint.ts'
import { whileLocked } from './build/lock.ts'

/**
 * `npm run build`: builds the dashboard and the docs into `dashboard/dist/` unless nothing has changed.
 *
 *     dist/app.html          the shell of the dashboard, served at /app and below
 *     dist/assets/           scripts, styles and the search index, named by hash: immutable
 *     dist/favicon.svg …     the files of public/, served at the root
 *     dist/site/             static pages: index.html is /, docs.html is /docs, docs/<name>.html is
 *                            /docs/<name>, docs/<name>.md beside it, docs.md, llms.txt, 404.html
 *     dist/.built-from       hash of the inputs
 *
 * The service replaces `__BASE_URL__` in app.html and site/ with its own address.
 * Builds into a temporary folder and renames it at the end, one process at a time. `--quiet` prints nothing if nothing has changed.
 */

const HERE = import.meta.dirname
const DIST = join(HERE, 'dist')
const WORK = join(HERE, '.build')

const quiet = process.argv.includes('--quiet')

if (await isCurrent()) log('The build is up to date.')
else {
  await mkdir(WORK, { recursive: true })
  await whileLocked(join(WORK, 'lock'), build)
}

async function isCurrent(): Promise<boolean> {
  const text = await readFile(join(DIST, '.built-from'), 'utf8').catch(() => undefined)
  if (text === undefined) return false
  const { hash, others } = JSON.parse(text) as BuiltFrom
  return hash === fingerprint(others)
}

async function build(): Promise<void> {
  // Another process may have finished the same build meanwhile.
  if (await isCurrent()) return
  const startedAtMs = Date.now()
  const folder = join(WORK, `${process.pid}`, 'dist')
  try {
    const bytes = await buildInto(folder)
    await putInPlace(folder)
    const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1)
    console.error(`Built the dashboard and the docs in ${seconds} s: ${kilobytes(bytes)} of initial JavaScript.`)
  } finally {
    await rm(join(WORK, `${process.pid}`), { recursive: true, force: true })
  }
}

/** Returns the gzipped size of the dashboard's initial JavaScript. Throws if it exceeds the budget. */
async function buildInto(folder: string): Promise<number> {
  // Changes during the build trigger the next build.
  const before = fingerprint([])
  const [{ bundle }, { renderSite }] = await Promise.all([
    import('./build/bundle.ts'),
    import('./build/render-site.ts'),
  ])
  const { manifest, files } = await bundle(folder)
  const bytes = initialBytes(folder, manifest, 'app.html')
  assertWithinBudget(bytes)
  renderSite(folder, manifest)
  const others = othersAmong(files)
  const unchanged = before === fingerprint([])
  const builtFrom: BuiltFrom = { hash: unchanged ? fingerprint(others) : 'changed while building', others }
  await writeFile(join(folder, '.built-from'), JSON.stringify(builtFrom))
  return bytes
}

/** Not atomic: `dist` is missing for a moment. The service reads it only at startup. */
async function putInPlace(folder: string): Promise<void> {
  const old = join(WORK, `${process.pid}`, 'old')
  await rename(DIST, old).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code !== 'ENOENT') throw fault
  })
  await rename(folder, DIST)
}

function log(line: string): void {
  if (!quiet) console.log(line)
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB (gzipped)`
}
