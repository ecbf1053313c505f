// Hot path
import { ServerResponse } from 'node:http'

/** As a browser that opens a response of the API reads them: no sniffing, no scripts, no frames. */
const SECURITY_BLOCK =
  'X-Content-Type-Options: nosniff\r\n' + "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n"

const HSTS_BLOCK = 'Strict-Transport-Security: max-age=31536000\r\n'

/** The security headers of every response that is no page, as bytes to be sent. HSTS if the public address is https. */
export function securityBlock(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? SECURITY_BLOCK + HSTS_BLOCK : SECURITY_BLOCK
}

/** Node calls it with the status line and the headers of each response, however they were set. */
const Response = ServerResponse as unknown as new (
  ...of: ConstructorParameters<typeof ServerResponse>
) => ServerResponse & { _storeHeader(firstLine: string, headers: unknown): void }

/**
 * Prepends the headers as one prepared block: three more headers in each array would cost `/v1` a tenth of its throughput. Node has no
 * public name for `_storeHeader`; a test fails if a version of Node no longer calls it.
 */
function responseWith(block: string): typeof ServerResponse {
  class SecureResponse extends Response {
    headerBlock = ''

    override _storeHeader(firstLine: string, headers: unknown): void {
      const isPage = this.hasHeader('content-security-policy')
      super._storeHeader((isPage ? firstLine : firstLine + block) + this.headerBlock, headers)
    }
  }
  return SecureResponse as unknown as typeof ServerResponse
}

/** Adds header lines, each with its line end, to what the response will send: `setHeader()` costs `/v1` a third of its throughput. */
export function addHeaderBlock(response: ServerResponse, block: string): void {
  ;(response as ServerResponse & { headerBlock: string }).headerBlock += block
}

// One class for all servers of a thread: `keepShapes()` keeps its hidden classes for the others.
const ResponseOverHttp = responseWith(SECURITY_BLOCK)
const ResponseOverHttps = responseWith(SECURITY_BLOCK + HSTS_BLOCK)

/** The class of a server's responses: it adds the security headers, except to pages, which have their own policy. */
export function secureResponses(baseUrl: string): typeof ServerResponse {
  return baseUrl.startsWith('https:') ? ResponseOverHttps : ResponseOverHttp
}
