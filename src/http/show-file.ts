import type { IncomingMessage } from 'node:http'
import { isNotModified } from './caching/not-modified.ts'
import { Problem } from './problem.ts'
import type { Exchange } from './request-context.ts'

/** Files that are held in memory, by the paths at which they are shown. */
export interface StaticFiles {
  /** The file at a path, which begins with `/` and has no query. */
  find(path: string): StaticFile | undefined
  /** What a browser is shown where there is nothing. */
  readonly notFound: (Pick<StaticFile, 'headers'> & { readonly body: Buffer<ArrayBuffer> }) | undefined
}

/** One file, and in which encodings it can be had. */
export interface StaticFile {
  readonly status: number
  /** By lower-case name; all but what differs with the encoding. */
  readonly headers: Readonly<Record<string, string>>
  readonly contents: StaticContents
}

/** Always plain; compressed where that saves something. */
export interface StaticContents {
  readonly identity: StaticContent
  readonly gzip?: StaticContent
  readonly br?: StaticContent
}

export interface StaticContent {
  readonly body: Buffer
  /** A strong one, which differs between encodings (RFC 9110, 8.8.3.3). */
  readonly etag: string
}

const ALLOW = 'GET, HEAD, OPTIONS'

/** Shows the file that a request asks for; false if there is none. Throws `Problem('method-not-allowed')`. */
export function showFile({ request, response }: Exchange, files: StaticFiles): boolean {
  const [path, search] = split(request.url ?? '/')
  const file = files.find(path)
  if (file === undefined) {
    if (!path.endsWith('/') || files.find(path.slice(0, -1)) === undefined) return false
    response.writeHead(308, { location: path.slice(0, -1) + search, 'content-length': '0' }).end()
    return true
  }
  requireReading(request, path)
  const [encoding, content] = choose(file.contents, request.headers['accept-encoding'])
  const headers = {
    ...file.headers,
    etag: content.etag,
    ...(file.contents.br !== undefined && { vary: 'accept-encoding' }),
  }
  if (request.method === 'OPTIONS') response.writeHead(204, { allow: ALLOW }).end()
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

function requireReading({ method = '' }: IncomingMessage, path: string): void {
  if (ALLOW.split(', ').includes(method)) return
  throw new Problem('method-not-allowed', `${path.slice(0, 100)} answers ${ALLOW}: got ${method}.`, {
    headers: { allow: ALLOW },
  })
}

/** The smallest that the reader understands: `Accept-Encoding` (RFC 9110, 12.5.3), less its finer weights. */
function choose(contents: StaticContents, accepted = ''): [keyof StaticContents, StaticContent] {
  const { br, gzip, identity } = contents
  if (br !== undefined && accepts(accepted, 'br')) return ['br', br]
  if (gzip !== undefined && accepts(accepted, 'gzip')) return ['gzip', gzip]
  return ['identity', identity]
}

function accepts(accepted: string, encoding: string): boolean {
  return accepted
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim()))
    .some(([name, weight = 'q=1']) => name === encoding && !/^q=0(\.0*)?$/.test(weight))
}
