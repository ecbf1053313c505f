// Hot path
import { ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http'

/** As a browser that opens a response of the API reads them: no sniffing, no scripts, no frames. */
const SECURITY_BLOCK =
  'X-Content-Type-Options: nosniff\r\n' + "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n"

const HSTS_BLOCK = 'Strict-Transport-Security: max-age=31536000\r\n'

/** The security headers of every response that is no page, as bytes to be sent. HSTS if the public address is https. */
export function securityBlock(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? SECURITY_BLOCK + HSTS_BLOCK : SECURITY_BLOCK
}

/** Methods that Node calls for each response and does not document. Tests fail if a version of Node no longer calls them. */
interface Internals {
  /** The status line and the header lines, once they are known. */
  readonly _header: string
  _headerSent: boolean
  /** Stores the header, however its lines were set. */
  _storeHeader(firstLine: string, headers: unknown): void
  /** Sends a piece of the body, and the header before the first. */
  _send(piece: string | Uint8Array, ...rest: readonly unknown[]): boolean
}

const Response = ServerResponse as unknown as new (
  ...of: ConstructorParameters<typeof ServerResponse>
) => ServerResponse & Internals

/** Bytes before a page: enough for the header of any but extreme queries. */
export const HEADER_ROOM = 2048

/**
 * Prepends the security headers as one prepared block: three more headers in each array would cost `/v1` a tenth of its throughput.
 * Sends a page together with its header: two buffers cost Node and the kernel more than twice what one does.
 */
function responseWith(block: string): typeof ServerResponse {
  class SecureResponse extends Response {
    headerBlock = ''
    /** Memory for the body, with `HEADER_ROOM` unused bytes before it. */
    page: Uint8Array | undefined = undefined

    override _storeHeader(firstLine: string, headers: unknown): void {
      const isPage = this.hasHeader('content-security-policy')
      super._storeHeader((isPage ? firstLine : firstLine + block) + this.headerBlock, headers)
    }

    override _send(piece: string | Uint8Array, ...rest: readonly unknown[]): boolean {
      const header = this._header
      if (this._headerSent || header.length > HEADER_ROOM || !beginsAt(piece, this.page))
        return super._send(piece, ...rest)
      this._headerSent = true
      const whole = Buffer.from(piece.buffer, piece.byteOffset - header.length, header.length + piece.length)
      whole.write(header, 'latin1')
      return super._send(whole, ...rest)
    }
  }
  return SecureResponse as unknown as typeof ServerResponse
}

function beginsAt(piece: string | Uint8Array, page: Uint8Array | undefined): piece is Uint8Array {
  if (page === undefined || typeof piece === 'string') return false
  return piece.byteOffset === page.byteOffset && piece.buffer === page.buffer
}

/** The fields of a response of this module. */
type Extended = ServerResponse & { headerBlock: string | undefined; page: Uint8Array | undefined }

/** Adds header lines, each with its line end, to what the response will send: `setHeader()` costs `/v1` a third of its throughput. */
export function addHeaderBlock(response: ServerResponse, block: string): void {
  const extended = response as Extended
  if (extended.headerBlock === undefined) throw new Error('Cannot add headers: the server has other responses')
  extended.headerBlock += block
}

/** Header lines of names and values alternating, each with its line end. Throws for a value that would not stay in its line. */
export function headerLines(headers: readonly string[]): string {
  let lines = ''
  for (let n = 0; n < headers.length; n += 2) {
    validateHeaderName(headers[n])
    validateHeaderValue(headers[n], headers[n + 1])
    lines += `${headers[n]}: ${headers[n + 1]}\r\n`
  }
  return lines
}

/** The names and values of header lines. */
export function headerPairs(lines: string): (readonly [name: string, value: string])[] {
  return [...lines.matchAll(/(.+?): (.*)\r\n/g)].map(([, name, value]) => [name, value])
}

/** Notes memory for the body that only this response uses, with `HEADER_ROOM` unused bytes before it. */
export function reserveHeader(response: ServerResponse, page: Uint8Array): void {
  ;(response as Extended).page = page
}

// One class for all servers of a thread: `keepShapes()` keeps its hidden classes for the others.
const ResponseOverHttp = responseWith(SECURITY_BLOCK)
const ResponseOverHttps = responseWith(SECURITY_BLOCK + HSTS_BLOCK)

/** The class of a server's responses: it adds the security headers, except to pages, which have their own policy. */
export function secureResponses(baseUrl: string): typeof ServerResponse {
  return baseUrl.startsWith('https:') ? ResponseOverHttps : ResponseOverHttp
}
