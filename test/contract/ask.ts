import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'

/** A request whose target is sent unchanged. */
export interface RawRequest {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface QueryResult {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The body as received. */
  readonly sent: Buffer
  /** The body without its content coding. */
  readonly text: string
}

/** Generous, because it only detects a missing response. */
const ANSWER_MS_MAX = 20_000

/** The last block of the first page of a stream. */
const FIRST_POSITION = /\n\nid: [^\n]+\n\n$/

const DECODE: Readonly<Record<string, (sent: Buffer) => Buffer>> = {
  gzip: (sent) => gunzipSync(sent),
  br: (sent) => brotliDecompressSync(sent),
  zstd: (sent) => zstdDecompressSync(sent),
}

/** Sends requests over persistent connections. */
export class Client implements Disposable {
  readonly #agent = new Agent({ keepAlive: true })
  readonly origin: URL

  constructor(origin: string) {
    this.origin = new URL(origin)
  }

  /** A stream of events is read to its first position. Rejects if the response is missing, truncated or cannot be decoded. */
  async ask({ method, target, headers, body }: RawRequest): Promise<QueryResult> {
    const { hostname, port } = this.origin
    return await new Promise((resolve, reject) => {
      const options = { hostname, port, path: target, method, headers, agent: this.#agent }
      const request = httpRequest({ ...options, timeout: ANSWER_MS_MAX }, (response) => {
        const pieces: Buffer[] = []
        const { statusCode = 0, headers } = response
        const isStream = headers['content-type'] === 'text/event-stream'
        const settle = () => {
          try {
            const sent = Buffer.concat(pieces)
            resolve({ status: statusCode, headers, sent, text: decode(sent, headers['content-encoding']) })
          } catch (error) {
            reject(error)
          }
        }
        response.on('data', (piece: Buffer) => {
          pieces.push(piece)
          if (!isStream || !FIRST_POSITION.test(Buffer.concat(pieces).toString())) return
          settle()
          response.destroy()
        })
        response.on('error', reject)
        response.on('end', settle)
      })
      request.on('timeout', () => request.destroy(new Error(`No response to ${method} ${target}`)))
      request.on('error', reject)
      request.end(body)
    })
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
  }
}

function decode(sent: Buffer, coding: string | undefined): string {
  const plain = coding === undefined || sent.length === 0 ? sent : DECODE[coding](sent)
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain)
}
