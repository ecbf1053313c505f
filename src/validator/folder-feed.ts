import { createReadStream } from 'node:fs'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { FeedFailure } from '../feeds/connector.ts'
import { asObject, objectsIn } from '../lib/json.ts'
import { hasSignature } from '../lib/signature.ts'
import { errorMessage } from '../lib/text.ts'
import type { Feed, OpenedFile } from './feed.ts'

/** The base of relative URLs in a manifest of a folder. */
const BASE = 'http://folder.invalid/'

const MANIFEST_NAMES = [
  '$bulk-publish',
  '%24bulk-publish',
  'bulk-publish',
  '$bulk-publish.json',
  'bulk-publish.json',
  'manifest.json',
]

/** The first files of a folder, as many as a manifest may list. */
const FILES_MAX = 10_000

const MANIFEST_BYTES_MAX = 2 ** 24

/**
 * A feed in a folder or a single file: a manifest; or NDJSON, a Bundle or a resource, plain or gzip. Listed files are found by
 * the end of their URL: `…/slots/NJ.ndjson` is `slots/NJ.ndjson`, `slots-NJ.ndjson` or `NJ.ndjson`, each also with `.gz`.
 * Throws `FeedFailure` if the path does not exist.
 */
export async function folderFeed(path: string): Promise<Feed> {
  const entry = await stat(path).catch((error) => {
    const message = `Cannot read ${path}: it must be a URL, a file or a folder${urlHint(path)}`
    throw new FeedFailure(message, { cause: error })
  })
  if (!entry.isFile() && !entry.isDirectory())
    throw new FeedFailure(`Cannot read ${path}: files are read twice, so pipes and devices are not supported`)
  const folder = entry.isDirectory() ? path : dirname(path)
  const given = entry.isDirectory() ? undefined : basename(path)
  const names = await namesIn(folder, given !== undefined && !(await isManifest(path)) ? given : undefined)
  const manifest = given ?? MANIFEST_NAMES.find((name) => names.has(name))
  const isListed = manifest !== undefined && (await isManifest(join(folder, manifest)))
  const openPath = (name: string) => openLocal(folder, name, isListed)
  return {
    name: path,
    async open() {
      if (isListed) return { ...(await openPath(manifest)), base: new URL(encodeURIComponent(manifest), BASE) }
      const files = given === undefined ? [...names].filter((name) => READABLE.test(name)).sort() : [given]
      if (files.length > 0) return { names: files }
      throw new FeedFailure(`Cannot read ${path}: the folder must have a manifest, .ndjson or .json files`)
    },
    async openPage(url) {
      const name = localNameOf(url.href, names)
      return name === undefined ? undefined : { ...(await openPath(name)), base: url }
    },
    async openFile(nameOrUrl) {
      const name = isListed ? localNameOf(nameOrUrl, names) : nameOrUrl
      return name === undefined ? undefined : openPath(name)
    },
    close() {},
  }
}

/** A hint for a URL without its scheme. */
function urlHint(path: string): string {
  const isHost = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/|$)/.test(path) && !READABLE.test(path)
  return isHost || /^[a-z]+:\/*/i.test(path) ? '; a URL begins with https:// or http://' : ''
}

const READABLE = /\.(?:ndjson|jsonl|json)(?:\.gz)?$/i

async function namesIn(folder: string, only: string | undefined): Promise<ReadonlySet<string>> {
  if (only !== undefined) return new Set([only])
  const all = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = all.filter((entry) => entry.isFile()).slice(0, FILES_MAX)
  return new Set(files.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')))
}

/** The longest end of the URL's path that names a file. */
function localNameOf(url: string, names: ReadonlySet<string>): string | undefined {
  const parts = decode(new URL(url).pathname).split('/').filter(Boolean)
  const ends = parts.flatMap((_, at) => [parts.slice(at).join('/'), parts.slice(at).join('-')])
  return ends.flatMap((end) => [end, `${end}.gz`]).find((name) => names.has(name))
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** True for a JSON object with `output` or `link`, regardless of its name. */
async function isManifest(path: string): Promise<boolean> {
  if (/\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(path)) return false
  if (MANIFEST_NAMES.includes(basename(path))) return true
  const { size } = await stat(path)
  if (size > MANIFEST_BYTES_MAX) return false
  try {
    const document = asObject(JSON.parse(await readFile(path, 'utf8')))
    return (document?.output ?? document?.link) !== undefined && document?.resourceType === undefined
  } catch {
    return false
  }
}

/** A file of a manifest is read as a sync reads it: by lines, whatever its name. */
async function openLocal(folder: string, name: string, isListed: boolean): Promise<OpenedFile> {
  const path = join(folder, name)
  const isGzip = hasSignature(await firstBytesOf(path), 'gzip')
  const isDocument = !isListed && /\.json(?:\.gz)?$/i.test(name) && !(await isManifest(path))
  const body = bytesOf(path, isGzip)
  return { name, body: isDocument ? jsonLines(path, body) : body }
}

async function firstBytesOf(path: string): Promise<Buffer> {
  const file = await open(path).catch((error) => {
    throw new FeedFailure(`Cannot read ${path}: ${errorMessage(error)}`, { cause: error })
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function* bytesOf(path: string, isGzip: boolean): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: 2 ** 18 })
  const stream = isGzip ? pipeline(file, createGunzip({ chunkSize: 2 ** 18 }), () => {}) : file
  try {
    yield* stream
  } catch (error) {
    throw new FeedFailure(`Cannot read ${path}: ${errorMessage(error)}`, { cause: error })
  } finally {
    stream.destroy()
    file.destroy()
  }
}

const DOCUMENT_BYTES_MAX = 2 ** 26

/**
 * The resources of a Bundle, an array or a single resource as lines, numbered by their position. Throws `FeedFailure` for
 * invalid JSON, or more than 64 MiB.
 */
async function* jsonLines(path: string, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of body) {
    pieces.push(piece)
    size += piece.length
    if (size > DOCUMENT_BYTES_MAX)
      throw new FeedFailure(`Cannot read ${path}: a JSON document must be at most ${DOCUMENT_BYTES_MAX} bytes`)
  }
  for (const resource of resourcesOf(parse(path, Buffer.concat(pieces).toString()))) yield lineOf(path, resource)
}

/** JSON.stringify recurses, unlike JSON.parse. */
function lineOf(path: string, resource: unknown): Buffer {
  try {
    return Buffer.from(`${JSON.stringify(resource)}\n`)
  } catch (error) {
    throw new FeedFailure(`Cannot read ${path}: it is nested too deeply`, { cause: error })
  }
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    const detail = error instanceof Error ? error.message.slice(0, 150) : ''
    throw new FeedFailure(`Cannot read ${path}: it must be JSON: ${detail}`, { cause: error })
  }
}

function resourcesOf(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document
  const bundle = asObject(document)
  if (bundle?.resourceType !== 'Bundle') return [document]
  return objectsIn(bundle.entry).map(({ resource }) => resource ?? {})
}
