import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

/** Where a server listens. `isShared`: other threads of this node listen there as well. */
export interface Listening {
  readonly host: string
  readonly port: number
  readonly isShared: boolean
}

/** Resolves with the port once the server listens. Throws if it cannot. */
export async function listen(
  server: Pick<Server, 'once' | 'off' | 'listen' | 'address'>,
  { host, port, isShared }: Listening,
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, reusePort: isShared }, () => resolve())
    server.once('listening', () => server.off('error', reject))
  })
  return (server.address() as AddressInfo).port
}

/**
 * Throws unless the port is free. A port that is to be shared has to be tried before: listening on one would succeed beside
 * another node of the same user, and each would get half of the other's callers.
 */
export async function requireFree({ host, port }: { host: string; port: number }): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => resolve())
  })
  await new Promise((resolve) => server.close(resolve))
}

/** Has every answer from now on ask its caller to connect anew, to whoever may be there then (RFC 9112, 9.6). */
export function beginDrain(server: Server): void {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
}

/** Requests under way get this long to be answered; idle connections are closed at once. */
const CLOSE_MS_MAX = 5000

/** Ends a server; resolves when its last connection is closed. */
export async function closeServer(server: Server): Promise<void> {
  const force = setTimeout(() => server.closeAllConnections(), CLOSE_MS_MAX)
  await new Promise((resolve) => server.close(resolve))
  clearTimeout(force)
}
