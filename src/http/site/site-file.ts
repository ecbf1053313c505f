import { hash } from 'node:crypto'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gunzipSync, gzip } from 'node:zlib'
import type { StaticContent, StaticContents, StaticFile } from '../show-file.ts'

/**
 * `Cache-Control` of files: immutable if the name contains a hash; no caching of the dashboard's shell, which refers to such names;
 * revalidation for everything else.
 */
export const CACHING = {
  forever: 'public, max-age=31536000, immutable',
  whileUnchanged: 'no-cache',
  never: 'no-store',
} as const

/**
 * Sent with every file. Scripts load from this origin only and are never inline, so injected text (of a publisher or a user) cannot run;
 * pages cannot be framed and do not contact other hosts. Inline styles are allowed because dashboard components set them.
 */
const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const

/** The same file for the page that may ask for the visitor's position. */
export function withGeolocation(file: StaticFile): StaticFile {
  const policy = SECURITY_HEADERS['permissions-policy'].replace('geolocation=()', 'geolocation=(self)')
  return { ...file, headers: { ...file.headers, 'permissions-policy': policy } }
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.http': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.xml': 'application/xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
}

/** The content type follows from `name`. `isSecure`: the service uses https, so HSTS is sent. */
export function siteFile(
  name: string,
  contents: StaticContents,
  { caching, isSecure, status = 200 }: { caching: string; isSecure: boolean; status?: number },
): StaticFile {
  return {
    status,
    headers: {
      'content-type': CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
      'cache-control': caching,
      ...SECURITY_HEADERS,
      ...(isSecure && { 'strict-transport-security': 'max-age=31536000' }),
    },
    contents,
  }
}

/** Sends people to another page. Temporary, because the configuration may change it. */
export function redirectFile(location: string, { isSecure }: { isSecure: boolean }): StaticFile {
  const contents = plainContents(Buffer.from(`${location}\n`))
  const file = siteFile('redirect.txt', contents, { caching: 'public, max-age=3600', isSecure, status: 302 })
  return { ...file, headers: { ...file.headers, location } }
}

/** A file that may be compressed later. */
export function plainContents(body: Buffer<ArrayBuffer>): StaticContents {
  return { identity: { body, etag: etagOf(body) } }
}

/** A file that the build has compressed. Few clients want it uncompressed, so it is inflated when the first one does. */
export function compressedContents(br: Buffer<ArrayBuffer>, gzipped: Buffer<ArrayBuffer>): StaticContents {
  const etag = etagOf(gzipped)
  let identity: StaticContent | undefined
  return {
    get identity() {
      identity ??= { body: gunzipSync(gzipped), etag }
      return identity
    },
    br: { body: br, etag: withSuffix(etag, '-br') },
    gzip: { body: gzipped, etag: withSuffix(etag, '-gz') },
  }
}

function etagOf(body: Buffer): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 22)}"`
}

/** Distinguishes the codings of one content. */
function withSuffix(etag: string, suffix: string): string {
  return `${etag.slice(0, -1)}${suffix}"`
}

/** A smaller file fits into one packet uncompressed. */
const BYTES_MIN = 1024

/** Brotli level 6 is as fast as gzip and smaller than its best level. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

/** Compresses a text file in threads of the libuv pool. It is served uncompressed until then. */
export async function compressFile(file: StaticFile): Promise<void> {
  const { identity } = file.contents
  if (identity.body.length < BYTES_MIN || !isText(file)) return
  const [br, gzipped] = [await promisify(brotliCompress)(identity.body, BROTLI), await promisify(gzip)(identity.body)]
  if (gzipped.length >= identity.body.length) return
  file.contents = {
    identity,
    br: { body: br, etag: withSuffix(identity.etag, '-br') },
    gzip: { body: gzipped, etag: withSuffix(identity.etag, '-gz') },
  }
}

function isText({ headers }: StaticFile): boolean {
  return /^text\/|json|svg|xml/.test(headers['content-type'])
}
