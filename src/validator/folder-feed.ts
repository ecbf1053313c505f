import { createReadStream } from 'node:fs'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { FeedFailure } from '../feeds/connector.ts'
import { asObject } from '../lib/json.ts'
import { errorMessage } from '../lib/text.ts'
import type { Feed, OpenedFile } from './feed.ts'
import { jsonLines } from './json-lines.ts'

/** Stands for the folder in URLs: relative ones in a manifest are resolved against it. */
const BASE = 'http://folder.invalid/'

const MANIFEST_NAMES = [
  '$bulk-publish',
  '%24bulk-publish',
  'bulk-publish',
  '$bulk-publish.json',
  'bulk-publish.json',
  'manifest.json',
]

/** A folder has not more files than a manifest lists. */
const FILES_MAX = 10_000

const MANIFEST_BYTES_MAX = 2 ** 24

/**
 * A feed in a folder, or a single file of one: a manifest, NDJSON (plain or gzip), a Bundle, a resource. A file that the
 * manifest lists is looked for by the end of its URL: `…/slots/NJ.ndjson` is `slots/NJ.ndjson`, `slots-NJ.ndjson` or
 * `NJ.ndjson`, each also with `.gz`. Throws `FeedFailure` if nothing is there.
 */
export async function folderFeed(path: string): Promise<Feed> {
  const found = await stat(path).catch((cause) => {
    throw new FeedFailure(`Cannot read ${path}: it must be a URL, a file or a folder${hintAt(path)}`, {
      cause,
    })
  })
  if (!found.isFile() && !found.isDirectory())
    throw new FeedFailure(`Cannot read ${path}: files are read twice, so it must be no pipe or device`)
  const folder = found.isDirectory() ? path : dirname(path)
  const given = found.isDirectory() ? undefined : basename(path)
  const names = await namesIn(folder, given !== undefined && !(await isManifest(path)) ? given : undefined)
  const manifest = given ?? MANIFEST_NAMES.find((name) => names.has(name))
  const isListed = manifest !== undefined && (await isManifest(join(folder, manifest)))
  const openPath = (name: string) => openLocal(folder, name)
  return {
    name: path,
    async open() {
      if (isListed)
        return { ...(await openPath(manifest)), base: new URL(encodeURIComponent(manifest), BASE) }
      const files = given === undefined ? [...names].filter((name) => READABLE.test(name)).sort() : [given]
      if (files.length > 0) return { names: files }
      throw new FeedFailure(
        `Cannot read ${path}: it must have a manifest, .ndjson or .json files: got "none"`,
      )
    },
    async openFile(nameOrUrl) {
      const name = isListed ? localNameOf(nameOrUrl, names) : nameOrUrl
      return name === undefined ? undefined : openPath(name)
    },
    askAgain: async () => ({}),
    close() {},
  }
}

/** What somebody may have meant. */
function hintAt(path: string): string {
  const isHost = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/|$)/.test(path) && !READABLE.test(path)
  return isHost || /^[a-z]+:\/*/i.test(path) ? '; a URL begins with https:// or http://' : ''
}

const READABLE = /\.(?:ndjson|jsonl|json)(?:\.gz)?$/i

async function namesIn(folder: string, only: string | undefined): Promise<ReadonlySet<string>> {
  if (only !== undefined) return new Set([only])
  const all = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = all.filter((entry) => entry.isFile()).slice(0, FILES_MAX)
  return new Set(
    files.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')),
  )
}

/** The longest end of the URL's path that names a file. */
function localNameOf(url: string, names: ReadonlySet<string>): string | undefined {
  const parts = decoded(new URL(url).pathname).split('/').filter(Boolean)
  const ends = parts.flatMap((_, at) => [parts.slice(at).join('/'), parts.slice(at).join('-')])
  return ends.flatMap((end) => [end, `${end}.gz`]).find((name) => names.has(name))
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** A JSON object with `output`, whatever it is called. */
async function isManifest(path: string): Promise<boolean> {
  if (/\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(path)) return false
  if (MANIFEST_NAMES.includes(basename(path))) return true
  const { size } = await stat(path)
  if (size > MANIFEST_BYTES_MAX) return false
  try {
    const document = asObject(JSON.parse(await readFile(path, 'utf8')))
    return document?.output !== undefined && document.resourceType === undefined
  } catch {
    return false
  }
}

async function openLocal(folder: string, name: string): Promise<OpenedFile> {
  const path = join(folder, name)
  const begins = await beginningOf(path)
  const isZipped = begins[0] === 0x1f && begins[1] === 0x8b
  const isDocument = /\.json$/i.test(name) && !MANIFEST_NAMES.includes(name) && !(await isManifest(path))
  return { name, body: isDocument ? jsonLines(path) : bytesOf(path, isZipped) }
}

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path).catch((cause) => {
    throw new FeedFailure(`Cannot read ${path}: ${String(cause.message)}`, { cause })
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function* bytesOf(path: string, isZipped: boolean): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: 2 ** 18 })
  const stream = isZipped ? pipeline(file, createGunzip({ chunkSize: 2 ** 18 }), () => {}) : file
  try {
    for await (const piece of stream) yield piece
  } catch (cause) {
    throw new FeedFailure(`Cannot read ${path}: ${errorMessage(cause)}`, {
      cause,
    })
  } finally {
    stream.destroy()
    file.destroy()
  }
}
