import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Lets a server listen on a free port of 127.0.0.1 until the test ends, which cuts open connections. */
export async function listenOnLoopback(
  t: { after(end: () => void): void },
  server: Server,
): Promise<{ port: number; origin: string }> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { port, origin: `http://127.0.0.1:${port}` }
}
