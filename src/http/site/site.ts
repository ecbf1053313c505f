import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { UNNAMED_SERVICE } from '../../shared/service-identity.ts'
import type { StaticFile, StaticFiles } from '../show-file.ts'
import { type Addresses, dashboardPrefix, fillIn } from './fill-in.ts'
import { guessPage, namedPages } from './guess-page.ts'
import { redirectsOf } from './redirects.ts'
import {
  CACHING,
  compressedContents,
  compressFile,
  plainContents,
  redirectFile,
  siteFile,
  withGeolocation,
} from './site-file.ts'

/**
 * The built site in memory. Paths are looked up in a table, never on the disk.
 *
 *     site/index.html, site/docs.html, site/docs/<page>.html    /, /docs, /docs/<page>
 *     site/<anything else>                                      /<anything else>
 *     site/404.html                                             the page that browsers get with a 404
 *     site/status.html                                          the frame of the status page
 *     app.html                                                  /app and everything below it
 *     `redirectsOf()`                                           addresses that people try
 *     assets/*, favicon.svg …                                   by name; assets are immutable
 */
export class Site implements StaticFiles {
  readonly #files: ReadonlyMap<string, StaticFile>
  readonly #pages: ReturnType<typeof namedPages>
  readonly #compressed = new Set<StaticFile>()
  #compressing: Promise<unknown> = Promise.resolve()

  /** Use `readSite()`. */
  constructor(files: ReadonlyMap<string, StaticFile>) {
    this.#files = files
    this.#pages = namedPages(files)
  }

  /** The first request for a file begins to compress it, one file after the other. */
  find(path: string): StaticFile | undefined {
    const file = this.#files.get(path) ?? (path.startsWith('/app/') ? this.#files.get('/app') : undefined)
    if (file === undefined || path === NOT_FOUND || path === STATUS) return undefined
    if (file.contents.br === undefined && !this.#compressed.has(file)) {
      this.#compressed.add(file)
      this.#compressing = this.#compressing.then(() => compressFile(file))
    }
    return file
  }

  guess(path: string): ReturnType<typeof guessPage> {
    return guessPage(path, this.#pages)
  }

  get notFound(): StaticFile | undefined {
    return this.#files.get(NOT_FOUND)
  }

  get statusFrame(): StaticFile | undefined {
    return this.#files.get(STATUS)
  }

  /** Resolves when nothing is being compressed. */
  async stop(): Promise<void> {
    await this.#compressing
  }
}

const NOT_FOUND = '/404'
const STATUS = '/status'
/** The page of the dashboard that shows what is near. */
const EXPLORE = '/app/explore'

/** Reads the folder that `npm run build` writes. Without it, every page explains how to build it. */
export async function readSite(folder: string, addresses: Addresses): Promise<Site> {
  const isSecure = addresses.baseUrl.startsWith('https:')
  const names = await listFiles(folder)
  if (!names.includes('app.html')) return new Site(missingSite(isSecure))
  const files = new Map<string, StaticFile>()
  const compressed = new Set(names.filter((name) => /^assets\/.+\.(?:br|gz)$/.test(name)))
  for (const name of names.filter((name) => !compressed.has(name))) {
    const caching = cachingOf(name)
    const read = (suffix = '') => readFile(join(folder, name + suffix))
    const contents = compressed.has(`${name}.br`)
      ? compressedContents(await read('.br'), await read('.gz'))
      : plainContents(caching === CACHING.forever ? await read() : fillIn(name, await read(), addresses))
    files.set(pathOf(name), siteFile(name, contents, { caching, isSecure }))
  }
  for (const [path, location] of Object.entries(redirectsOf(addresses.service ?? UNNAMED_SERVICE))) {
    const prefix = location.startsWith('/app/') ? dashboardPrefix(addresses) : ''
    files.set(path, redirectFile(prefix + location, { isSecure }))
  }
  const app = files.get('/app')
  if (app !== undefined) files.set(EXPLORE, withGeolocation(app))
  return new Site(files)
}

/** Relative names with `/`, without dot files; empty if the folder does not exist. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return []
    },
  )
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
}

function pathOf(name: string): string {
  if (!name.startsWith('site/')) return `/${name.replace(/\.html$/, '')}`
  const page = name.slice('site'.length).replace(/\.html$/, '')
  return page === '/index' ? '/' : page
}

function cachingOf(name: string): string {
  if (name.startsWith('assets/')) return CACHING.forever
  return name === 'app.html' || name === 'site/404.html' ? CACHING.never : CACHING.whileUnchanged
}

const NOT_BUILT = `Scheduling Slots is running, and /v1 is available.

Its pages have not been built yet. To build them:

    npm run build

and start the service again.
`

function missingSite(isSecure: boolean): ReadonlyMap<string, StaticFile> {
  const page = siteFile('not-built.txt', plainContents(Buffer.from(NOT_BUILT)), {
    caching: CACHING.never,
    isSecure,
    status: 503,
  })
  return new Map(['/', '/docs', '/docs/errors', '/app'].map((path) => [path, page]))
}
