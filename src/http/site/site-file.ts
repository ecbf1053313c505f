import { hash } from 'node:crypto'
import { extname } from 'node:path'

/** One file in memory, with the headers that it is shown with. */
export interface SiteFile {
  readonly status: number
  /** By lower-case name; all but what differs with the encoding. */
  readonly headers: Readonly<Record<string, string>>
  contents: SiteContents
}

/** Compressed ones come later, where they save something. */
export interface SiteContents {
  readonly identity: SiteContent
  readonly gzip?: SiteContent
  readonly br?: SiteContent
}

export interface SiteContent {
  readonly body: Buffer<ArrayBuffer>
  /** A strong one: of the content and its encoding. */
  readonly etag: string
}

/**
 * How long a file may be kept: one whose name holds its hash for ever; the shell of the dashboard not at all, since it names
 * those; anything else as long as its ETag holds.
 */
export const CACHING = {
  forever: 'public, max-age=31536000, immutable',
  whileUnchanged: 'no-cache',
  never: 'no-store',
} as const

/**
 * Sent with every file. Scripts come from here alone and never stand in a page, so that nothing that somebody else wrote
 * (a publisher's words, a person's name) can become one; no page may be framed, and none asks another host for anything.
 * Styles may stand in a page, because the components of the dashboard set some that way.
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

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.http': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
}

/** `name` decides the content type. `isSecure`: the service is reached by https, and by nothing else from now on. */
export function siteFile(
  name: string,
  body: Buffer<ArrayBuffer>,
  { caching, isSecure, status = 200 }: { caching: string; isSecure: boolean; status?: number },
): SiteFile {
  return {
    status,
    headers: {
      'content-type': CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
      'cache-control': caching,
      ...SECURITY_HEADERS,
      ...(isSecure && { 'strict-transport-security': 'max-age=31536000' }),
    },
    contents: { identity: contentOf(body, '') },
  }
}

/** `suffix` tells the encodings of one content from each other. */
export function contentOf(body: Buffer<ArrayBuffer>, suffix: string): SiteContent {
  return { body, etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}${suffix}"` }
}
