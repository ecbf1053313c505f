import { hash } from 'node:crypto'
import { extname } from 'node:path'

/** One file in memory, with its response headers. */
export interface SiteFile {
  readonly status: number
  /** By lower-case name, without those that depend on the coding. */
  readonly headers: Readonly<Record<string, string>>
  contents: SiteContents
}

/** Compressed copies are added later, where they are smaller. */
export interface SiteContents {
  readonly identity: SiteContent
  readonly gzip?: SiteContent
  readonly br?: SiteContent
}

export interface SiteContent {
  readonly body: Buffer<ArrayBuffer>
  /** Strong: of the content and its coding. */
  readonly etag: string
}

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

/** The content type follows from `name`. `isSecure`: the service uses https, so HSTS is sent. */
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

/** `suffix` distinguishes the codings of one content. */
export function contentOf(body: Buffer<ArrayBuffer>, suffix: string): SiteContent {
  return { body, etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}${suffix}"` }
}
