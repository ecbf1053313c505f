import type { RequestContext } from './api-context.ts'
import { chooseCoding, isNotModified } from './negotiation.ts'
import { methodNotAllowed } from './problem.ts'

/** Files in memory, by URL path. */
export interface StaticFiles {
  /** The path begins with `/` and has no query string. */
  find(path: string): StaticFile | undefined
  /** The page that browsers get with a 404. */
  readonly notFound: StaticFile | undefined
  /** The page that a path that does not exist probably means. */
  guess?(path: string): { readonly path: string; readonly title: string } | undefined
  /** The frame of the status page, without its content. */
  readonly statusFrame?: StaticFile | undefined
}

/** One file in its content codings. */
export interface StaticFile {
  readonly status: number
  /** By lower-case name, without those that depend on the coding. */
  readonly headers: Readonly<Record<string, string>>
  /** Compressed copies may be added while the file is served. */
  contents: StaticContents
}

/** Uncompressed, and compressed where that is smaller. */
export interface StaticContents {
  readonly identity: StaticContent
  readonly gzip?: StaticContent
  readonly br?: StaticContent
}

export interface StaticContent {
  readonly body: Buffer<ArrayBuffer>
  /** Strong, so it differs between codings (RFC 9110, 8.8.3.3). */
  readonly etag: string
}

const ALLOW = ['GET', 'HEAD', 'OPTIONS']

/** Serves a file. False if there is none at the path. Throws `Problem('method-not-allowed')`. */
export function showFile({ request, response }: RequestContext, files: StaticFiles): boolean {
  const [path, search] = split(request.url ?? '/')
  const file = files.find(path)
  if (file === undefined) {
    if (!path.endsWith('/') || files.find(path.slice(0, -1)) === undefined) return false
    response.writeHead(308, { location: path.slice(0, -1) + search, 'content-length': '0' }).end()
    return true
  }
  if (!ALLOW.includes(request.method ?? '')) throw methodNotAllowed(path, request.method)
  const [encoding, content] = choose(file.contents, request.headers['accept-encoding'])
  const headers = {
    ...file.headers,
    etag: content.etag,
    ...(file.contents.br !== undefined && { vary: 'accept-encoding' }),
  }
  if (request.method === 'OPTIONS') response.writeHead(204, { allow: ALLOW.join(', ') }).end()
  else if (file.status === 200 && isNotModified(request, content.etag)) response.writeHead(304, headers).end()
  else {
    response.writeHead(file.status, {
      ...headers,
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
      'content-length': content.body.length,
    })
    response.end(content.body)
  }
  return true
}

function split(target: string): [path: string, search: string] {
  const at = target.indexOf('?')
  return at === -1 ? [target, ''] : [target.slice(0, at), target.slice(at)]
}

/** Files are compressed with brotli and gzip. */
function choose(contents: StaticContents, accepted?: string): [keyof StaticContents, StaticContent] {
  const coding = contents.br === undefined ? undefined : chooseCoding(accepted, ['br', 'gzip'])
  const content = coding === 'br' || coding === 'gzip' ? contents[coding] : undefined
  return content === undefined || coding === 'zstd' || coding === undefined
    ? ['identity', contents.identity]
    : [coding, content]
}
