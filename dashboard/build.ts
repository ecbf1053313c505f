import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assertWithinBudget, initialBytes } from './build/budget.ts'
import { type BuiltFrom, fingerprint, othersAmong } from './build/fingerprint.ts'
import { whileLocked } from './build/lock.ts'

/**
 * `npm run build`: makes `dashboard/dist/` out of the dashboard and the docs, or finds that nothing has changed.
 *
 *     dist/app.html          the shell of the dashboard: what /app and all below it answer
 *     dist/assets/           scripts, styles and the search index, named by their hash: may be kept for ever
 *     dist/favicon.svg …     whatever lies in public/, at the root of the address
 *     dist/site/             pages to be read without JavaScript: index.html is /, docs.html is /docs, docs/<name>.html is
 *                            /docs/<name>, docs/<name>.md beside it, docs.md, llms.txt, 404.html
 *     dist/.built-from       what it was made from
 *
 * `__BASE_URL__` in app.html and below site/ stands for the service's own address, which only the service knows.
 * It is made aside and put in place at the end, by one process at a time. `--quiet` says nothing where nothing was to do.
 */

const HERE = import.meta.dirname
const DIST = join(HERE, 'dist')
const WORK = join(HERE, '.build')

const quiet = process.argv.includes('--quiet')

if (await isCurrent()) say('Built already: nothing has changed.')
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
  // Whoever waited for another build finds its work done.
  if (await isCurrent()) return
  const startedAtMs = Date.now()
  const folder = join(WORK, `${process.pid}`, 'dist')
  try {
    const bytes = await buildInto(folder)
    await putInPlace(folder)
    const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1)
    console.error(
      `Built the dashboard and the docs in ${seconds} s: ${kilobytes(bytes)} of initial JavaScript.`,
    )
  } finally {
    await rm(join(WORK, `${process.pid}`), { recursive: true, force: true })
  }
}

/** The gzipped bytes of the dashboard's initial JavaScript. Throws if they are too many. */
async function buildInto(folder: string): Promise<number> {
  // What changes while this runs is built the next time.
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

/** A folder cannot be exchanged in one step, so there is none for a moment; the service reads it at its start only. */
async function putInPlace(folder: string): Promise<void> {
  const old = join(WORK, `${process.pid}`, 'old')
  await rename(DIST, old).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code !== 'ENOENT') throw fault
  })
  await rename(folder, DIST)
}

function say(line: string): void {
  if (!quiet) console.log(line)
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB (gzipped)`
}
