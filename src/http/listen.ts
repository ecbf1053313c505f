import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

/** The address of a server. `isShared`: other threads of this node listen on the same port. */
interface Listening {
  readonly host: string
  readonly port: number
  readonly isShared: boolean
}

/** Resolves with the port once the server listens; rejects if it cannot. */
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
 * Rejects unless the port is free. Check this before sharing a port: with `reusePort`, listening succeeds beside another node of the
 * same user, and each would receive half of the requests.
 */
export async function requireFree({ host, port }: { host: string; port: number }): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => resolve())
  })
  await new Promise((resolve) => server.close(resolve))
}

/** Makes every further response close its connection, so that callers reconnect to another node (RFC 9112, 9.6). */
export function beginDrain(server: Server): void {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
}

/** The time that running requests have to complete. */
const CLOSE_MS_MAX = 5000

/** How often connections are closed that have become idle. */
const CLOSE_IDLE_EVERY_MS = 50

/** Closes a server and its idle connections, the others when their response is sent; resolves when the last is closed. */
export async function closeServer(server: Server): Promise<void> {
  beginDrain(server)
  const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
  const force = setTimeout(() => server.closeAllConnections(), CLOSE_MS_MAX)
  await new Promise((resolve) => server.close(resolve))
  clearInterval(closing)
  clearTimeout(force)
}
