import type { IncomingMessage } from 'node:http'

/** Why a body was not read: it is more than allowed, it did not come in time, or whoever sent it has gone. */
export type UnreadBody = 'too-large' | 'too-slow' | 'gone'

/** The body of a request, whole; undefined if it has none. What is not read is thrown away as it comes. */
export async function readBody(
  request: IncomingMessage,
  { bytesMax, timeoutMs }: { bytesMax: number; timeoutMs: number },
): Promise<Uint8Array | undefined | UnreadBody> {
  if (!hasBody(request)) return undefined
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) {
    request.resume()
    return 'too-large'
  }
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let bytes = 0
    const end = (outcome: Uint8Array | UnreadBody) => {
      clearTimeout(timer)
      request.off('data', take)
      request.resume()
      resolve(outcome)
    }
    const take = (piece: Buffer) => {
      bytes += piece.length
      if (bytes > bytesMax) end('too-large')
      else pieces.push(piece)
    }
    const timer = setTimeout(() => end('too-slow'), timeoutMs)
    request.on('data', take)
    request.once('end', () => end(new Uint8Array(Buffer.concat(pieces))))
    request.once('close', () => end('gone'))
  })
}

/** RFC 9112, 6.3: one that announces neither a length nor an encoding has none. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
